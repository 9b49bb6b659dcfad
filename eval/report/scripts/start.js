"use strict";

/* The plots of the first page; the pages of documents have none that need a script. */
async function drawCircuits() {
  const data = JSON.parse(await unpack("packed-data"));
  const code = make("script");
  code.textContent = await unpack("packed-plotting");
  document.head.append(code);
  const cards = new Cards(data);
  if (data.columns.subject.length) new Explorer(data, (row) => cards.open(row));
}

async function start() {
  for (const table of document.querySelectorAll("table.sortable")) {
    if (table.tHead.rows.length) makeSortable(table);
  }
  for (const section of document.querySelectorAll("section.document")) makeSeries(section);
  followContents(document.getElementById("contents"));
  followFolds();
  if (document.getElementById("packed-data")) await drawCircuits();
  addEventListener("beforeprint", () => {
    openFolds();
    fitPaper();
  });
  addEventListener("afterprint", () => {
    fitScreen();
    closeFolds();
  });
  document.documentElement.dataset.ready = "yes";
}

start();
