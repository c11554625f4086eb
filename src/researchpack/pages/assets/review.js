// Deciding in the browser. Drafts stay in this browser and leave it only as a file, as clipboard
// text, or, under `researchpack serve`, into the pack's own review.yaml on this machine.
(() => {
  const root = document.querySelector(".rp [data-pack]");
  if (!root) return;
  const pack = root.dataset.pack;
  const store = `researchpack:review:${pack}`;
  const live = document.querySelector("script[data-review-token]");
  const words = {
    P: ["accept", "revise", "defer", "reject"],
    C: ["agree", "dispute"],
  };
  const made = (tag, props = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    element.append(...children);
    return element;
  };
  const today = () => {
    const now = new Date();
    const two = (number) => String(number).padStart(2, "0");
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  };
  const load = () => {
    try {
      const found = JSON.parse(localStorage.getItem(store) || "{}");
      return {by: String(found.by || ""), drafts: found.drafts || {}};
    } catch {
      return {by: "", drafts: {}};
    }
  };
  let state = load();
  const keep = (typing = null) => {
    try {
      localStorage.setItem(store, JSON.stringify(state));
    } catch {
      tell("This browser keeps no drafts; download them before you leave the page.");
    }
    draw(typing);
  };

  // --- one control a target ----------------------------------------------------------------------
  const controls = new Map();
  const choose = (target, decision, of, reason = "") => {
    if (!decision) delete state.drafts[target];
    else state.drafts[target] = {...state.drafts[target], decision, of, reason:
      reason || state.drafts[target]?.reason || "", date: today()};
  };
  const control = (place) => {
    const {target, of} = place.dataset;
    const select = made("select", {});
    select.setAttribute("aria-label", `Decide on ${target}`);
    const now = place.dataset.decided || "undecided";
    select.append(made("option", {value: "", textContent: `${target}: ${now}`}));
    for (const word of words[target[0]] || []) select.append(made("option", {value: word, textContent: word}));
    const reason = made("input", {type: "text", placeholder: "why", hidden: true, maxLength: 2000});
    reason.setAttribute("aria-label", `Reason for ${target}`);
    const wording = made("div", {className: "wording", hidden: true});
    select.addEventListener("change", () => { choose(target, select.value, of); keep(); });
    // Kept with every key: under `serve` the page may load again at any moment.
    reason.addEventListener("input", () => {
      if (state.drafts[target]) { state.drafts[target].reason = reason.value; keep(reason); }
    });
    place.append(select, reason, wording);
    if (live && place.dataset.line)
      place.append(made("code", {className: "line", textContent: place.dataset.line}));
    const entry = {select, reason, wording, of, edits: JSON.parse(place.dataset.edits || "null")};
    controls.set(target, [...(controls.get(target) || []), entry]);
  };
  const revise = (target, entry, typing) => {
    // The author's own wording, edit by edit; what the patch will use.
    entry.areas?.forEach((area, at) => {
      if (area !== typing) area.value = state.drafts[target]?.edits?.[at]?.new ?? entry.edits[at].new;
    });
    if (entry.areas) return;
    entry.areas = entry.edits.map((edit, at) => {
      const area = made("textarea", {rows: 4, value: state.drafts[target]?.edits?.[at]?.new ?? edit.new});
      area.setAttribute("aria-label", `Your wording ${at + 1} for ${target}`);
      area.addEventListener("input", () => {
        if (!state.drafts[target]) return;
        const edits = (state.drafts[target].edits || entry.edits).map((one) => ({...one}));
        edits[at].new = area.value;
        state.drafts[target].edits = edits;
        keep(area);
      });
      entry.wording.append(made("small", {textContent: edit.old ? "in the place of: " + edit.old
        : "behind: " + edit.after}), area);
      return area;
    });
    if (!entry.edits.length)
      entry.wording.append(made("small", {textContent: "This proposal has no text yet. Write the edits"
        + " into review.yaml, or defer it."}));
  };

  // --- the bar at the bottom -----------------------------------------------------------------------
  const button = (text, act) => {
    const element = made("button", {type: "button", textContent: text});
    element.addEventListener("click", act);
    return element;
  };
  const name = made("input", {type: "text", placeholder: "your name or role", value: state.by, maxLength: 200});
  name.setAttribute("aria-label", "Your name or role");
  name.addEventListener("input", () => { state.by = name.value.trim(); keep(name); });
  const told = made("span", {});
  told.setAttribute("role", "status");
  const tell = (text) => { told.textContent = text; };
  const count = made("b", {});
  const bar = made("section", {className: "drafts", hidden: true}, count, name,
    button("Download review.yaml", () => ready() && download()),
    button("Copy", () => ready() && copy()));
  bar.setAttribute("aria-label", "Draft decisions");
  if (live) bar.append(button("Write into review.yaml", () => ready() && save()));
  bar.append(button("Discard", () => { state.drafts = {}; tell("Discarded."); keep(); }), told);

  const table = document.querySelector(".rp table.claims");
  if (table) {
    // All shown rows at once.
    const all = made("select", {});
    all.setAttribute("aria-label", "Decide on all shown rows");
    all.append(made("option", {value: "", textContent: "all shown rows …"}));
    for (const kind of ["P", "C"])
      for (const word of words[kind].filter((one) => one !== "revise"))
        all.append(made("option", {value: `${kind} ${word}`,
          textContent: `${word} the ${kind === "P" ? "proposals" : "findings"}`}));
    const why = made("input", {type: "text", placeholder: "why, for all of them", maxLength: 2000});
    why.setAttribute("aria-label", "Reason for all shown rows");
    all.addEventListener("change", () => {
      const [kind, word] = all.value.split(" ");
      for (const row of table.tBodies[0].rows) {
        if (row.hidden) continue;
        for (const place of row.querySelectorAll("[data-target]"))
          if (place.dataset.target.startsWith(kind)) choose(place.dataset.target, word, place.dataset.of, why.value);
      }
      all.value = "";
      keep();
    });
    document.querySelector(".rp .tools")?.append(all, why);
  }

  const changed = () => Object.keys(state.drafts).filter((target) =>
    controls.has(target) && controls.get(target)[0].of !== state.drafts[target].of);
  const ready = () => {
    if (!state.by) { tell("Write your name or role first."); name.focus(); return false; }
    const bare = Object.entries(state.drafts).find(([target, draft]) =>
      draft.decision === "revise" && !draft.edits?.length && target.startsWith("P"));
    if (bare) { tell(`${bare[0]} is to be revised: write your wording on the review or proposals page.`); return false; }
    return true;
  };
  const entries = () => Object.entries(state.drafts).map(([target, draft]) => ({
    target, decision: draft.decision, by: state.by, date: draft.date, reason: draft.reason || "",
    of: draft.of, edits: draft.decision === "revise" ? draft.edits : [],
  }));
  const yaml = () => entries().map((entry) => {
    // JSON is YAML, apart from what YAML takes for a line break or does not take at all.
    const quoted = (text) => JSON.stringify(String(text)).replace(
      /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
      (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
    const lines = [`- target: ${entry.target}`, `  decision: ${entry.decision}`,
      `  by: ${quoted(entry.by)}`, `  date: ${entry.date}`];
    if (entry.reason) lines.push(`  reason: ${quoted(entry.reason)}`);
    lines.push(`  of: ${quoted(entry.of)}`);
    if (entry.edits.length) lines.push("  edits:");
    for (const edit of entry.edits)
      lines.push(`    - ${edit.old != null ? `old: ${quoted(edit.old)}` : `after: ${quoted(edit.after)}`}`,
        `      new: ${quoted(edit.new)}`);
    return lines.join("\n");
  }).join("\n") + "\n";
  const download = () => {
    const url = URL.createObjectURL(new Blob([yaml()], {type: "application/yaml"}));
    made("a", {href: url, download: "review.yaml"}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    tell("Merge it with: researchpack review apply " + pack + " review.yaml");
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(yaml());
      tell("Copied.");
    } catch {
      tell("The browser did not allow it; download the file.");
    }
  };
  const save = async () => {
    try {
      const answer = await fetch(live.dataset.review, {
        method: "POST",
        headers: {"Content-Type": "application/json", "X-Review-Token": live.dataset.reviewToken},
        body: JSON.stringify({pack, decisions: entries()}),
      });
      const result = await answer.json();
      if (!answer.ok) { tell(result.error || "It was not written."); return; }
      for (const target of [...result.added, ...result.already]) delete state.drafts[target];
      tell([`Written: ${result.added.join(", ") || "nothing"}.`, ...result.refused, ...result.conflicts].join(" "));
      // The page loads again when the site was built again.
      try { sessionStorage.setItem(`${store}:told`, told.textContent); } catch { /* said already */ }
      keep();
    } catch {
      tell("The server did not answer; the drafts are kept.");
    }
  };

  const draw = (typing = null) => {
    const number = Object.keys(state.drafts).length;
    const old = changed();
    if (name !== typing) name.value = state.by;
    bar.hidden = !number && !told.textContent;
    count.textContent = `${number} ${number === 1 ? "draft" : "drafts"}` +
      (old.length ? `; changed since, decide again: ${old.join(", ")}` : "");
    for (const [target, list] of controls)
      for (const entry of list) {
        const draft = state.drafts[target];
        entry.select.value = draft?.decision || "";
        entry.select.classList.toggle("drafted", Boolean(draft));
        entry.reason.hidden = !draft;
        if (entry.reason !== typing) entry.reason.value = draft?.reason || "";
        const own = draft?.decision === "revise" && entry.edits;
        entry.wording.hidden = !own;
        if (own) revise(target, entry, typing);
      }
  };
  document.querySelectorAll(".rp [data-target]").forEach(control);
  document.querySelector(".rp").append(bar);
  try {
    told.textContent = sessionStorage.getItem(`${store}:told`) || "";
    sessionStorage.removeItem(`${store}:told`);
  } catch { /* nothing was kept */ }
  addEventListener("storage", (event) => { if (event.key === store) { state = load(); draw(); } });
  draw();
})();
