"use strict";

/* Tables that are sorted by a click on a column's heading. */
function sortKey(cell) {
  const text = cell.textContent.trim();
  if (!text) return null;
  const plain = Number(text.replace(/,/g, ""));
  return Number.isNaN(plain) ? text : plain;
}

function compare(one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

function sortBy(table, index, direction) {
  const body = table.tBodies[0];
  const keyed = [...body.rows].map((row) => [sortKey(row.cells[index]), row]);
  keyed.sort(([one], [other]) =>
    one === null || other === null ? compare(one, other) : direction * compare(one, other),
  );
  body.append(...keyed.map(([, row]) => row));
}

function makeSortable(table) {
  for (const [index, heading] of [...table.tHead.rows[0].cells].entries()) {
    const button = make("button", { type: "button", class: "sort" }, ...heading.childNodes);
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortBy(table, index, down ? -1 : 1);
    });
  }
}

/* Repeats the last sort after rows have changed. */
function sortAgain(table) {
  for (const [index, heading] of [...table.tHead.rows[0].cells].entries()) {
    const order = heading.getAttribute("aria-sort");
    if (order) sortBy(table, index, order === "descending" ? -1 : 1);
  }
}

/* Shows and hides columns in all tables and plots of a document. */
function makeSeries(section) {
  for (const button of section.querySelectorAll("button[data-toggle]")) {
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", shown);
      const name = CSS.escape(button.dataset.toggle);
      for (const element of section.querySelectorAll(`[data-series="${name}"]`)) {
        element.classList.toggle("gone", !shown);
      }
    });
  }
}

/* Marks the section that the reader sees in the table of contents. */
function followContents(nav) {
  const links = [...nav.querySelectorAll("a[href^='#']")];
  const places = links.map((link) => document.getElementById(link.hash.slice(1)));
  const follow = () => {
    let here = 0;
    places.forEach((place, index) => {
      if (place && place.getBoundingClientRect().top < 120) here = index;
    });
    links.forEach((link, index) => link.classList.toggle("here", index === here));
  };
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      follow();
    });
  }, { passive: true });
  follow();
  const folded = nav.querySelector("details");
  const narrow = matchMedia("(max-width: 67.99rem)");
  const fold = () => (folded.open = !narrow.matches);
  narrow.addEventListener("change", fold);
  fold();
  for (const link of links) {
    link.addEventListener("click", () => narrow.matches && (folded.open = false));
  }
}
