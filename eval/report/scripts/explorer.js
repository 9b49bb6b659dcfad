"use strict";

/* The plot over everything that was measured, its filters, and the table of what it shows. */
class Explorer {
  constructor(data, open) {
    this.data = data;
    this.open = open;
    this.rows = data.columns.subject.map((_, index) => index);
    this.chosen = Object.fromEntries(Object.keys(data.filters).map((name) => [name, new Set()]));
    this.hidden = new Set();
    this.selected = null;
    this.place = document.getElementById("explorer-plot");
    this.table = document.getElementById("explorer-table");
    this.makeControls();
    this.makeFilters();
    this.makeHead();
    this.update();
    this.place.on("plotly_click", ({ points }) => this.open(points[0].customdata));
    this.place.on("plotly_selected", (event) => {
      this.selected = event ? new Set(event.points.map((point) => point.customdata)) : null;
      this.fill();
    });
    this.place.on("plotly_deselect", () => {
      this.selected = null;
      this.fill();
    });
    this.place.on("plotly_legendclick", ({ data, curveNumber }) => this.toggle(data[curveNumber].name));
    this.place.on("plotly_legenddoubleclick", ({ data, curveNumber }) => this.isolate(data[curveNumber].name));
  }

  /* A figure of an operation where it has one for each, otherwise the hardware's. */
  figure(name) {
    const own = this.data.columns[`${this.operation.value}_${name}`];
    return own || this.data.columns[name];
  }

  ofOperation(name) {
    return `${this.operation.value}_${name}` in this.data.columns;
  }

  title(name) {
    const operation = this.ofOperation(name) ? this.operation.value : "";
    return columnTitle(this.data.quantities[name], operation);
  }

  makeControls() {
    const find = (id) => document.getElementById(id);
    [this.x, this.y, this.operation] = ["axis-x", "axis-y", "operation"].map(find);
    [this.logarithmic, this.front] = ["logarithmic", "front"].map(find);
    const operations = this.data.operations;
    this.operation.append(...operations.map((name) => make("option", { value: name }, name)));
    this.operation.value = operations[operations.length - 1];
    for (const [select, name] of [[this.x, "time_us"], [this.y, "area_um2"]]) {
      for (const [key, quantity] of Object.entries(this.data.quantities)) {
        if (!(this.figure(key) || []).some((value) => value !== null)) continue;
        select.append(make("option", { value: key }, headed(quantity)));
      }
      select.value = name;
    }
    for (const control of [this.x, this.y, this.operation, this.logarithmic, this.front]) {
      control.addEventListener("change", () => {
        if (control === this.operation) this.makeHead();
        this.update();
      });
    }
    document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("controls").hidden = false;
  }

  makeFilters() {
    const place = document.getElementById("filters");
    for (const [name, label] of Object.entries(this.data.filters)) {
      const values = [...new Set(this.data.columns[name])].filter((value) => value !== null);
      values.sort(compare);
      if (values.length < 2) continue;
      const group = make("fieldset", { class: "chips" }, make("legend", {}, label));
      for (const value of values) {
        const box = make("input", { type: "checkbox", "data-filter": name, value });
        group.append(make("label", {}, box, String(value)));
        box.addEventListener("change", () => {
          this.chosen[name][box.checked ? "add" : "delete"](value);
          this.selected = null;
          this.update();
        });
      }
      place.append(group);
    }
  }

  makeHead() {
    const names = ["Design", "Width", "Choices", "Library", "Clock (ns)", "Multiplier", "Schedule"];
    this.figures = Object.keys(this.data.quantities).filter((name) =>
      (this.figure(name) || []).some((value) => value !== null),
    );
    names.push(...this.figures.map((name) => this.title(name)));
    const texts = new Set(["Design", "Choices", "Library", "Multiplier", "Schedule"]);
    const cells = names.map((name) =>
      make("th", { scope: "col", class: texts.has(name) ? "text" : undefined }, name),
    );
    this.table.tHead.replaceChildren(make("tr", {}, ...cells));
    makeSortable(this.table);
  }

  passes(row) {
    return Object.entries(this.chosen).every(
      ([name, values]) => !values.size || values.has(this.data.columns[name][row]),
    );
  }

  /* Rows that filters leave and that have both figures. */
  shown() {
    const [x, y] = [this.figure(this.x.value), this.figure(this.y.value)];
    return this.rows.filter((row) => this.passes(row) && x[row] !== null && y[row] !== null);
  }

  trace(subject, rows) {
    const columns = this.data.columns;
    const [x, y] = [this.figure(this.x.value), this.figure(this.y.value)];
    const symbols = {
      measured: "circle",
      "simulated in part": "square",
      estimated: "circle-open",
      projected: "diamond-open",
    };
    return {
      type: "scatter",
      mode: "markers",
      name: subject,
      x: rows.map((row) => x[row]),
      y: rows.map((row) => y[row]),
      customdata: rows,
      text: rows.map((row) => this.about(row)),
      hovertemplate: `<b>%{text}</b><br>${this.title(this.x.value)}: %{x:,.5~g}<br>${this.title(this.y.value)}: %{y:,.5~g}<extra></extra>`,
      visible: this.hidden.has(subject) ? "legendonly" : true,
      marker: {
        color: this.data.colours[subject],
        size: rows.map((row) => 6 + 1.1 * Math.log2(columns.nbits[row] / 4)),
        symbol: rows.map((row) => symbols[columns.kind[row]] || "circle"),
        opacity: 0.9,
      },
    };
  }

