"use strict";

/* Draws the inner structure of a circuit when its card is opened. */
function tint(colour, share) {
  const part = (start) => {
    const value = parseInt(colour.slice(start, start + 2), 16);
    return Math.round(value + (255 - value) * share);
  };
  return [1, 3, 5].map(part);
}

/* Black or white, whichever has more contrast with a colour (as defined in WCAG 2). */
function readable(rgb) {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

class Cards {
  constructor(data) {
    this.data = data;
    this.filled = new Set();
    for (const card of document.querySelectorAll("details.design")) {
      card.addEventListener("toggle", () => card.open && this.show(card, this.current(card)));
      for (const row of card.querySelectorAll(".variants tbody tr")) {
        row.addEventListener("click", () => this.show(card, row.dataset.row));
      }
    }
  }

  current(card) {
    return card.querySelector("section.variant:not([hidden])").dataset.row;
  }

  /* Opens the card of a row of the table of points. */
  open(row) {
    const section = document.querySelector(`section.variant[data-row="${row}"]`);
    if (!section) return;
    const card = section.closest("details");
    card.open = true;
    this.show(card, String(row));
    card.scrollIntoView({ block: "start" });
  }

  show(card, row) {
    for (const section of card.querySelectorAll("section.variant")) {
      section.hidden = section.dataset.row !== row;
    }
    for (const line of card.querySelectorAll(".variants tbody tr")) {
      line.classList.toggle("chosen", line.dataset.row === row);
    }
    if (this.filled.has(row)) return;
    this.filled.add(row);
    this.fill(card.querySelector(`.inside[data-row="${row}"]`), Number(row));
  }

  fill(place, row) {
    const inside = this.data.insides[row] || {};
    const colour = this.data.colours[this.data.columns.subject[row]];
    const lacks = [];
    this.later = [];
    if (inside.floor) new Floor(place, inside.floor, this.data.columns.subject[row]);
    const parts = [
      ["areas", "areas of its parts", () => this.areas(place, inside, row, colour)],
      ["cells", "kinds of its cells", () => this.cells(place, inside, colour)],
      ["slacks", "slacks", () => this.slacks(place, inside, colour)],
      ["powers", "parts of its power", () => this.powers(place, inside)],
      ["path", "longest path", () => this.path(place, inside)],
    ];
    for (const [name, label, fill] of parts) {
      const there = inside[name] && Object.keys(inside[name]).length;
      if (there) fill();
      else lacks.push(label);
    }
    // Only when all elements exist, they have their final widths.
    for (const [plot, traces, layout] of this.later) draw(plot, traces, layout, { displayModeBar: false });
    if (lacks.length) {
      place.append(make("p", { class: "lacks whole" }, `Not kept of it: ${lacks.join(", ")}. The command above makes what the flow can.`));
    }
  }

  block(place, title, label, kind = "half") {
    const heading = make("h6", {}, title);
    const plot = make("div", { class: "plotly", role: "img", "aria-label": label });
    place.append(make("div", { class: kind }, heading, plot));
    return plot;
  }

  areas(place, inside, row, colour) {
    const name = this.data.columns.subject[row];
    const paths = Object.keys(inside.areas).sort();
    const known = new Set(paths);
    // The parent of a part is the nearest part around it that has an area.
    const parent = (path) => {
      let around = path;
      while (around.includes(".")) {
        around = around.slice(0, around.lastIndexOf("."));
        if (known.has(around)) return around;
      }
      return "";
    };
    // The sum of rounded areas may be slightly larger than the area of the parent.
    const value = (path) => Math.max(
      path ? inside.areas[path] : inside.area,
      paths.filter((other) => other !== path && parent(other) === path).reduce((sum, other) => sum + value(other), 0),
    );
    const inner = (path) => path.slice(parent(path) ? parent(path).length + 1 : 0);
    const depth = (path) => (path ? 1 + depth(parent(path)) : 0);
    const shades = [0, 0.16, 0.34, 0.5, 0.62];
    const tiles = ["", ...paths].map((path) => tint(colour, shades[Math.min(depth(path), 4)]));
    const plot = this.block(place, "Area of its parts (µm²)", `Treemap of the areas of the parts of ${name}; the table beside has the same figures`);
    this.later.push([plot, [{
      type: "treemap",
      branchvalues: "total",
      ids: ["", ...paths].map((path) => path || "."),
      labels: ["", ...paths].map((path) => (path ? inner(path) : name)),
      parents: ["", ...paths].map((path) => (path ? parent(path) || "." : "")),
      values: ["", ...paths].map(value),
      marker: { colors: tiles.map((rgb) => `rgb(${rgb.join(", ")})`), line: { width: 1 } },
      textfont: { color: tiles.map(readable) },
      hovertemplate: "<b>%{label}</b><br>%{value:,.0f} µm²<br>%{percentRoot:.1%} of the whole<extra></extra>",
      textinfo: "label+percent root",
      pathbar: { visible: false },
      tiling: { pad: 2 },
    }], { height: 330, margin: { l: 0, r: 0, t: 0, b: 0 } }]);

    const powers = Object.values(inside.power_by_module || {}).pop() || {};
    const any = Object.keys(powers).length;
    const cells = ["Part", "Area (µm²)", "Share (%)", ...(any ? ["Power of its own (mW)"] : [])];
    const line = (path) => make("tr", {},
      make("th", { scope: "row", style: `padding-left: ${depth(path)}em` }, path ? inner(path) : name),
      make("td", {}, number(path ? inside.areas[path] : inside.area, 0)),
      make("td", {}, number((100 * (path ? inside.areas[path] : inside.area)) / inside.area, 1)),
      ...(any ? [make("td", {}, path in powers ? number(powers[path], 3) : "")] : []),
    );
    const ordered = ["", ...paths];
    place.append(make("div", { class: "half" }, make("h6", {}, "Hierarchy"), this.table(cells, ordered.map(line))));
  }

  table(heads, rows) {
    const head = make("tr", {}, ...heads.map((text, index) => make("th", { scope: "col", class: index ? undefined : "text" }, text)));
    const body = make("tbody", {}, ...rows);
    return make("div", { class: "scroll tall", tabindex: "0" }, make("table", {}, make("thead", {}, head), body));
  }

  cells(place, inside, colour) {
    const sorted = Object.entries(inside.cells).sort(([, one], [, other]) => other - one);
    const most = sorted.slice(0, 14);
    const rest = sorted.slice(14).reduce((sum, [, count]) => sum + count, 0);
    if (rest) most.push([`${sorted.length - 14} others`, rest]);
    most.reverse();
    const total = sorted.reduce((sum, [, count]) => sum + count, 0);
    const plot = this.block(place, `Cells: ${number(total, 0)}`, `Bar chart of how many cells of each kind there are: ${sorted.slice(0, 5).map(([kind, count]) => `${kind} ${count}`).join(", ")} and others`);
    this.later.push([plot, [{
      type: "bar",
      orientation: "h",
      x: most.map(([, count]) => count),
      y: most.map(([kind]) => kind),
      marker: { color: colour },
      hovertemplate: "<b>%{y}</b>: %{x:,}<extra></extra>",
    }], { height: 330, xaxis: { gridcolor: "rgba(128,128,128,.22)" }, yaxis: { automargin: true, type: "category", dtick: 1 } }]);
  }

  slacks(place, inside, colour) {
    const { counts, least_ns: least, bar_ns: bar, ends } = inside.slacks;
    const plot = this.block(place, `Slack at the ends of ${number(ends, 0)} paths`, `Histogram of slacks; the least one is ${least} ns`);
    this.later.push([plot, [{
      type: "bar",
      x: counts.map((_, index) => least + (index + 0.5) * bar),
      y: counts,
      width: bar,
      marker: { color: counts.map((_, index) => (least + (index + 0.5) * bar < 0 ? "#dc2626" : colour)) },
      hovertemplate: "%{y:,} ends at %{x:.3f} ns<extra></extra>",
    }], {
      height: 330,
      bargap: 0,
      xaxis: { title: { text: "slack (ns)", standoff: 6 }, gridcolor: "rgba(128,128,128,.22)" },
      yaxis: { title: { text: "ends", standoff: 6 }, gridcolor: "rgba(128,128,128,.22)" },
    }]);
  }

  powers(place, inside) {
    const operations = Object.keys(inside.powers);
    const parts = [...new Set(operations.flatMap((name) => Object.keys(inside.powers[name])))];
    const colours = ["#3b82f6", "#16a34a", "#e8710a", "#64748b"];
    const plot = this.block(place, "Where the power goes (mW)", `Bars of the power by its parts: ${operations.join(" and ")}`);
    this.later.push([plot, parts.map((part, index) => ({
      type: "bar",
      orientation: "h",
      name: part,
      x: operations.map((name) => inside.powers[name][part]),
      y: operations,
      marker: { color: colours[index % colours.length] },
      hovertemplate: `<b>${part}</b>, %{y}: %{x:.4~g} mW<extra></extra>`,
    })), {
      barmode: "stack",
      height: 330,
      xaxis: { title: { text: "mW", standoff: 6 }, gridcolor: "rgba(128,128,128,.22)" },
      yaxis: { automargin: true },
      legend: { orientation: "h", y: 1.02, yanchor: "bottom" },
      margin: { l: 62, r: 12, t: 34, b: 46 },
    }]);
  }

  path(place, inside) {
    const heads = ["Pin", "Cell", "Edge", "Load (fF)", "Slew (ns)", "Delay (ns)", "Arrival (ns)"];
    const rows = inside.path.map(([pin, cell, edge, load, slew, delay, time]) => make("tr", {},
      make("th", { scope: "row" }, pin),
      make("td", {}, cell),
      make("td", {}, edge === "^" ? "rise" : "fall"),
      make("td", {}, number(load, 1)), ...[slew, delay, time].map((value) => make("td", {}, value.toFixed(3))),
    ));
    const last = inside.path[inside.path.length - 1][6];
    const slack = inside.required_ns - last;
    const title = `Longest path: ${rows.length} pins, ${last.toFixed(3)} ns; required at ${inside.required_ns.toFixed(3)} ns; slack ${slack.toFixed(3)} ns`;
    place.append(make("div", { class: "whole" }, make("h6", {}, title), this.table(heads, rows)));
  }
}
