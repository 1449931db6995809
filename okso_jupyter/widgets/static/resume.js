// Resume button of a paused run: inserted into the run's static HTML while the kernel lives.

const HELP = "Go on with this run, as %okso resume does: no step is done twice";
const SENT = "Sent: it goes on as soon as the kernel is free.";

// What the resumed run displays. A page that was loaded after its cell ran gets no outputs of the
// cell any more, and still has the bar; on any other page the outputs take the place of the bar.
function outputArea(model) {
  const area = document.createElement("div");
  area.className = "okso-resume-outputs";
  const sources = new WeakMap(); // part -> its HTML, from the kernel, which escaped all foreign text
  const draw = () => {
    const shown = model.get("outputs");
    shown.forEach((html, place) => {
      const part = area.children[place] ?? area.appendChild(document.createElement("div"));
      if (sources.get(part) !== html) part.innerHTML = html;
      sources.set(part, html);
    });
    [...area.children].slice(shown.length).forEach((part) => part.remove());
  };
  model.on("change:outputs", draw);
  draw();
  return area;
}

function initialize({ model }) {
  const areas = new WeakMap(); // bar -> its outputs
  let isSent = false;

  const partsOf = (bar, isGone) => {
    if (!areas.has(bar)) areas.set(bar, outputArea(model));
    const press = () => {
      if (isSent) return;
      isSent = true;
      drawAll();
      followFocus(bar, { isResumed: true });
      model.send({ action: "resume" });
    };
    const isOffered = model.get("is_offered");
    const said = isSent && isOffered ? SENT : model.get("note");
    const text = isGone ? KERNEL_GONE : said;
    const button = isOffered && !isGone ? buttonOf("Resume", HELP, press) : null;
    button?.setAttribute("aria-disabled", isSent);
    return [button, text ? statusOf(text) : null, areas.get(bar)].filter(Boolean);
  };

  const { drawAll, remove } = insertBars(
    model,
    {
      name: `okso-resume-${model.get("run")}`,
      label: "Resume",
      className: "okso-resume-bar okso-live-bar",
    },
    partsOf,
  );
  model.on("change:is_offered change:note", drawAll);
  model.on("msg:custom", () => {
    isSent = false;
    drawAll();
  });
  return remove;
}

export default { initialize };