  about(row) {
    const { subject, nbits, choices, library, clock_ns: clock, kind } = this.data.columns;
    const parts = [`${subject[row]}, ${nbits[row]} bits`, choices[row], library[row]];
    if (clock[row] !== null) parts.push(`for ${clock[row]} ns`);
    if (kind[row] !== "measured") parts.push(kind[row]);
    return parts.filter(Boolean).join(", ").replace(/,(?=\S)/g, ", ");
  }

  /* What nothing of the same width and library beats in both figures. */
  fronts(rows) {
    const groups = new Map();
    const { nbits, library, form } = this.data.columns;
    const [x, y] = [this.figure(this.x.value), this.figure(this.y.value)];
    for (const row of rows) {
      const key = `${nbits[row]} bits, ${library[row] || "no library"}, ${form[row]}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    const found = [];
    for (const [key, group] of groups) {
      group.sort((one, other) => x[one] - x[other] || y[one] - y[other]);
      const best = [];
      for (const row of group) {
        if (!best.length || y[row] < y[best[best.length - 1]]) best.push(row);
      }
      if (best.length > 1) found.push([key, best]);
    }
    return found.map(([key, best]) => ({
      type: "scatter",
      mode: "lines",
      name: key,
      x: best.map((row) => x[row]),
      y: best.map((row) => y[row]),
      line: { color: "rgba(128,128,128,.65)", width: 1, dash: "dot" },
      hoverinfo: "skip",
      showlegend: false,
    }));
  }

  update() {
    const rows = this.shown();
    const bySubject = new Map();
    for (const row of rows) {
      const subject = this.data.columns.subject[row];
      if (!bySubject.has(subject)) bySubject.set(subject, []);
      bySubject.get(subject).push(row);
    }
    const seen = rows.filter((row) => !this.hidden.has(this.data.columns.subject[row]));
    const traces = this.front.checked ? this.fronts(seen) : [];
    for (const [subject, own] of bySubject) traces.push(this.trace(subject, own));
    const type = this.logarithmic.checked ? "log" : "linear";
    const narrow = this.place.clientWidth < 620;
    const axis = (name) => ({
      title: { text: this.title(name), standoff: 8 },
      type,
      rangemode: "tozero",
      automargin: true,
      zeroline: false,
      gridcolor: "rgba(128,128,128,.22)",
      dtick: type === "log" ? "D2" : undefined,
      exponentformat: "power",
    });
    draw(this.place, traces, {
      xaxis: axis(this.x.value),
      yaxis: axis(this.y.value),
      height: narrow ? 420 + 22 * bySubject.size : Math.max(560, 110 + 19 * bySubject.size),
      dragmode: "zoom",
      hovermode: "closest",
      showlegend: true,
      legend: narrow ? { ...BELOW, font: { size: 11 } } : { font: { size: 11 } },
      margin: { l: 70, r: 12, t: 30, b: 54 },
      uirevision: `${this.x.value} ${this.y.value} ${type}`,
    }, { modeBarButtonsToAdd: ["select2d", "lasso2d"] });
    this.fill();
  }

  /* A click on the legend hides a design, in the table and from the fronts, too. */
  toggle(subject) {
    this.hidden[this.hidden.has(subject) ? "delete" : "add"](subject);
    this.update();
    return false; // Plotly has nothing left to do
  }

  /* A double click hides all others, or shows all. */
  isolate(subject) {
    const others = new Set(this.data.columns.subject.filter((name) => name !== subject));
    const alone = [...others].every((name) => this.hidden.has(name));
    this.hidden = alone ? new Set() : others;
    this.update();
    return false;
  }

  fill() {
    const columns = this.data.columns;
    const rows = this.shown().filter(
      (row) =>
        !this.hidden.has(columns.subject[row]) && (!this.selected || this.selected.has(row)),
    );
    const figures = this.figures.map((name) => [this.figure(name), this.data.quantities[name].digits]);
    this.table.tBodies[0].replaceChildren(...rows.map((row) => {
      const dot = make("span", { class: "dot", style: `background: ${this.data.colours[columns.subject[row]]}` });
      const link = make("a", { href: `#design-${columns.subject[row]}` }, columns.subject[row]);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.open(row);
      });
      const texts = [columns.choices, columns.library].map((column) => make("td", { class: "text" }, column[row] || ""));
      const axes = [columns.multiplier, columns.schedule].map((column) => make("td", { class: "text" }, column[row] || ""));
      return make("tr", { "data-row": row },
        make("th", { scope: "row" }, dot, link),
        make("td", {}, String(columns.nbits[row])),
        texts[0], texts[1],
        make("td", {}, columns.clock_ns[row] === null ? "" : String(columns.clock_ns[row])),
        ...axes,
        ...figures.map(([column, digits]) => make("td", {}, number(column[row], digits))),
      );
    }));
    sortAgain(this.table);
    document.getElementById("counted").textContent =
      `${rows.length} of ${this.rows.length} circuits are shown. A click on a name in the legend hides a design, two show it alone; a click on a point opens its card, a frame around points chooses them.`;
  }
}
