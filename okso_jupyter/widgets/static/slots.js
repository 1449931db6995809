// Slots: elements of the static HTML of an output that a widget draws itself into. The HTML in a
// slot is what a page shows where there is no widget any more, such as after a restart.

// Calls `fill` with each element of this class in the page, now and later, that `filled` (by
// element) does not have. Returns what ends that.
function watchSlots(name, filled, fill) {
  const settle = () => {
    for (const slot of [...document.getElementsByClassName(name)]) if (!filled.has(slot)) fill(slot);
  };
  const observer = new MutationObserver(settle);
  observer.observe(document.body, { childList: true, subtree: true });
  settle();
  return () => observer.disconnect();
}

// A part of the page that is moved with its focus.
class Movable {
  constructor(draw) {
    this.el = document.createElement("div");
    this.focused = null;
    this.el.addEventListener("focusin", ({ target }) => {
      this.focused = target;
    });
    // nothing tells that a part was removed which had the focus: then nobody moved it
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

// Draws the widget of a model into its slots, and tells the kernel that this page does so.
// JupyterLab makes slots anew when an output changes, and takes them off the page for a while when
// they are scrolled out of sight: what was drawn is moved, as long as no slot of its own is there.
function fillSlots(model, draw) {
  const filled = new Map(); // by slot
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
  // a notebook's page has the slot, although it may be out of sight
  if (document.querySelector(".jp-Notebook")) tell();
  return () => {
    end();
    filled.forEach(({ leave }) => leave());
  };
}
