// Bars of buttons that a widget without an output inserts into static HTML while its kernel lives:
// nothing of them is saved with a notebook.

const KERNEL_GONE = "The kernel has ended: type the command in a cell.";

function buttonOf(label, help, press) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = label;
  node.title = help;
  node.addEventListener("click", press);
  return node;
}

function statusOf(text) {
  const node = document.createElement("span");
  node.setAttribute("role", "status");
  node.tabIndex = -1;
  node.textContent = text;
  return node;
}

// Inserts a bar behind each element of class `name`, filled with `partsOf(bar, isGone)`. Returns
// functions that fill all bars again, and that remove them.
function insertBars(model, { name, label, className }, partsOf) {
  const bars = new Map(); // insertion point -> bar
  let isGone = false;

  function draw(bar) {
    const hadFocus = bar.contains(document.activeElement);
    bar.replaceChildren(...partsOf(bar, isGone));
    if (hadFocus) (bar.querySelector("button") ?? bar.lastElementChild)?.focus();
  }
  const drawAll = () => bars.forEach(draw);

  const end = watchSlots(name, bars, (place) => {
    const bar = document.createElement("div");
    bar.className = className;
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", label);
    // keys typed here are not notebook shortcuts
    bar.setAttribute("data-lm-suppress-shortcuts", "true");
    place.after(bar);
    bars.set(place, bar);
    draw(bar);
  });
  const leave = whenKernelIsGone(model, () => {
    isGone = true;
    drawAll();
  });
  const remove = () => {
    leave();
    end();
    bars.forEach((bar) => bar.remove());
  };
  return { drawAll, remove };
}
