// Focus tracking for keyboard users: the focused part of the outputs is replaced repeatedly, the
// form by its card, the view of the run by the one with buttons, and that by the answer.

// the focus moves to the last of these that exists
const STATIONS = ".okso-form .okso-title, .okso-live, .okso-card, .okso-run";

const followed = new WeakMap(); // output area of a cell -> function that ends its tracking

// Moves the focus along from a focused part of a cell's outputs, until the user moves it.
function followFocus(node) {
  const outputs = node.closest(".jp-OutputArea");
  if (!outputs || followed.has(outputs) || !outputs.contains(document.activeElement)) return;
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
    if (!station || station === mine || station.contains(mine)) return;
    station.tabIndex = -1;
    station.focus({ preventScroll: true });
    station.scrollIntoView({ block: "nearest" });
    mine = document.activeElement;
  };
  observer.observe(outputs, { childList: true, subtree: true });
  followed.set(outputs, leave);
}
