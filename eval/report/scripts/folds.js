"use strict";

/* Folded parts of the page: a link into one opens it, and all are open on paper except the lists of
   sources. */
function reveal(place) {
  for (let around = place; around; around = around.parentElement) {
    if (around.tagName === "DETAILS") around.open = true;
  }
}

/* Opens the folds around the target of a link: a browser does not do so by itself. */
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
