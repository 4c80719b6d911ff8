// Filters the cases and changes the colours. The page reads as well without.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);

  const theme = $("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => { theme.textContent = dark() ? "Light mode" : "Dark mode"; };
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
  theme.hidden = false;

  const form = $("filter");
  if (!form) return;
  const cases = Array.from($("list").children, (el) => ({
    el,
    text: null, // made when it is first searched
    parts: Array.from(el.querySelectorAll(".part"), (part) => ({
      el: part,
      group: part.dataset.g,
      runs: Array.from(part.querySelectorAll(".run"), (run) => ({
        el: run,
        agent: run.dataset.a,
        bad: run.classList.contains("bad"),
      })),
    })),
  }));

  const says = (c, words) => {
    c.text ??= c.el.textContent.toLowerCase();
    return words.every((w) => c.text.includes(w));
  };

  // A row is shown if it is all that is asked for, a case if one of its rows is.
  const filter = () => {
    const words = $("text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const group = $("group").value;
    const agent = $("agent")?.value ?? "";
    const bad = $("bad").checked;
    let shown = 0;
    for (const c of cases) {
      let any = false;
      for (const part of c.parts) {
        let some = false;
        for (const run of part.runs) {
          const is = (group === "" || part.group === group) && (agent === "" || run.agent === agent) && (!bad || run.bad);
          run.el.hidden = !is;
          some ||= is;
        }
        part.el.hidden = !some;
        any ||= some;
      }
      any &&= says(c, words);
      c.el.hidden = !any;
      shown += any;
    }
    $("count").textContent = shown === cases.length ? `${shown} cases.` : `${shown} of ${cases.length} cases.`;
  };

  let due;
  form.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(filter, 100);
  });
  form.addEventListener("submit", (e) => e.preventDefault());
  form.hidden = false;
  filter(); // a reloaded page keeps what was typed
})();
