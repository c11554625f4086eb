// The claim table: filters with counts, sorting, hidden columns, keys, CSV. The state of it all is
// in the address, so that a view is a link. Without this script the table is whole and plain.
(() => {
  const table = document.querySelector(".rp table.claims");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const facets = [
    ["verdict", "Verdict"], ["priority", "Priority"], ["response", "Response"],
    ["decision", "Decision"], ["gives", "The evidence gives"], ["kind", "Kind"], ["class", "Class"], ["section", "Section"],
    ["source", "Source"],
  ];
  const ranks = {
    priority: ["high", "medium", "low"],
    verdict: ["contradicted", "internally inconsistent", "unsupported", "qualified", "unverified",
      "supported", "no source needed"],
  };
  const kept = new Map(rows.map((row) => [row, new Map(facets.map(([name]) => {
    const words = row.dataset[name] || "";
    return [name, (name === "section" ? [words] : words.split(";")).filter(Boolean)];
  }))]));
  const values = (row, name) => kept.get(row).get(name);
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const made = (tag, props = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    element.append(...children);
    return element;
  };
  // Words that the vocabulary does not know come last.
  const place = (name, word) => (ranks[name].indexOf(word) + 1) || ranks[name].length + 1;
  const state = {q: "", sort: "", hide: new Set(), picked: new Map()};

  // --- the address -----------------------------------------------------------------------------
  // (`q` and `h` belong to the theme, which opens its own search for them.)
  const read = () => {
    const query = new URLSearchParams(location.search);
    search.value = query.get("find") || "";
    state.sort = query.get("sort") || "";
    state.hide = new Set((query.get("hide") || "").split(",").filter(Boolean));
    state.picked = new Map(facets.map(([name]) => [name, new Set(query.getAll(name))]));
  };
  const write = () => {
    const query = new URLSearchParams();
    if (state.q) query.set("find", state.q);
    for (const [name, picked] of state.picked) for (const value of picked) query.append(name, value);
    if (state.sort) query.set("sort", state.sort);
    if (state.hide.size) query.set("hide", [...state.hide].join(","));
    const text = query.toString();
    history.replaceState(null, "", (text ? `?${text}` : location.pathname) + location.hash);
  };

  // --- the panel -------------------------------------------------------------------------------
  const panel = made("section", {className: "facets"});
  panel.setAttribute("aria-label", "Filters");
  const search = made("input", {type: "search", placeholder: "Filter: text, C56, S2 …"});
  search.setAttribute("aria-label", "Filter claims by text");
  panel.append(search);
  const boxes = [];
  for (const [name, title] of facets) {
    const found = [...new Set(rows.flatMap((row) => values(row, name)))];
    const collator = new Intl.Collator(undefined, {numeric: true});
    found.sort((a, b) => ranks[name] ? place(name, a) - place(name, b)
      : name === "section" ? 0 : collator.compare(a, b));
    const group = made("details", {open: ["verdict", "priority", "response", "decision"].includes(name)},
      made("summary", {textContent: title}));
    for (const value of found) {
      const input = made("input", {type: "checkbox", value, name});
      const count = made("em");
      boxes.push({input, count, name, value});
      group.append(made("label", {}, input, made("span", {textContent: value}), count));
    }
    if (found.length) panel.append(group);
  }
  const shown = made("p", {className: "meta shown"});
  shown.setAttribute("aria-live", "polite");
  const button = (words, act) => {
    const element = made("button", {type: "button", textContent: words});
    element.addEventListener("click", act);
    return element;
  };
  const columns = made("details", {className: "columns"}, made("summary", {textContent: "Columns"}));
  heads.forEach((head, at) => {
    if (!at) return;
    const key = head.textContent.trim().split(" ")[0].toLowerCase();
    const input = made("input", {type: "checkbox"});
    input.dataset.column = key;
    head.dataset.column = key;
    input.addEventListener("change", () => {
      state.hide[input.checked ? "delete" : "add"](key);
      apply();
    });
    columns.append(made("label", {}, input, made("span", {textContent: head.textContent.trim()})));
  });
  const keys = made("span", {className: "keys"});
  keys.innerHTML = "<kbd>j</kbd> <kbd>k</kbd> move <kbd>o</kbd> open <kbd>/</kbd> filter " +
    "<kbd>n</kbd> next undecided <kbd>Esc</kbd> clear";
  const tools = made("div", {className: "tools"},
    button("CSV of what is shown", () => csv()), button("Copy the link", () => link()),
    button("Clear filters", () => clear()), columns, keys);
  const frame = table.closest(".scroll");
  const two = made("div", {className: "two"});
  frame.before(two);
  two.append(panel, made("div", {}, shown, tools, frame));
  table.classList.add("live");

  // --- sorting ---------------------------------------------------------------------------------
  const sortable = {id: "id", verdict: "verdict", priority: "priority", passage: "at"};
  for (const head of heads) {
    const words = head.textContent.trim();
    const name = sortable[words.split(" ")[0].toLowerCase()];
    if (!name) continue;
    const sorter = button(words, () => {
      state.sort = state.sort === name ? `-${name}` : state.sort === `-${name}` ? "" : name;
      apply();
    });
    head.replaceChildren(sorter);
    head.dataset.sort = name;
  }
  const rank = (row, name) => {
    if (name === "id") return Number(row.id.replace(/\D/g, ""));
    if (name === "at") return Number(row.dataset.at);
    return place(name, row.dataset[name]);
  };
  const order = new Map(rows.map((row, at) => [row, at]));
  const sorted = () => {
    if (!state.sort) return [...rows].sort((a, b) => order.get(a) - order.get(b));
    const back = state.sort.startsWith("-") ? -1 : 1;
    const name = state.sort.replace("-", "");
    return [...rows].sort((a, b) =>
      back * (rank(a, name) - rank(b, name)) || order.get(a) - order.get(b));
  };

  // --- filtering -------------------------------------------------------------------------------
  const tests = () => state.q.toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    // S2 is not S21.
    if (!/^[cslxp]\d+[a-z]?$/.test(word)) return (text) => text.includes(word);
    const whole = new RegExp(`\\b${word}\\b`);
    return (text) => whole.test(text);
  });
  const apply = () => {
    state.q = search.value.trim();
    write();
    const wanted = tests();
    const counts = new Map();
    let number = 0;
    for (const row of rows) {
      const found = wanted.every((test) => test(texts.get(row)));
      const against = facets.map(([name]) => name).filter((name) => state.picked.get(name).size &&
        !values(row, name).some((value) => state.picked.get(name).has(value)));
      row.hidden = !found || against.length > 0;
      if (!row.hidden) number += 1;
      if (!found || against.length > 1) continue;
      // A count says what a click would show: it leaves out what its own filter holds back.
      for (const [name] of facets)
        if (!against.length || against[0] === name)
          for (const value of values(row, name)) {
            const key = `${name}\n${value}`;
            counts.set(key, (counts.get(key) || 0) + 1);
          }
    }
    const inOrder = sorted();
    if (inOrder.some((row, at) => table.tBodies[0].rows[at] !== row))
      table.tBodies[0].append(...inOrder);
    shown.textContent = `${number} of ${rows.length} claims shown`;
    for (const box of boxes) {
      box.input.checked = state.picked.get(box.name).has(box.value);
      box.count.textContent = counts.get(`${box.name}\n${box.value}`) || 0;
    }
    for (const head of heads) {
      const name = head.dataset.sort;
      if (!name) continue;
      if (state.sort.replace("-", "") === name && state.sort)
        head.setAttribute("aria-sort", state.sort.startsWith("-") ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    heads.forEach((head, at) => {
      const off = state.hide.has(head.dataset.column);
      table.classList.toggle(`no${at + 1}`, off);
      const input = columns.querySelector(`[data-column="${head.dataset.column}"]`);
      if (input) input.checked = !off;
    });
    document.dispatchEvent(new CustomEvent("rp:shown"));
  };
  panel.addEventListener("change", (event) => {
    const {name, value, checked} = event.target;
    if (!state.picked.has(name)) return;
    state.picked.get(name)[checked ? "add" : "delete"](value);
    apply();
  });
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  const clear = () => {
    search.value = "";
    state.picked.forEach((picked) => picked.clear());
    apply();
  };
  const reveal = () => {
    // A row that is linked to is shown whatever the filters say.
    const row = rows.find((one) => `#${one.id}` === location.hash);
    if (row?.hidden) clear();
    // Where the row stood before filters and order were applied is where the browser has jumped to.
    row?.scrollIntoView();
  };
  addEventListener("hashchange", reveal);

  // --- out of here -----------------------------------------------------------------------------
  const cell = (words) => {
    const plain = words.replace(/\s+/g, " ").trim();
    // A spreadsheet would run a cell that begins like a formula.
    const harmless = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
    return `"${harmless.replaceAll('"', '""')}"`;
  };
  const csv = () => {
    const names = ["id", "verdict", "priority", "response", "kind", "class", "section", "source",
      "decision", "passage", "concern"];
    const lines = [names.map(cell).join(",")];
    for (const row of [...table.tBodies[0].rows].filter((one) => !one.hidden))
      lines.push(names.map((name) => cell(
        name === "id" ? row.id
          : name === "passage" ? row.querySelector(".q q, .q .para").textContent
            : name === "concern" ? row.querySelector(".concern").textContent
              : row.dataset[name] || "")).join(","));
    const url = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], {type: "text/csv"}));
    made("a", {href: url, download: "claims.csv"}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  const link = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      shown.textContent = "The link is copied.";
    } catch {
      shown.textContent = location.href;
    }
  };

  // --- keys ------------------------------------------------------------------------------------
  let at = null;
  const visible = () => [...table.tBodies[0].rows].filter((row) => !row.hidden);
  const go = (row) => {
    if (!row) return;
    at?.classList.remove("now");
    at = row;
    at.classList.add("now");
    at.scrollIntoView({block: "nearest"});
    at.querySelector("th a").focus({preventScroll: true});
  };
  const step = (by) => {
    const list = visible();
    const here = at && !at.hidden ? list.indexOf(at) : by > 0 ? -1 : list.length;
    go(list[Math.min(Math.max(here + by, 0), list.length - 1)]);
  };
  const open = () => {
    const parts = [...(at?.querySelectorAll("details") || [])];
    const to = parts.some((part) => !part.open);
    parts.forEach((part) => { part.open = to; });
  };
  const undecided = () => {
    const list = visible();
    const rest = list.slice(list.indexOf(at) + 1);
    // Behind the last one it begins again.
    go([...rest, ...list].find((row) => values(row, "decision").includes("undecided")));
  };
  const actions = {
    j: () => step(1), k: () => step(-1), o: open, n: undecided,
    "/": () => search.focus(), Escape: clear,
  };
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    if (typing && event.key === "Escape") { event.target.blur(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }, true);

  read();
  apply();
  reveal();
})();
