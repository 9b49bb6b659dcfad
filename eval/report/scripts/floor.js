"use strict";

/* Draws a placed circuit: cells by module, maps and the clock tree, with zoom and clicks. */
const VIEWS = {
  modules: "Modules, critical path",
  energy: "Power",
  glitches: "Power of glitches",
  capacity: "Routing capacity",
  clock: "Clock tree",
};
/* Colours of maps, from 0 to the most. */
const HEAT = ["#0b0724", "#57106e", "#bc3754", "#f98e09", "#fcffa4"];
const USE = ["#ffffe0", "#a1dab4", "#41b6c4", "#2c7fb8", "#253494"];
const LEVELS = ["#0d0887", "#6a00a8", "#b12a90", "#e16462", "#fca636", "#d9c91a"];
const LACKING = "#dc2626";
const ZOOM = 1.5;
const MOST_ZOOM = 40;
const SVG = "http://www.w3.org/2000/svg";

function svgElement(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function between(colours, share) {
  const place = Math.min(Math.max(share, 0), 1) * (colours.length - 1);
  const index = Math.min(Math.floor(place), colours.length - 2);
  const parts = [1, 3, 5].map((start) => {
    const [low, high] = [0, 1].map((more) => parseInt(colours[index + more].slice(start, start + 2), 16));
    return Math.round(low + (high - low) * (place - index));
  });
  return `rgb(${parts.join(",")})`;
}

/* Allows line breaks in a path of modules. */
function breakablePath(text) {
  return text.split(/(?<=[._])(?=[^._])/).flatMap((part, index) => (index ? [make("wbr"), part] : [part]));
}

class Floor {
  constructor(place, data, name) {
    this.data = data;
    this.name = name;
    [this.width, this.height] = data.size;
    this.view = { x: 0, y: 0, zoom: 1 };
    this.chosen = -1;
    const operations = Object.keys(data.groups[0].energies);
    this.operation = data.maps.energy.operation || operations[0];
    this.svg = svgElement("svg", { tabindex: "0", role: "group", viewBox: `0 0 ${this.width} ${this.height}` });
    this.said = make("p", { class: "note", "aria-live": "polite" });
    const shown = Object.keys(VIEWS).filter((view) => view in data.maps || ["modules", "clock"].includes(view));
    this.select = make("select", {}, ...shown.map((view) => make("option", { value: view }, VIEWS[view])));
    this.select.addEventListener("change", () => this.draw());
    const button = (label, about, act) => {
      const made = make("button", { type: "button", title: about, "aria-label": about }, label);
      made.addEventListener("click", act);
      return made;
    };
    const controls = make("div", { class: "controls" },
      make("label", {}, "Show ", this.select),
      button("+", "Zoom in", () => this.scale(ZOOM)),
      button("\u2212", "Zoom out", () => this.scale(1 / ZOOM)),
      button("Whole", "Show the whole core", () => this.scale(0)),
    );
    this.legend = make("p", { class: "note" });
    place.append(make("div", { class: "whole" },
      make("h6", {}, `Places in a core of ${number(this.width, 0)} \u00d7 ${number(this.height, 0)} \u00b5m`),
      controls,
      make("div", { class: "floor-plan" }, make("div", {}, this.svg, this.legend), make("div", {}, this.table(), this.said)),
    ));
    this.listen();
    this.draw();
    this.say();
  }

  /* The table is what the picture says to those who do not see it. */
  table() {
    const heads = ["Module", "Area (\u00b5m\u00b2)", "Cells", "Energy (nJ)", "Glitches (%)"];
    const head = make("tr", {}, ...heads.map((text, index) => make("th", { scope: "col", class: index ? undefined : "text" }, text)));
    this.rows = this.data.groups.map((group, index) => {
      const choose = make("button", { type: "button", "aria-pressed": "false" }, dot(group.colour), ...breakablePath(group.label));
      const [energy, glitches] = group.energies[this.operation];
      const row = make("tr", {},
        make("th", { scope: "row" }, choose),
        make("td", {}, number(group.area_um2, 0)),
        make("td", {}, number(group.cells, 0)),
        make("td", {}, number(energy, 3)),
        make("td", {}, number(glitches, 1)),
      );
      row.addEventListener("click", () => this.choose(index));
      return row;
    });
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...this.rows));
    const about = `Modules of ${this.name} with their energy in ${this.operation.replace(/_/g, " ")}`;
    return make("div", { class: "scroll tall", tabindex: "0", role: "group", "aria-label": about }, table);
  }

  choose(index) {
    this.chosen = this.chosen === index ? -1 : index;
    this.rows.forEach((row, at) => {
      row.classList.toggle("chosen", at === this.chosen);
      row.querySelector("button").setAttribute("aria-pressed", String(at === this.chosen));
    });
    for (const path of this.svg.querySelectorAll(".group")) {
      path.classList.toggle("dim", this.chosen >= 0 && Number(path.dataset.group) !== this.chosen);
    }
    this.say();
  }

  say() {
    const group = this.data.groups[this.chosen];
    if (!group) {
      this.said.textContent = "A click on a module, or Enter, tells its figures. The energy of the clock's nets counts to the top level. Keys: + and \u2212 zoom, arrows move, 0 shows the whole.";
      return;
    }
    const whole = this.data.groups.reduce((sum, other) => sum + other.area_um2, 0);
    const energies = Object.entries(group.energies).map(([name, [energy, glitches]]) => `${name.replace(/_/g, " ")} ${number(energy, 3)} nJ, ${number(glitches, 1)} % of it by glitches`);
    this.said.textContent = `${group.label}: ${number(group.area_um2, 0)} \u00b5m\u00b2, ${number((100 * group.area_um2) / whole, 1)} % of the cells' area, ${number(group.cells, 0)} cells; ${energies.join("; ")}.`;
  }

  about(group) {
    const [energy, glitches] = group.energies[this.operation];
    return `${group.label}: ${number(group.area_um2, 0)} \u00b5m\u00b2, ${number(energy, 3)} nJ in ${this.operation.replace(/_/g, " ")}, ${number(glitches, 1)} % by glitches`;
  }

  draw() {
    const view = this.select.value;
    const map = this.data.maps[view];
    this.legend.replaceChildren();
    this.svg.replaceChildren();
    this.svg.setAttribute("aria-label", `${this.name}, placed: ${VIEWS[view].toLowerCase()}; the table has the modules' figures`);
    if (map) this.map(view, map);
    this.groups(view);
    if (view === "modules") this.critical();
    if (view === "clock") this.clock();
  }

  groups(view) {
    const [across, up] = this.data.unit;
    this.data.groups.forEach((group, index) => {
      const parts = [];
      for (let at = 0; at < group.runs.length; at += 3) {
        const [row, left, width] = group.runs.slice(at, at + 3);
        const top = this.height - (row + 1) * up;
        parts.push(`M${(left * across).toFixed(2)} ${top.toFixed(2)}h${(width * across).toFixed(2)}v${up.toFixed(2)}h${(-width * across).toFixed(2)}z`);
      }
      const fill = view === "modules" ? group.colour : view === "clock" ? "#9aa3b2" : "#ffffff";
      const about = this.about(group);
      const path = svgElement("path", {
        d: parts.join(""), fill, class: "group", "data-group": index, tabindex: "0", role: "button", "aria-label": about,
        "fill-opacity": view === "modules" ? 1 : view === "clock" ? 0.35 : 0,
      }, svgElement("title", {}, about));
      if (this.chosen >= 0 && this.chosen !== index) path.classList.add("dim");
      path.addEventListener("click", () => this.moved || this.choose(index));
      path.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.choose(index);
      });
      this.svg.append(path);
    });
  }

  line(numbers) {
    const points = [];
    for (let at = 0; at < numbers.length; at += 2) points.push(`${numbers[at]},${(this.height - numbers[at + 1]).toFixed(2)}`);
    return points.join(" ");
  }

  critical() {
    const points = this.line(this.data.path);
    const about = `Critical path: ${this.data.delay_ns.toFixed(3)} ns`;
    for (const kind of ["critical halo", "critical"]) {
      this.svg.append(svgElement("polyline", { points, class: kind, "pointer-events": kind === "critical" ? "stroke" : "none" }, svgElement("title", {}, about)));
    }
    this.legend.textContent = `${about} (yellow).`;
  }

  map(view, { columns, values, most, unit, demand, overflow, operation }) {
    const rows = values.length / columns;
    const canvas = make("canvas", { width: columns, height: rows });
    const pen = canvas.getContext("2d");
    const colours = view === "capacity" ? USE : HEAT;
    values.forEach((value, index) => {
      pen.fillStyle = view === "capacity" && value > 100 ? LACKING : between(colours, value / 100);
      pen.fillRect(index % columns, rows - 1 - Math.floor(index / columns), 1, 1);
    });
    this.svg.append(svgElement("image", {
      href: canvas.toDataURL(), width: this.width, height: this.height, preserveAspectRatio: "none", style: "image-rendering: pixelated",
    }));
    const scale = make("span", { class: "scale", style: `background: linear-gradient(to right, ${colours.join(", ")})` });
    const said = view === "capacity"
      ? ` Demand ${number(demand, 1)} % of all tracks, overflow ${number(overflow, 0)}${overflow ? " (red)" : ""}.`
      : ` In ${operation.replace(/_/g, " ")}; the energy of a net is at its driver.`;
    this.legend.replaceChildren("0", scale, `${number(most, 0)} ${unit}.`, said);
  }

  clock() {
    const { levels, all, buffers, gates, insertion_delay_ns: latency, skew_ns: skew } = this.data.clock;
    levels.forEach((ends, level) => {
      const parts = [];
      for (let at = 0; at < ends.length; at += 4) {
        const [x, y, x2, y2] = ends.slice(at, at + 4);
        parts.push(`M${x} ${(this.height - y).toFixed(1)}L${x2} ${(this.height - y2).toFixed(1)}`);
      }
      this.svg.append(svgElement("path", {
        d: parts.join(""), class: "branch", stroke: LEVELS[level % LEVELS.length], "stroke-width": level === 0 ? 3 : level < all - 1 ? 1.8 : 0.8, "pointer-events": "none",
      }));
    });
    const dots = levels.flatMap((ends, level) => [dot(LEVELS[level % LEVELS.length]), `${number(ends.length / 4, 0)} `]);
    const rest = levels.length < all ? ` ${all - levels.length} more levels are not drawn.` : "";
    this.legend.replaceChildren("Wires by level: ", ...dots, `; ${number(buffers, 0)} buffers, ${number(gates, 0)} clock gates; latency up to ${latency.toFixed(3)} ns, skew ${skew.toFixed(3)} ns.${rest}`);
  }

  /* Zooms by a factor around a point, given as shares of the visible part; 0 shows the whole. */
  scale(factor, across = 0.5, down = 0.5) {
    const { x, y, zoom } = this.view;
    const next = factor ? Math.min(Math.max(zoom * factor, 1), MOST_ZOOM) : 1;
    this.show(x + across * this.width * (1 / zoom - 1 / next), y + down * this.height * (1 / zoom - 1 / next), next);
  }

  show(x, y, zoom) {
    const within = (value, size) => Math.min(Math.max(value, 0), size * (1 - 1 / zoom));
    this.view = { x: within(x, this.width), y: within(y, this.height), zoom };
    const box = [this.view.x, this.view.y, this.width / zoom, this.height / zoom];
    this.svg.setAttribute("viewBox", box.map((value) => value.toFixed(3)).join(" "));
  }

  move(across, down) {
    const { x, y, zoom } = this.view;
    this.show(x + (across * this.width) / zoom, y + (down * this.height) / zoom, zoom);
  }

  listen() {
    const svg = this.svg;
    const share = (event) => {
      const box = svg.getBoundingClientRect();
      return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    };
    const keys = {
      "+": () => this.scale(ZOOM), "=": () => this.scale(ZOOM), "-": () => this.scale(1 / ZOOM), 0: () => this.scale(0),
      ArrowLeft: () => this.move(-0.2, 0), ArrowRight: () => this.move(0.2, 0), ArrowUp: () => this.move(0, -0.2), ArrowDown: () => this.move(0, 0.2),
    };
    svg.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    /* Without a key, the wheel scrolls the page. */
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.scale((event.deltaY || event.deltaX) < 0 ? ZOOM : 1 / ZOOM, ...share(event));
    }, { passive: false });
    svg.addEventListener("dblclick", (event) => this.scale(ZOOM * ZOOM, ...share(event)));
    let last = null;
    svg.addEventListener("pointerdown", (event) => {
      last = share(event);
      this.moved = false;
    });
    svg.addEventListener("pointermove", (event) => {
      if (!last || !event.buttons) return;
      const [across, down] = share(event);
      if (Math.hypot(across - last[0], down - last[1]) < 0.01 && !this.moved) return;
      this.moved = true;
      this.move(last[0] - across, last[1] - down);
      last = [across, down];
    });
    svg.addEventListener("pointerup", () => { last = null; });
    svg.addEventListener("pointerleave", () => { last = null; });
  }
}
