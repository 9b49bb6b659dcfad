"use strict";

/* Parts of the page that are folded: an address within one opens it, and paper has all of them but
   the lists of where figures are from. */
function reveal(place) {
  for (let around = place; around; around = around.parentElement) {
    if (around.tagName === "DETAILS") around.open = true;
  }
}

/* A browser that knows no more shows nothing of what a link within the page points to. */
function followFolds() {
  const show = () => {
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!place) return;
    reveal(place);
    place.scrollIntoView();
  };
  addEventListener("hashchange", show);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link && !event.defaultPrevented && link.hash === location.hash) show();
  });
  show();
}

const openedForPaper = [];

function openFolds() {
  for (const fold of document.querySelectorAll("details.fold:not([open], .list)")) {
    fold.open = true;
    openedForPaper.push(fold);
  }
}

function closeFolds() {
  for (const fold of openedForPaper.splice(0)) fold.open = false;
}
