// Live panel of a run: its HTML, updated part by part, with Pause and Stop below it.

const keyOf = (node) => node.dataset?.key;

// Returns the replacement of `old`: `old` itself if it is equal or can be updated in place.
function merged(old, fresh) {
  if (old.isEqualNode(fresh)) {
    return old;
  }
  if (old.tagName !== fresh.tagName || ![...fresh.children].some(keyOf)) {
    fresh.open = old.open; // keep what the user has unfolded
    return fresh;
  }
  const known = new Map([...old.children].filter(keyOf).map((node) => [keyOf(node), node]));
  const nodes = [...fresh.childNodes].map((node) => {
    const mine = known.get(keyOf(node));
    return mine ? merged(mine, node) : node;
  });
  // moving nodes would lose the user's selection
  const isSame = nodes.length === old.childNodes.length;
  if (!isSame || nodes.some((node, place) => node !== old.childNodes[place])) {
    old.replaceChildren(...nodes);
  }
  return old;
}

function button(label, help) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = label;
  node.title = help;
  return node;
}

function render({ model, el }) {
  const view = document.createElement("div");
  const bar = document.createElement("div");
  bar.className = "okso-live-bar";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Control the run");
  const pause = button("Pause", "Running steps finish, then the run holds; it can be resumed");
  const stop = button("Stop", "End the run; cells that wait behind this one do not run");
  bar.append(pause, stop);
  // keys typed here are not notebook shortcuts
  bar.setAttribute("data-lm-suppress-shortcuts", "true");

  function draw() {
    const template = document.createElement("template");
    template.innerHTML = model.get("html");
    const fresh = template.content.firstElementChild;
    const old = view.firstElementChild;
    if (!old || !fresh) {
      view.replaceChildren(...(fresh ? [fresh] : []));
    } else if (merged(old, fresh) !== old) {
      old.replaceWith(fresh);
    }
  }
  const gone = document.createElement("p");
  gone.setAttribute("role", "status");
  let isGone = false;
  function able() {
    pause.disabled = isGone || !model.get("can_pause");
    stop.disabled = isGone || !model.get("can_stop");
  }
  function ask(action) {
    followFocus(el);
    (action === "stop" ? [pause, stop] : [pause]).forEach((one) => {
      one.disabled = true;
    });
    model.send({ action });
  }

  pause.addEventListener("click", () => ask("pause"));
  stop.addEventListener("click", () => ask("stop"));
  model.on("change:html", draw);
  model.on("change:can_pause change:can_stop", able);
  const leave = whenKernelIsGone(model, () => {
    isGone = true;
    able();
    gone.textContent = `The kernel has ended. ${model.get("way_on")}`;
    bar.append(gone);
  });
  draw();
  able();
  el.append(view, bar);
  return () => {
    leave();
    if (!isGone) bar.remove(); // the panel was closed, and its last HTML stays
    model.off("change:html", draw);
    model.off("change:can_pause change:can_stop", able);
  };
}

// draws into slots; `render` is called where the front end displays the widget
const initialize = ({ model }) => fillSlots(model, (el) => render({ model, el }));

export default { initialize, render };
