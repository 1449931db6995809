// Slots: elements in an output's static HTML that a widget draws itself into. The HTML in a slot is
// what a page shows without the widget, such as after a restart.

// Calls `fill` with each element of this class in the page, now and later, that is not a key of
// `filled`. Returns a function that ends it.
function watchSlots(name, filled, fill) {
  const settle = () => {
    for (const slot of [...document.getElementsByClassName(name)]) if (!filled.has(slot)) fill(slot);
  };
  const observer = new MutationObserver(settle);
  observer.observe(document.body, { childList: true, subtree: true });
  settle();
  return () => observer.disconnect();
}

// A part of the page that keeps its focus when it is moved.
class Movable {
  constructor(draw) {
    this.el = document.createElement("div");
    this.focused = null;
    this.el.addEventListener("focusin", ({ target }) => {
      this.focused = target;
    });
    // removing a part may take its focus without an event; then the user did not move the focus
    this.el.addEventListener("focusout", () => setTimeout(() => this.look()));
    this.leave = draw(this.el);
  }

  look() {
    if (this.el.isConnected && !this.el.contains(document.activeElement)) this.focused = null;
  }

  moveInto(slot) {
    const isLost = document.activeElement === document.body;
    this.instead = [...slot.childNodes];
    slot.replaceChildren(this.el);
    if (isLost && this.focused?.isConnected) this.focused.focus({ preventScroll: true });
  }

  moveOutOf(slot) {
    slot.replaceChildren(...this.instead);
  }
}

// Draws the widget of a model into its slots, and reports that to the kernel. JupyterLab recreates
// slots when an output changes, and removes them while they are scrolled out of view: then the
// drawn part is moved, as long as its own slot is not in the page.
function fillSlots(model, draw) {
  const filled = new Map(); // slot -> drawn part
  let isTold = false;
  const tell = () => {
    if (!isTold) model.send({ action: "drawn" });
    isTold = true;
  };
  const end = watchSlots(model.get("slot"), filled, (slot) => {
    const [left, known] = [...filled].find(([other]) => !other.isConnected) ?? [];
    known?.moveOutOf(left);
    filled.delete(left);
    const part = known ?? new Movable(draw);
    filled.set(slot, part);
    part.moveInto(slot);
    tell();
  });
  // a notebook page has the slot, although it may be out of view
  if (document.querySelector(".jp-Notebook")) tell();
  return () => {
    end();
    filled.forEach(({ leave }) => leave());
  };
}
