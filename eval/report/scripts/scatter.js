"use strict";

/* Marks of the explorer's plot: the shape shows the form of a circuit, the fill the kind of its
   figures. */
const FORMS = ["design", "system", "multiplier", "other"];
const SHAPES = { design: "circle", system: "diamond", multiplier: "triangle-up", other: "cross" };
const FILLS = { measured: "", "simulated in part": "-dot", estimated: "-open", projected: "-open-dot" };
const DASHES = { design: "dot", system: "dash", multiplier: "longdash", other: "dashdot" };
const FRONT_COLOUR = "rgb(128,128,128)";

const SAID = {
  design: "a circle is a design on its own",
  system: "a diamond is a system: the processor, with the design of the same colour beside it",
  multiplier: "a triangle is a multiplier on its own",
  other: "a cross is something else",
};
const FILLED = {
  measured: "filled marks are measured",
  "simulated in part": "marks with a dot have an energy that is simulated in part",
  estimated: "hollow marks are estimated",
  projected: "hollow marks with a dot are projected",
};
const DASHED = { design: "dotted", system: "dashed", multiplier: "long-dashed", other: "dash-dotted" };

/* Joins parts of a sentence: "a, b and c". */
function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

class Scatter {
  /* Values on the axes by row; names of the axes; data on the rows. */
  constructor(data, { x, y, titles }) {
    this.data = data;
    this.columns = data.columns;
    [this.x, this.y, this.titles] = [x, y, titles];
  }

  about(row) {
    const { subject, nbits, choices, library, clock_ns: clock, stage, kind } = this.columns;
    const parts = [`${subject[row]}, ${nbits[row]} bits`, choices[row], library[row]];
    if (clock[row] !== null) parts.push(`for ${clock[row]} ns`);
    if (stage[row]) parts.push(stage[row]);
    if (kind[row] !== "measured") parts.push(kind[row]);
    return parts.filter(Boolean).join(", ").replace(/,(?=\S)/g, ", ");
  }

  /* Traces of the rows, form by form: the fronts of the form, then its subjects. */
  traces(rows, hidden, withFronts) {
    const found = [];
    for (const form of FORMS) {
      const own = rows.filter((row) => this.columns.form[row] === form);
      const seen = own.filter((row) => !hidden.has(this.columns.subject[row]));
      const bySubject = new Map();
      for (const row of own) {
        const subject = this.columns.subject[row];
        if (!bySubject.has(subject)) bySubject.set(subject, []);
        bySubject.get(subject).push(row);
      }
      const traces = withFronts ? this.fronts(seen, form) : [];
      for (const [subject, of] of bySubject) traces.push(this.trace(subject, of, form, hidden));
      if (traces.length) traces[0].legendgrouptitle = { text: this.data.words.form[form] };
      found.push(...traces);
    }
    return found;
  }

  trace(subject, rows, form, hidden) {
    const { nbits, kind } = this.columns;
    return {
      type: "scatter",
      mode: "markers",
      name: subject,
      legendgroup: form,
      x: rows.map((row) => this.x[row]),
      y: rows.map((row) => this.y[row]),
      customdata: rows,
      text: rows.map((row) => this.about(row)),
      hovertemplate: `<b>%{text}</b><br>${this.titles[0]}: %{x:,.5~g}<br>${this.titles[1]}: %{y:,.5~g}<extra></extra>`,
      visible: hidden.has(subject) ? "legendonly" : true,
      marker: {
        color: this.data.colours[subject],
        size: rows.map((row) => 7 + 1.1 * Math.log2(nbits[row] / 4)),
        symbol: rows.map((row) => SHAPES[form] + (FILLS[kind[row]] || "")),
        opacity: 0.9,
      },
    };
  }

  /* Rows that no other row of the same form, width, library and stage beats in both figures. */
  fronts(rows, form) {
    const groups = new Map();
    const { nbits, library, stage } = this.columns;
    for (const row of rows) {
      const key = `${nbits[row]} bits, ${library[row] || "no library"}, ${stage[row]}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    const found = [];
    for (const group of groups.values()) {
      group.sort((one, other) => this.x[one] - this.x[other] || this.y[one] - this.y[other]);
      const best = [];
      for (const row of group) {
        if (!best.length || this.y[row] < this.y[best[best.length - 1]]) best.push(row);
      }
      if (best.length > 1) found.push(best);
    }
    return found.map((best, index) => ({
      type: "scatter",
      mode: "lines",
      name: `front of the ${this.data.words.form[form]}`,
      legendgroup: form,
      legendrank: 2000,
      x: best.map((row) => this.x[row]),
      y: best.map((row) => this.y[row]),
      line: { color: FRONT_COLOUR, width: 1.4, dash: DASHES[form] },
      hoverinfo: "skip",
      showlegend: !index,
    }));
  }

  /* Sentence on the meaning of the marks and lines of these rows. */
  caption(rows, withFronts) {
    const there = (column, known) => known.filter((name) => rows.some((row) => column[row] === name));
    const forms = there(this.columns.form, FORMS);
    const kinds = there(this.columns.kind, Object.keys(FILLS));
    const sentences = [`Each point is a circuit: ${listed(forms.map((form) => SAID[form]))}.`];
    if (kinds.some((kind) => kind !== "measured")) {
      const filled = listed(kinds.map((kind) => FILLED[kind]));
      sentences.push(`${filled[0].toUpperCase()}${filled.slice(1)}.`);
    }
    if (withFronts && forms.length) {
      const of = (form) => `the front of the ${this.data.words.form[form]} is ${DASHED[form]}`;
      sentences.push(`A front joins the circuits of one width, library and stage that no other one beats in both figures; ${listed(forms.map(of))}.`);
      if (forms.includes("design") && forms.includes("system")) {
        sentences.push("These fronts are not to be compared: a system has the area and the cycles of its processor besides.");
      }
    }
    return sentences.join(" ");
  }
}

/* Axis with plain numbers: 50,000 rather than a small 5 below 10⁵. A logarithmic axis over more than
   a decade has ticks at 1, 2 and 5 of each decade. */
function axis(title, type, values) {
  const within = Math.max(...values) < 9 * Math.min(...values);
  return {
    title: { text: title, standoff: 8 },
    type,
    rangemode: "tozero",
    automargin: true,
    zeroline: false,
    gridcolor: "rgba(128,128,128,.22)",
    tickformat: ",.10~r",
    nticks: type === "log" ? (within ? 6 : 3) : 9,
  };
}
