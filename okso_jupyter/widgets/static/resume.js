// Resume button of a paused run: inserted into the run's static HTML while the kernel lives. It has
// no output that a notebook could save.

const HELP = "Go on with this run, as %okso resume does: no step is done twice";

function resumeButton(press) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = "Resume";
  node.title = HELP;
  node.addEventListener("click", press);
  return node;
}

function statusOf(text) {
  const node = document.createElement("span");
  node.setAttribute("role", "status");
  node.textContent = text;
  return node;
}

function initialize({ model }) {
  const bars = new Map(); // insertion point -> button bar
  let isSent = false;
  let isGone = false;

  const said = () => {
    if (isGone) return "The kernel has ended: type the command in a cell.";
    return isSent ? "Sent: it goes on as soon as the kernel is free." : model.get("note");
  };

  function draw(bar) {
    const hadFocus = bar.contains(document.activeElement);
    const press = () => {
      if (isSent) return;
      isSent = true;
      drawAll();
      followFocus(bar, { isResumed: true });
      model.send({ action: "resume" });
    };
    const text = said();
    const button = model.get("is_offered") && !isGone ? resumeButton(press) : null;
    button?.setAttribute("aria-disabled", isSent);
    bar.replaceChildren(...[button, text ? statusOf(text) : null].filter(Boolean));
    if (hadFocus) bar.querySelector("button")?.focus();
  }

  const drawAll = () => bars.forEach(draw);

  const end = watchSlots(`okso-resume-${model.get("run")}`, bars, (place) => {
    const bar = document.createElement("div");
    bar.className = "okso-resume-bar okso-live-bar";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Resume");
    // keys typed here are not notebook shortcuts
    bar.setAttribute("data-lm-suppress-shortcuts", "true");
    place.after(bar);
    bars.set(place, bar);
    draw(bar);
  });
  const heard = () => {
    isSent = false;
    drawAll();
  };
  model.on("change:is_offered change:note", drawAll);
  model.on("msg:custom", heard);
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
