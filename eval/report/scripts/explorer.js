"use strict";

/* The explorer: a plot of all measured circuits, its filters, and a table of the shown circuits. */
class Explorer {
  constructor(data, open) {
    this.data = data;
    this.open = open;
    this.rows = data.columns.subject.map((_, index) => index);
    this.chosen = Object.fromEntries(Object.keys(data.filters).map((name) => [name, new Set()]));
    this.hidden = new Set();
    this.selected = null;
    this.place = document.getElementById("explorer-plot");
    this.circuits = new Circuits(data, open);
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
    const named = ({ data, curveNumber }) => data[curveNumber].name;
    this.place.on("plotly_legendclick", (event) => this.toggle(named(event)));
    this.place.on("plotly_legenddoubleclick", (event) => this.isolate(named(event)));
  }

  /* Column of a figure: of the chosen operation if it has one for each, else of the hardware. */
  figure(name) {
    const own = this.data.columns[`${this.operation.value}_${name}`];
    return own || this.data.columns[name];
  }

  ofOperation(name) {
    return `${this.operation.value}_${name}` in this.data.columns;
  }

  title(name) {
    const operation = this.ofOperation(name) ? this.data.operations[this.operation.value] : "";
    return columnTitle(this.data.quantities[name], operation);
  }

  makeControls() {
    const find = (id) => document.getElementById(id);
    [this.x, this.y, this.operation] = ["axis-x", "axis-y", "operation"].map(find);
    [this.logarithmic, this.front] = ["logarithmic", "front"].map(find);
    const operations = Object.entries(this.data.operations);
    this.operation.append(...operations.map(([name, words]) => make("option", { value: name }, words)));
    this.operation.value = operations[operations.length - 1][0];
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
      const words = this.data.words[name] || {};
      for (const value of values) {
        const box = make("input", { type: "checkbox", "data-filter": name, value });
        group.append(make("label", { title: words[value] && value }, box, words[value] || String(value)));
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
    const figures = Object.entries(this.data.quantities)
      .map(([name, quantity]) => ({ quantity, values: this.figure(name) || [], ofOperation: this.ofOperation(name) }))
      .filter(({ values }) => values.some((value) => value !== null));
    this.circuits.makeHead(figures, this.data.operations[this.operation.value]);
  }

  passes(row) {
    return Object.entries(this.chosen).every(
      ([name, values]) => !values.size || values.has(this.data.columns[name][row]),
    );
  }

  lacking(row) {
    return [this.x, this.y].filter((select) => this.figure(select.value)[row] === null);
  }

  /* Rows that pass the filters and have both figures. */
  shown() {
    return this.rows.filter((row) => this.passes(row) && !this.lacking(row).length);
  }

  update() {
    const rows = this.shown();
    const scatter = new Scatter(this.data, {
      x: this.figure(this.x.value),
      y: this.figure(this.y.value),
      titles: [this.title(this.x.value), this.title(this.y.value)],
    });
    const traces = scatter.traces(rows, this.hidden, this.front.checked);
    const type = this.logarithmic.checked ? "log" : "linear";
    const narrow = this.place.clientWidth < 620;
    const entries = traces.filter((trace) => trace.showlegend !== false).length + FORMS.length;
    draw(this.place, traces, {
      xaxis: axis(scatter.titles[0], type, rows.map((row) => scatter.x[row])),
      yaxis: axis(scatter.titles[1], type, rows.map((row) => scatter.y[row])),
      height: narrow ? 420 + 22 * entries : Math.max(560, 110 + 19 * entries),
      dragmode: narrow ? false : "zoom", // a finger scrolls the page
      hovermode: "closest",
      showlegend: true,
      legend: { ...(narrow ? BELOW : {}), font: { size: 11 }, groupclick: "toggleitem", itemsizing: "constant" },
      margin: { l: 70, r: 12, t: 30, b: 54 },
      uirevision: `${this.x.value} ${this.y.value} ${type}`,
    }, { modeBarButtonsToAdd: ["select2d", "lasso2d"] });
    document.getElementById("explorer-caption").textContent = scatter.caption(rows, this.front.checked);
    this.fill();
  }

  /* A click on the legend hides a design, in the table and from the fronts, too. */
  toggle(subject) {
    if (!this.data.columns.subject.includes(subject)) return false; // a front
    this.hidden[this.hidden.has(subject) ? "delete" : "add"](subject);
    this.update();
    return false; // the click is handled: Plotly must not handle it, too
  }

  /* A double click hides all others, or shows all. */
  isolate(subject) {
    if (!this.data.columns.subject.includes(subject)) return false;
    const others = new Set(this.data.columns.subject.filter((name) => name !== subject));
    const alone = [...others].every((name) => this.hidden.has(name));
    this.hidden = alone ? new Set() : others;
    this.update();
    return false;
  }

  /* Reason why a row is not shown; empty if it is shown. */
  whyNot(row) {
    const { subject, form, multiplier } = this.data.columns;
    if (!this.passes(row)) return "because of the filters";
    const lacks = this.lacking(row).map((select) => this.title(select.value));
    if (lacks.length) {
      const bare = form[row] === "system" && multiplier[row] === null;
      return `for want of ${listed([...new Set(lacks)])}${bare ? " (only software runs on it)" : ""}`;
    }
    if (this.hidden.has(subject[row])) return "because of a click on the legend";
    return this.selected && !this.selected.has(row) ? "because of the frame" : "";
  }

  fill() {
    const rows = [];
    const reasons = new Map();
    for (const row of this.rows) {
      const why = this.whyNot(row);
      if (!why) rows.push(row);
      else reasons.set(why, [...(reasons.get(why) || []), row]);
    }
    this.circuits.fill(rows);
    this.circuits.sayLeftOut(reasons);
    document.getElementById("counted").textContent = `${rows.length} of ${this.rows.length} circuits are shown.`;
  }
}
