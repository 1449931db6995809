// Whoever decides by keyboard stays where things go on. What has the focus is replaced again and
// again: the form by its card, the view of the run by the one with buttons, that by the answer.

// where things go on, the last one that is there
const STATIONS = ".okso-form .okso-title, .okso-live, .okso-card, .okso-run";

const followed = new WeakMap(); // by the outputs of a cell: what ends the following

// Lets the focus go along from a part of a cell's outputs that has it, until a person moves it.
function followFocus(node) {
  const outputs = node.closest(".jp-OutputArea");
  if (!outputs || followed.has(outputs) || !outputs.contains(document.activeElement)) return;
  let mine = document.activeElement; // what was focused here, and by nobody else
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
