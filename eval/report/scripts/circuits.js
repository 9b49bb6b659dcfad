"use strict";

/* The table of the circuits in the explorer's plot. */
const CONDITIONS = {
  nbits: ["Width", (value) => `${value} bits`],
  library: ["Library", (value) => value],
  clock_ns: ["Clock (ns)", (value) => `for a clock of ${value} ns`],
};
const CHOICES = { stage: "Stage", multiplier: "Multiplier", schedule: "Schedule", choices: "Choices" };
const FEW = 4;

/* Allows line breaks in a name. */
function breakable(text) {
  return text.split(/(?<=_)(?=.)/).flatMap((part, index) => (index ? [make("wbr"), part] : [part]));
}

/* Allows one line break in a heading, at about its middle. */
function twoLines(text) {
  const breaks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const far = (index) => Math.abs(index - text.length / 2);
  const best = breaks.sort((one, other) => far(one) - far(other))[0];
  return [...text].map((letter, index) => (letter === " " && index !== best ? "\u00a0" : letter)).join("");
}

class Circuits {
  constructor(data, open) {
    this.data = data;
    this.open = open;
    this.table = document.getElementById("explorer-table");
    this.about = document.getElementById("explorer-about");
    this.leftOut = document.getElementById("left-out");
    const values = (name) => [...new Set(data.columns[name])];
    const varied = (name) => values(name).length > 1;
    this.conditions = Object.keys(CONDITIONS).filter(varied);
    this.choices = Object.keys(CHOICES).filter(varied);
    this.common = Object.entries(CONDITIONS)
      .filter(([name]) => !varied(name) && values(name)[0] !== null)
      .map(([name, [, say]]) => say(values(name)[0]));
  }

  /* Columns: the design, conditions that are numbers, figures, and last the long texts. */
  makeHead(figures, operation) {
    this.figures = figures;
    const head = (text, unit, kind) => {
      const label = unit && unit !== text.toLowerCase() ? [`${twoLines(text)} `, make("small", {}, unit)] : [twoLines(text)];
      return make("th", { scope: "col", class: kind }, ...label);
    };
    const cells = [
      head("Design", "", "text"),
      ...this.conditions.map((name) => head(CONDITIONS[name][0], "", name === "library" && "text")),
      ...figures.map(({ quantity }) => head(quantity.label, quantity.unit)),
      ...this.choices.map((name) => head(CHOICES[name], "", "text")),
    ];
    this.table.tHead.replaceChildren(make("tr", {}, ...cells));
    makeSortable(this.table);
    const own = figures.filter((figure) => figure.ofOperation).map(({ quantity }) => quantity.label.toLowerCase());
    const sentences = [];
    if (this.common.length) sentences.push(`All circuits: ${this.common.join(", ")}.`);
    if (own.length) sentences.push(`Of ${/^[aeiou]/.test(operation) ? "an" : "a"} ${operation}: ${listed(own)}.`);
    this.about.textContent = sentences.join(" ");
  }

  fill(rows) {
    const columns = this.data.columns;
    const words = (name, value) => (this.data.words[name] || {})[value] || value;
    this.table.tBodies[0].replaceChildren(...rows.map((row) => {
      const subject = columns.subject[row];
      const link = make("a", { href: `#design-${subject}` }, ...breakable(subject));
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.open(row);
      });
      const text = (name, value) => make("td", { class: `text ${name}`, title: value || undefined },
        String(words(name, value) || "").replace(/,(?=\S)/g, ", "));
      return make("tr", { "data-row": row },
        make("th", { scope: "row" }, dot(this.data.colours[subject], columns.form[row]), link),
        ...this.conditions.map((name) => name === "library"
          ? text(name, columns[name][row])
          : make("td", {}, columns[name][row] === null ? "" : String(columns[name][row]))),
        ...this.figures.map(({ values, quantity }) => make("td", {}, number(values[row], quantity.digits))),
        ...this.choices.map((name) => text(name, columns[name][row])),
      );
    }));
    sortAgain(this.table);
  }

  /* Lists the circuits that are not shown, by reason. */
  sayLeftOut(reasons) {
    const lines = [];
    for (const [why, rows] of reasons) {
      const counts = new Map();
      for (const row of rows) {
        const subject = this.data.columns.subject[row];
        counts.set(subject, (counts.get(subject) || 0) + 1);
      }
      const names = [...counts].map(([name, count]) => (count > 1 ? `${name} (${count} circuits)` : name));
      lines.push([counts.size, `Not shown ${why}: ${names.join(", ")}.`]);
    }
    const total = [...reasons.values()].reduce((sum, rows) => sum + rows.length, 0);
    const many = lines.reduce((sum, [count]) => sum + count, 0) > FEW;
    const texts = lines.map(([, text]) => make("p", {}, text));
    this.leftOut.replaceChildren(
      ...(many ? [make("details", {}, make("summary", {}, `Which ${total} are not shown, and why`), ...texts)] : texts),
    );
  }
}
