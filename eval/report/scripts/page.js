"use strict";

/* Reads packed data: compressed text in an element of the page. */
async function unpack(id) {
  const letters = atob(document.getElementById(id).textContent.trim());
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function number(value, digits) {
  if (value === null || value === undefined) return "";
  let places = digits;
  // As many decimals as requested, or more so that a small figure shows two digits.
  if (digits >= 2 && value && Math.abs(value) < 10 ** (1 - digits)) {
    places = 1 - Math.floor(Math.log10(Math.abs(value)));
  }
  return value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/* Mark with a design's colour: round, or square for a system. */
function dot(colour, form) {
  return make("span", { class: form === "system" ? "dot system" : "dot", style: `background: ${colour}` });
}

function headed(quantity) {
  return quantity.unit ? `${quantity.label} (${quantity.unit})` : quantity.label;
}

function columnTitle(quantity, operation) {
  return operation ? `${headed(quantity)}, ${operation}` : headed(quantity);
}

/* Sizes of a plot on paper, in pixels. */
const PAPER = { whole: 660, half: 320 };

/* Place of a legend below its plot, for narrow screens and for paper, where it cannot scroll. */
const BELOW = { orientation: "h", x: 0, y: -0.2, yanchor: "top" };

const drawn = new Set();

function draw(place, traces, layout, config = {}) {
  const look = {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: "system-ui, sans-serif", size: 12 },
    margin: { l: 62, r: 12, t: 8, b: 46 },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: "rgb(128,128,128)", activecolor: "rgb(59,130,246)" },
    autosize: true,
    ...layout,
  };
  drawn.add(place);
  return Plotly.react(place, traces, look, {
    displaylogo: false,
    responsive: true,
    modeBarButtonsToRemove: ["autoScale2d"],
    ...config,
  });
}

/* Screen layout of each plot while it has its size on paper, which fitPaper sets before printing
   and fitScreen sets back. */
const onScreen = new Map();

function fitPaper() {
  for (const place of drawn) {
    if (!place.isConnected || !place.offsetParent || onScreen.has(place)) continue;
    const { legend, height } = place.layout;
    onScreen.set(place, { legend, height });
    const half = place.closest(".inside");
    const names = new Set(place.data.map((trace) => trace.name)).size;
    const paper = half
      ? { width: PAPER.half, autosize: false }
      : { width: PAPER.whole, autosize: false, legend: { ...legend, ...BELOW }, height: 480 + 8 * names };
    Plotly.relayout(place, paper);
  }
}

function fitScreen() {
  for (const [place, before] of onScreen) {
    if (place.isConnected) Plotly.relayout(place, { ...before, width: null, autosize: true });
  }
  onScreen.clear();
}
