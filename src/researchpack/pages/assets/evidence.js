// Walks through a recorded run. Everything that is shown stands in the tables of the page; this
// script only picks a row of them and marks its place in the strip.
(() => {
  const walk = document.querySelector(".rp .walk");
  if (!walk) return;
  const sections = [...document.querySelectorAll(".rp section.trace")];
  const part = (name) => walk.querySelector(name);
  const [pick, back, on, range] = [".pick", ".back", ".on", "input"].map(part);
  let section = null, rows = [], at = 0, told = false;

  const fill = () => {
    const row = rows[at];
    const verdict = row.querySelector("[data-label=Verdict]");
    part(".where").textContent = `step ${row.dataset.step}, ${at + 1} of ${rows.length}`;
    range.value = at;
    range.setAttribute("aria-valuetext", `step ${row.dataset.step}: ${verdict.textContent}`);
    back.disabled = at === 0;
    on.disabled = at === rows.length - 1;
    const step = Object.assign(document.createElement("b"), {textContent: `Step ${row.dataset.step} `});
    part(".verdict").replaceChildren(step, ...[...verdict.childNodes].map((node) => node.cloneNode(true)));
    part(".facts").replaceChildren(...[...row.querySelectorAll("td")].slice(1).flatMap((cell) => {
      const name = Object.assign(document.createElement("dt"), {textContent: cell.dataset.label});
      const words = document.createElement("dd");
      words.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
      return [name, words];
    }));
    const here = part(".stage .here");
    if (!here) return;
    here.removeAttribute("hidden");
    here.setAttribute("x", row.dataset.x);
    const box = here.closest(".strip");
    box.scrollLeft = row.dataset.x - box.clientWidth / 2;
  };
  const go = (to) => {
    at = Math.min(Math.max(to, 0), rows.length - 1);
    told = true;
    history.replaceState(null, "", `#${section.id}/${rows[at].dataset.step}`);
    fill();
  };
  const open = (wanted, step) => {
    section = wanted;
    rows = [...section.querySelectorAll("tr[data-step]")];
    pick.value = section.id;
    range.max = rows.length - 1;
    part(".stage").replaceChildren(section.querySelector(".strip").cloneNode(true));
    part(".stage .here")?.removeAttribute("id");
    at = Math.max(rows.findIndex((row) => row.dataset.step === step), 0);
    fill();
  };
  const named = () => {
    // `#X1-run/12`: the run, and one of its steps.
    let hash = "";
    try { hash = decodeURIComponent(location.hash.slice(1)); } catch { /* no address of ours */ }
    const cut = hash.lastIndexOf("/");
    const [name, step] = cut < 0 ? [hash, ""] : [hash.slice(0, cut), hash.slice(cut + 1)];
    const found = sections.find((one) => one.id === name);
    return [found, found ? step : ""];
  };
  const follow = () => {
    const [wanted, step] = named();
    if (!wanted) return;
    open(wanted, step);
    walk.scrollIntoView({block: "start"});
  };

  walk.hidden = false;
  open(named()[0] ?? sections[0], named()[1]);
  if (named()[0]) addEventListener("load", () => { if (!told) walk.scrollIntoView({block: "start"}); });
  addEventListener("hashchange", follow);
  pick.addEventListener("change", () => { open(sections[pick.selectedIndex], ""); go(0); });
  back.addEventListener("click", () => go(at - 1));
  on.addEventListener("click", () => go(at + 1));
  range.addEventListener("input", () => go(Number(range.value)));
  part(".stage").addEventListener("click", (event) => {
    const x = event.clientX - part(".stage svg").getBoundingClientRect().left;
    const found = rows.findLastIndex((row) => Number(row.dataset.x) <= x);
    if (found >= 0) go(found);
  });
  const keys = {ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(rows.length - 1)};
  addEventListener("keydown", (event) => {
    // A list or a slider that has the focus keeps its own keys, and so does what can be scrolled.
    const own = event.target.closest?.("input, select, textarea, summary, .wide, pre, .md-search");
    const ends = event.key === "Home" || event.key === "End";
    if (ends && !walk.contains(event.target)) return; // elsewhere they go to the ends of the page
    if (own || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
})();
