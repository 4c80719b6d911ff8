// Searches the runs and changes the colours. The page reads as well without.
(() => {
  "use strict";
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => { theme.textContent = dark() ? "Light mode" : "Dark mode"; };
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name(); });
  system.addEventListener("change", name);
  name();
  theme.hidden = false;

  const form = document.getElementById("filter");
  if (!form) return;
  const words = document.getElementById("words");
  const count = document.getElementById("count");
  const runs = Array.from(document.getElementById("list").children, (el) => ({ el, text: el.textContent.toLowerCase() }));
  const search = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const r of runs) {
      r.el.hidden = !wanted.every((w) => r.text.includes(w));
      shown += r.el.hidden ? 0 : 1;
    }
    count.textContent = `${shown} of ${runs.length} runs`;
  };
  words.addEventListener("input", search);
  form.addEventListener("submit", (e) => e.preventDefault());
  search();
  form.hidden = false;
})();
