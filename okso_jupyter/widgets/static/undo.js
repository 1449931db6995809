// Undo button of a run: inserted into the run's static HTML while the kernel lives. It has no
// output that a notebook could save.

function button(label, help, press) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = label;
  node.title = help;
  node.addEventListener("click", press);
  return node;
}

function words(text) {
  const node = document.createElement("span");
  node.setAttribute("role", "status");
  node.tabIndex = -1;
  node.textContent = text;
  return node;
}

// what would happen to each file: HTML from the kernel, which has escaped all foreign text
function table(html) {
  const node = document.createElement("div");
  node.className = "okso-undo-preview";
  node.innerHTML = html;
  return node;
}

function initialize({ model }) {
  const bars = new Map(); // insertion point -> button bar
  let isSent = false;
  let isGone = false;

  const send = (action) => () => {
    if (isSent || isGone) return;
    isSent = true;
    model.send({ action });
    drawAll();
  };

  function parts() {
    const stage = model.get("stage");
    const note = isGone ? "The kernel has ended: type the command in a cell." : model.get("note");
    const said = note ? [words(note)] : [];
    if (isGone || stage === "done") return said;
    if (stage === "offered") return [button("Undo", "Show what would come back", send("show")), ...said];
    return [
      table(model.get("html")),
      button("Take back", "Make the files as they were before this run", send("undo")),
      button("Keep", "Leave the files as they are", send("keep")),
      ...said,
    ];
  }

  function draw(bar) {
    const hadFocus = bar.contains(document.activeElement);
    bar.replaceChildren(...parts());
    bar.querySelectorAll("button").forEach((one) => one.setAttribute("aria-disabled", isSent));
    if (hadFocus) (bar.querySelector("button") ?? bar.lastElementChild)?.focus();
  }

  const drawAll = () => bars.forEach(draw);

  const end = watchSlots(`okso-undo-${model.get("run")}`, bars, (place) => {
    const bar = document.createElement("span");
    bar.className = "okso-undo-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Undo");
    // keys typed here are not notebook shortcuts
    bar.setAttribute("data-lm-suppress-shortcuts", "true");
    place.after(bar);
    bars.set(place, bar);
    draw(bar);
  });
  model.on("change:stage change:note change:html", drawAll);
  model.on("msg:custom", () => {
    isSent = false;
    drawAll();
  });
  const leave = whenKernelIsGone(model, () => {
    isGone = true;
    drawAll();
  });
  return () => {
    leave();
    end();
    bars.forEach((bar) => bar.remove());
  };
}

export default { initialize };
