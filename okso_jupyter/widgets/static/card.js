// Step card: checkbox, what it does, effects, position, call, preview, and folded its fields.

const LONG_LINES = 12;
const LONG_CHARACTERS = 800;
const UNKNOWN = "<p>What it would do is said again once its fields are right.</p>";

function card(view, own) {
  const step = view.state.steps.find(({ id }) => id === own.id);
  const title = `step ${step.id}, ${step.tool}`;
  const frame = { role: "group", "aria-label": title, "data-key": `step-${step.id}` };
  if (step.ended) return endedCard(step, frame);
  const reason = whyNot(view, own, step);
  const error = problem(`${view.name}-${step.id}-error`, step.error);
  return element(
    "div",
    {
      ...frame,
      class: `okso-step${reason ? " okso-out" : ""}${step.error ? " okso-wrong" : ""}`,
      "aria-describedby": error && error.id,
    },
    cardHead(view, own, step, reason),
    reason ? element("p", { class: "okso-reason" }, reason) : null,
    error,
    step.was ? element("p", { class: "okso-was" }, "Changed by you, was: ", was(step.was)) : null,
    call(step),
    made("div", { class: "okso-about" }, step.html || (isWrong(step) ? UNKNOWN : "")),
    argumentFold(view, step, own),
  );
}

const was = (text) => element("del", {}, text);

const call = ({ call }) =>
  call ? element("p", { class: "okso-call" }, element("code", {}, call)) : null;

// Open where the call does not tell every argument in full.
function argumentFold(view, step, own) {
  const words = step.can_edit ? "Change arguments" : "Arguments";
  const fold = { class: "okso-fold", "data-key": "arguments", open: !step.is_whole };
  return element(
    "details",
    fold,
    element("summary", { "aria-label": `${words} of step ${step.id}` }, words),
    made("div", { class: "okso-words" }, step.words),
    fields(view, step, own),
    made("div", { class: "okso-limits" }, step.limits),
  );
}

const isWrong = (step) => step.error !== "" || step.args.some((arg) => arg.error !== "");

function endedCard(step, frame) {
  return element(
    "div",
    { ...frame, class: "okso-step okso-ended" },
    element("b", {}, String(step.id)),
    ` ${step.sentence}: ${step.ended}; ran already, and does not run again`,
    made("div", { class: "okso-about" }, step.html),
  );
}

function whyNot(view, own, step) {
  if (!own.ticked) return "Left out: not ticked.";
  if (step.off_reason) return `Left out: ${step.off_reason}.`;
  const steps = view.draft.steps;
  const place = (id) => steps.findIndex((other) => other.id === id);
  const isLater = view.draft.up_to !== null && place(step.id) > place(view.draft.up_to);
  return isLater ? `Later: you are asked again after step ${view.draft.up_to}.` : "";
}

function cardHead(view, own, step, reason) {
  const id = `${view.name}-${step.id}-tick`;
  const name = element("label", { for: id }, element("b", {}, String(step.id)), " ");
  name.append(element("span", { class: "okso-sentence" }, step.sentence));
  return element(
    "div",
    { class: "okso-step-head" },
    step.can_edit ? tickBox(own, step, id) : null,
    element("div", { class: "okso-step-name", role: "heading", "aria-level": 4 }, name),
    made("div", { class: "okso-effects" }, step.effects),
    step.can_edit ? placeButtons(view, step, reason) : null,
  );
}

function tickBox(own, step, id) {
  const tick = element("input", {
    id,
    type: "checkbox",
    "aria-label": `run step ${step.id}, ${step.tool}`,
    title: "run this step",
    "data-do": "tick",
    "data-step": step.id,
  });
  tick.checked = own.ticked;
  tick.indeterminate = own.ticked && step.off_reason !== "";
  return tick;
}

function placeButtons(view, step, reason) {
  const place = view.draft.steps.findIndex(({ id }) => id === step.id);
  const last = view.draft.steps.length - 1;
  const isStop = view.draft.up_to === step.id;
  const stop = button("stop", "Up to here", `Up to here: run to step ${step.id}, then ask again`, {
    "data-step": step.id,
    "aria-pressed": String(isStop),
  });
  return element(
    "div",
    { class: "okso-place" },
    place < last && (isStop || !reason) ? stop : null,
    moveButton(step, -1, canMove(view, place - 1)),
    moveButton(step, +1, canMove(view, place + 1)),
  );
}

// steps that have already run keep their positions
function canMove(view, to) {
  const neighbour = view.draft.steps[to];
  return Boolean(neighbour && view.state.steps.find(({ id }) => id === neighbour.id).can_edit);
}

function moveButton(step, by, can) {
  const way = by < 0 ? "up" : "down";
  return button("move", by < 0 ? "↑" : "↓", `Move step ${step.id} ${way}`, {
    "data-step": step.id,
    "data-by": by,
    "aria-disabled": String(!can),
  });
}

