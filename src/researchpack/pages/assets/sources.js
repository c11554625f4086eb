// The source ledger by what the registries said: one state at a time, or sorted by state. Without
// this script the states are links into the whole list.
(() => {
  const list = document.querySelector(".rp .src-states");
  if (!list) return;
  const articles = [...document.querySelectorAll(".rp article.src")];
  const groups = [...list.querySelectorAll("dt")].map((term) => ({
    term, ids: [...term.nextElementSibling.querySelectorAll("a")].map((a) => a.hash.slice(1)),
  }));
  const place = articles[0]?.parentElement;
  const after = articles.at(-1)?.nextElementSibling;
  const status = document.createElement("p");
  status.className = "meta";
  status.setAttribute("role", "status");
  list.after(status);
  let chosen = null;
  let sorted = false;
  const apply = () => {
    const order = sorted ? groups.flatMap((group) => group.ids) : articles.map((one) => one.id);
    for (const id of order) place.insertBefore(document.getElementById(id), after);
    for (const article of articles) article.hidden = chosen !== null && !chosen.ids.includes(article.id);
    groups.forEach((group) =>
      group.term.firstChild.setAttribute("aria-pressed", String(group === chosen)));
    sorter.setAttribute("aria-pressed", String(sorted));
    status.textContent = `${articles.filter((one) => !one.hidden).length} of ${articles.length} sources shown`;
  };
  const button = (text, act) => {
    const element = Object.assign(document.createElement("button"), {type: "button", textContent: text});
    element.addEventListener("click", act);
    return element;
  };
  for (const group of groups)
    group.term.replaceChildren(button(group.term.textContent, () => {
      chosen = chosen === group ? null : group;
      apply();
    }));
  const sorter = button("Sort by state", () => { sorted = !sorted; apply(); });
  status.before(sorter);
  addEventListener("hashchange", () => {
    // A source that is linked to is shown whatever was chosen.
    const article = articles.find((one) => `#${one.id}` === location.hash);
    if (article?.hidden) { chosen = null; apply(); article.scrollIntoView(); }
  });
  apply();
})();
