// Focus tracking for keyboard users: the focused part of the outputs is replaced repeatedly, the
// form by its card, the view of the run by the one with buttons, and that by the answer. When the
// cell is over, the next cell is selected, as it is after Shift+Enter.

// the focus moves to the last of these that exists
const STATIONS = ".okso-form .okso-title, .okso-live, .okso-card, .okso-run";
const SAID_MS = 5000;
const SAID_CHARS = 500;

const followed = new WeakMap(); // output area of a cell -> function that ends its tracking

const isAtWork = (cell) => cell.querySelector(".jp-InputPrompt")?.textContent.includes("*") ?? false;

// Selects the cell below, or this one if it is the last, without scrolling away from the answer.
function goOn(cell) {
  let next = cell.nextElementSibling;
  while (next && !next.classList.contains("jp-Cell")) next = next.nextElementSibling;
  const to = next ?? cell;
  if (!to.hasAttribute("tabindex")) to.tabIndex = -1;
  to.focus({ preventScroll: true });
}

// Has a screen reader say what the focus does not rest on.
function announce(text) {
  const node = document.createElement("div");
  node.setAttribute("role", "status");
  node.style.cssText = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  document.body.append(node);
  setTimeout(() => {
    node.textContent = text.slice(0, SAID_CHARS);
  });
  setTimeout(() => node.remove(), SAID_MS);
}

// Moves the focus along from a focused part of a cell's outputs, until the user moves it or the
// cell is over. A run that is resumed by a button is over when its answer is shown: its cell ended.
function followFocus(node, { isResumed = false } = {}) {
  const outputs = node.closest(".jp-OutputArea");
  const cell = node.closest(".jp-Cell");
  if (!cell || followed.has(outputs) || !outputs.contains(document.activeElement)) return;
  let mine = document.activeElement; // focused at the start, later by `settle`
  let isDue = false;
  const observer = new MutationObserver(() => {
    if (!isDue) setTimeout(settle);
    isDue = true;
  });
  const leave = () => {
    observer.disconnect();
    followed.delete(outputs);
  };
  const settle = () => {
    isDue = false;
    const active = document.activeElement;
    const isLost = active === null || active === document.body || !active.isConnected;
    if (!outputs.isConnected || !(isLost || active === mine)) return leave();
    const station = [...outputs.querySelectorAll(STATIONS)].at(-1);
    if (!station) return;
    if (!isAtWork(cell) && station.matches(isResumed ? ".okso-run" : ".okso-run, .okso-card")) {
      leave();
      announce(station.innerText);
      return goOn(cell);
    }
    if (station === mine || station.contains(mine)) return;
    station.tabIndex = -1;
    station.focus({ preventScroll: true });
    station.scrollIntoView({ block: "nearest" });
    mine = document.activeElement;
  };
  observer.observe(cell, { childList: true, subtree: true, characterData: true });
  followed.set(outputs, leave);
}
