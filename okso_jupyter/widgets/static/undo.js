// Undo button of a run: inserted into the run's static HTML while the kernel lives.

// what would happen to each file: HTML from the kernel, which has escaped all foreign text
function table(html) {
  const node = document.createElement("div");
  node.className = "okso-undo-preview";
  node.innerHTML = html;
  return node;
}

function initialize({ model }) {
  let isSent = false;

  function buttonFor(action, label, help) {
    const press = () => {
      if (isSent) return;
      isSent = true;
      model.send({ action });
      drawAll();
    };
    const node = buttonOf(label, help, press);
    node.setAttribute("aria-disabled", isSent);
    return node;
  }

  function partsOf(_bar, isGone) {
    const stage = model.get("stage");
    const note = isGone ? KERNEL_GONE : model.get("note");
    const said = note ? [statusOf(note)] : [];
    if (isGone || stage === "done") return said;
    if (stage === "offered") return [buttonFor("show", "Undo", "Show what would come back"), ...said];
    return [
      table(model.get("html")),
      buttonFor("undo", "Take back", "Make the files as they were before this run"),
      buttonFor("keep", "Keep", "Leave the files as they are"),
      ...said,
    ];
  }

  const { drawAll, remove } = insertBars(
    model,
    { name: `okso-undo-${model.get("run")}`, label: "Undo", className: "okso-undo-bar okso-live-bar" },
    partsOf,
  );
  model.on("change:stage change:note change:html", drawAll);
  model.on("msg:custom", () => {
    isSent = false;
    drawAll();
  });
  return remove;
}

export default { initialize };
