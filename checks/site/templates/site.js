// Filters, the key `/`, copied commands, and neighbours in the graph. Pages are whole without it.
"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const search = document.getElementById("search");
  const filters = document.querySelector(".filters");
  const field = filters ? filters.querySelector("input") : search;

  function setUp(bar) {
    const list = document.querySelector(".list");
    const rows = all(list.tagName === "TABLE" ? "tbody tr" : ".row", list);
    const texts = rows.map((row) => `${row.textContent} ${row.dataset.text || ""}`.toLowerCase());
    const chips = all(".chip", bar);
    const count = bar.querySelector(".count");
    const key = (chip) => chip.dataset.name.replace(/ (.)/g, (_, letter) => letter.toUpperCase());

    function apply() {
      const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = {};
      for (const chip of chips) {
        if (chip.getAttribute("aria-pressed") === "true") (chosen[key(chip)] ||= []).push(chip.dataset.value);
      }
      let shown = 0;
      rows.forEach((row, i) => {
        const fits = wanted.every((word) => texts[i].includes(word)) &&
          Object.entries(chosen).every(([name, values]) =>
            values.some((value) => (row.dataset[name] || "").split(" ").includes(value)));
        row.hidden = !fits;
        shown += fits;
      });
      count.textContent = `${shown} of ${rows.length} ${bar.dataset.noun}`;
    }

    const asked = new URLSearchParams(location.search);
    field.value = asked.get("q") || "";
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", asked.getAll(chip.dataset.name).includes(chip.dataset.value));
      chip.addEventListener("click", () => {
        chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") !== "true");
        apply();
      });
    }
    field.addEventListener("input", apply);
    apply();
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.scrollIntoView();
  }
  if (filters) setUp(filters);

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && document.activeElement === field) {
      field.value = "";
      field.dispatchEvent(new Event("input"));
      field.blur();
    }
  });

  for (const button of all(".copy")) {
    button.addEventListener("click", async () => {
      const text = button.dataset.copy;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        const selection = getSelection();
        selection.selectAllChildren(button.previousElementSibling);
        document.execCommand("copy");
      }
      button.textContent = "copied";
    });
  }

  for (const graph of all("svg.graph")) {
    const near = (id) => {
      graph.classList.toggle("choosing", id !== null);
      const names = new Set([id]);
      for (const edge of all(".edge", graph)) {
        const ends = [edge.dataset.from, edge.dataset.to];
        edge.classList.toggle("near", ends.includes(id));
        if (ends.includes(id)) ends.forEach((end) => names.add(end));
      }
      for (const node of all(".node", graph)) node.classList.toggle("near", names.has(node.dataset.id));
    };
    for (const node of all(".node", graph)) {
      for (const begin of ["mouseenter", "focus"]) node.addEventListener(begin, () => near(node.dataset.id));
      for (const end of ["mouseleave", "blur"]) node.addEventListener(end, () => near(null));
    }
  }

  addEventListener("beforeprint", () => all("details:not([open])").forEach((details) => {
    if (!document.body.classList.contains("paper")) details.open = true;
  }));
})();
