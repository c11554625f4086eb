// Keys of one letter can be switched off, ours and the theme's: they are in the way of who speaks to
// the computer, or hits keys by chance.
(() => {
  const store = "researchpack:keys";
  let off = false;
  try { off = localStorage.getItem(store) === "off"; } catch { /* they are on */ }
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (off && !typing && event.key.length === 1 && event.key !== " ") event.stopImmediatePropagation();
  }, true);
  addEventListener("load", () => {
    for (const hint of document.querySelectorAll(".rp .keys")) {
      const button = Object.assign(document.createElement("button"), {type: "button"});
      const draw = () => { button.textContent = off ? "Switch keys on" : "Switch keys off"; };
      button.addEventListener("click", () => {
        off = !off;
        try { localStorage.setItem(store, off ? "off" : "on"); } catch { /* for this page only */ }
        draw();
      });
      draw();
      hint.append(" ", button);
    }
  });
})();

// Keys on the chapter page: from claim to claim, and its card open or closed. Without this script
// everything on the page works all the same.
(() => {
  const chapter = document.querySelector(".rp .chapter");
  if (!chapter) return;
  const marks = [...chapter.querySelectorAll("mark[id]")];
  const hint = document.querySelector(".rp .keys");
  if (!marks.length) return;
  if (hint) hint.hidden = false;
  let at = -1;

  const card = (mark) => document.getElementById(`card-${mark.id}`)?.closest("details");
  const here = () => {
    // The claim that was chosen last, or the first one below the top of the window.
    const named = marks.findIndex((mark) => `#${mark.id}` === location.hash);
    if (at >= 0) return at;
    if (named >= 0) return named;
    return marks.findIndex((mark) => mark.getBoundingClientRect().bottom > 80) - 1;
  };
  const go = (step) => {
    at = Math.min(Math.max(here() + step, 0), marks.length - 1);
    const mark = marks[at];
    history.replaceState(null, "", `#${mark.id}`);
    marks.forEach((other) => other.classList.toggle("now", other === mark));
    mark.scrollIntoView({block: "center"});
    card(mark)?.querySelector("summary")?.focus({preventScroll: true});
  };
  const toggle = (open) => {
    const details = card(marks[Math.max(here(), 0)]);
    if (details) details.open = open ?? !details.open;
  };

  const keys = {
    j: () => go(1),
    n: () => go(1),
    k: () => go(-1),
    p: () => go(-1),
    o: () => toggle(),
    Escape: () => toggle(false),
  };
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }, true);
})();

// A button that copies what it names. It is hidden where it could do nothing.
(() => {
  for (const button of document.querySelectorAll(".rp button[data-copies]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copies).textContent;
      const told = button.parentElement.querySelector(".copied");
      try {
        await navigator.clipboard.writeText(text);
        told.textContent = "copied";
      } catch {
        told.textContent = "the browser did not allow it; select the text";
      }
    });
  }
})();
