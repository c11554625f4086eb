// The search page. (`?q=` belongs to the theme, `?find=` is ours.) One index file a book is loaded on the first search and never before.
(() => {
  const form = document.querySelector(".rp form.find");
  if (!form) return;
  const input = form.querySelector("input");
  const status = document.querySelector(".rp [role=status]");
  const hits = document.querySelector(".rp .hits");
  const pages = {claim: "claims", source: "sources", proposal: "proposals"};
  const signs = {
    "contradicted": ["contradicted", "✕"], "internally inconsistent": ["inconsistent", "≠"],
    "unsupported": ["unsupported", "∅"], "qualified": ["qualified", "±"],
    "unverified": ["unverified", "?"], "supported": ["supported", "✓"],
    "no source needed": ["notneeded", "·"],
  };
  const most = 60;
  let records = null;
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/[–—−]/g, "-");
  const load = async () => {
    const names = form.dataset.books.split(" ").filter(Boolean);
    const parts = await Promise.all(names.map(async (name) =>
      (await fetch(`../assets/search/${name}.json`)).json()));
    records = parts.flat().map((record) => ({...record,
      title: fold(`${record.i} ${record.t}`), all: fold(`${record.i} ${record.t} ${record.x} ${record.c}`)}));
  };
  const rank = (record, words) => {
    // An id first, then words of what is shown, then words that stand elsewhere in the record.
    let score = 0;
    for (const word of words) {
      if (record.i.toLowerCase() === word) score += 100;
      else if (record.title.includes(word)) score += 10;
      else if (record.all.includes(word)) score += 1;
      else return 0;
    }
    return score;
  };
  const made = (tag, text, className = "") =>
    Object.assign(document.createElement(tag), {textContent: text, className});
  const show = (record) => {
    const link = made("a", "");
    link.href = `../books/${record.p}/${pages[record.k]}/#${record.i}`;
    link.append(made("b", `${record.k} ${record.i}`), " ", record.t);
    const item = made("li", "");
    if (record.v) {
      const [kind, sign] = signs[record.v] || ["unverified", "?"];
      item.append(made("span", `${sign} ${record.v}`, `b ${kind}`), " ");
    }
    item.append(link, " ", made("small", record.c));
    return item;
  };
  const find = async () => {
    const words = fold(input.value).split(/\s+/).filter(Boolean);
    history.replaceState(null, "", words.length ? `?find=${encodeURIComponent(input.value.trim())}`
      : location.pathname);
    if (!words.length) { hits.replaceChildren(); status.textContent = ""; return; }
    if (!records) {
      status.textContent = "Loading …";
      try { await load(); } catch { status.textContent = "The index could not be loaded."; return; }
    }
    const found = records.map((record) => [rank(record, words), record])
      .filter(([score]) => score).sort((a, b) => b[0] - a[0]).map(([, record]) => record);
    const packs = new Set(found.map((record) => record.p)).size;
    status.textContent = `${found.length} found in ${packs} ${packs === 1 ? "pack" : "packs"}` +
      (found.length > most ? `; the first ${most} are shown` : "");
    hits.replaceChildren(...found.slice(0, most).map(show));
  };
  let waiting = 0;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, 150); });
  form.addEventListener("submit", (event) => { event.preventDefault(); find(); });
  input.value = new URLSearchParams(location.search).get("find") || "";
  if (input.value) find();
  input.focus();
})();