// disabled by ARIA only: a disabled button would lose the focus
function button(action, text, name, attributes) {
  const more = { "data-key": `${action}${attributes["data-by"] ?? ""}`, title: name };
  return element(
    "button",
    { type: "button", "data-do": action, "aria-label": name, ...more, ...attributes },
    text,
  );
}

function problem(id, text) {
  if (!text) return null;
  const mark = element("b", {}, element("span", { "aria-hidden": "true" }, "✗ "), "Error: ");
  return element("p", { id, class: "okso-error" }, mark, text);
}

// --- fields --------------------------------------------------------------------------------

// Fields that the plan leaves to the tool are folded, and stay there once they are filled.
function fields(view, step, own) {
  if (!step.args.length) return element("p", { class: "okso-none" }, "no arguments");
  const isLeft = (arg) => leftToTool(view, step, arg);
  const grid = (args) => {
    const rows = args.map((arg) => field(view, step, arg, own.args[arg.name]));
    return element("div", { class: "okso-fields" }, rows);
  };
  const [left, given] = [step.args.filter(isLeft), step.args.filter((arg) => !isLeft(arg))];
  const words = `Not set: ${left.map(({ name }) => name).join(", ")}`;
  const isWanted = left.some(({ text, error }) => text || error);
  const fold = { class: "okso-fold", "data-key": "left", open: isWanted };
  return element(
    "div",
    { "data-key": "fields" },
    given.length ? grid(given) : null,
    left.length ? element("details", fold, element("summary", {}, words), grid(left)) : null,
  );
}

function leftToTool(view, step, arg) {
  const key = JSON.stringify([view.state.candidate, step.id, step.tool, arg.name]);
  const isLeft = arg.text === "" && !arg.open && !arg.required;
  if (!view.left.has(key)) view.left.set(key, isLeft);
  return view.left.get(key);
}

function field(view, step, arg, text) {
  const id = `${view.name}-${step.id}-${step.args.indexOf(arg)}`;
  const error = problem(`${id}-error`, arg.error);
  const hint = arg.description
    ? element("span", { id: `${id}-hint`, class: "okso-hint" }, arg.description)
    : null;
  const input = control(step, arg, text, {
    id,
    "data-step": step.id,
    "data-arg": arg.name,
    "aria-invalid": arg.error ? "true" : null,
    "aria-required": arg.required ? "true" : null,
    "aria-describedby": [error?.id, hint?.id].filter(Boolean).join(" ") || null,
    spellcheck: "false",
    readonly: !step.can_edit,
    disabled: !step.can_edit && OFFERED.has(arg.kind),
  });
  input.value = text;
  const label = element("label", { for: id, title: arg.description || null }, arg.name);
  const box = element("div", { class: "okso-control" }, input, fold(view, id, input, text));
  // the sentence of the step says what a list was
  box.append(...[arg.kind === "rows" ? null : edit(arg), error, hint].filter(Boolean));
  return element("div", { class: "okso-field", "data-key": arg.name }, label, box);
}

// the proposed value of a field that was edited
function edit({ was: before }) {
  if (before === null || before === undefined) return null;
  return element("p", { class: "okso-was" }, "Was: ", before === "" ? "(not set)" : was(before));
}

const OFFERED = new Set(["boolean", "choice"]);

function control(step, arg, text, attributes) {
  const items = arg.kind === "rows" && step.can_edit ? itemsOf(arg, text) : null;
  if (items) return rows(step, arg, items, attributes);
  if (OFFERED.has(arg.kind)) return select(arg, text, attributes);
  const placeholder = arg.open ? "filled in when the step is due" : null;
  if (arg.kind === "number") {
    return element("input", { type: "text", inputmode: "decimal", placeholder, ...attributes });
  }
  return element("textarea", { rows: 1, placeholder, ...attributes });
}

function select(arg, text, attributes) {
  const offered = arg.kind === "boolean" ? ["true", "false"] : arg.choices;
  const none = arg.open ? "(filled in when the step is due)" : "(not set)";
  const values = [...(arg.required && !arg.open ? [] : [""]), ...offered];
  const options = [...new Set([...values, text])].map((value) => {
    const option = element("option", {}, value === "" ? none : value);
    option.value = value;
    return option;
  });
  return element("select", attributes, options);
}

// long texts are folded into a scrolling box that states their length
function fold(view, id, input, text) {
  const lines = text.split("\n").length;
  if (input.nodeName !== "TEXTAREA" || (lines <= LONG_LINES && text.length <= LONG_CHARACTERS)) {
    return null;
  }
  const isOpen = view.unfolded.has(id);
  input.classList.toggle("okso-folded", !isOpen);
  const words = `${lines.toLocaleString("en")} line${lines === 1 ? "" : "s"}, ${text.length.toLocaleString("en")} characters`;
  return element(
    "button",
    {
      type: "button",
      class: "okso-unfold",
      "data-do": "fold",
      "data-field": id,
      "aria-expanded": String(isOpen),
    },
    isOpen ? `${words}: show less` : `${words}: show all`,
  );
}
