// The form: drawn from the kernel's state and the user's draft; each message holds the whole draft.

let forms = 0;

const PAUSE_MS = 700; // how long nothing is typed until the plan is checked

class OksoForm {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.name = `okso-${++forms}`;
    this.state = model.get("state");
    this.head = this.state.head;
    this.draft = draftOf(this.state);
    this.heard = draftOf(this.state); // the draft last sent to or received from the kernel
    this.kept = this.state.feedback ?? ""; // earlier feedback without effect, to be reworded
    this.text = this.kept;
    this.notice = this.state.notice;
    this.unfolded = new Set();
    this.left = new Map(); // arguments that had no value when they were first shown
    this.sent = ""; // the action whose answer is pending
    this.wants = ""; // the action to continue with once the draft has been checked
    this.owes = false; // a field was left while an answer was pending
    this.isHeld = false; // a pointer is down: nothing under it may move
    this.isLate = false; // a state arrived while the pointer was down
    this.isStale = false; // something else has to be redrawn
    this.isGone = false; // the kernel has ended
    this.pause = 0; // timer of the check of what is being typed
  }

  // HTML that replaces the form when it is closed; empty before
  get card() {
    return this.model.get("card");
  }

  get isChanged() {
    return !isSame(this.draft, this.heard);
  }

  draw() {
    this.isStale = this.isHeld;
    if (this.isHeld) return;
    keepingFocus(this.root, () => patch(this.root, page(this)));
    unfoldErrors(this.root);
    this.root.querySelectorAll("textarea").forEach(grow);
  }

  say(notice) {
    this.notice = notice;
    this.draw();
  }

  send(action) {
    clearTimeout(this.pause);
    if (this.card || this.isGone) return;
    this.sent = action;
    this.heard = structuredClone(this.draft);
    if (action !== "check") followFocus(this.root);
    const { shown, round } = this.state;
    // unchanged feedback that was already sent does not block another decision
    const text = action === "feedback" || this.text !== this.kept ? this.text : "";
    this.model.send({ action, shown, round, text: worded(this.state, action, text), draft: this.heard });
    this.say(action === "check" ? "Checking." : "Sent. Waiting for the kernel.");
  }

  // What is typed is checked after a pause, so that the plan that is read is the one to approve.
  checkSoon() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.check(), PAUSE_MS);
  }

  check() {
    clearTimeout(this.pause);
    this.owes = Boolean(this.sent);
    if (this.isChanged && !this.sent) this.send("check");
    else this.draw();
  }

  decide(action) {
    if (this.isGone || (this.sent && this.sent !== "check")) return;
    if (action === "feedback" && !this.text.trim() && !this.state.is_uncertain) {
      this.say("Nothing was sent: first write what should be different.");
      this.root.querySelector(".okso-feedback textarea").focus();
    } else if (action === "approve" && (this.sent || this.isChanged)) {
      this.wants = action;
      this.check();
    } else if (action === "approve" && hasErrors(this.state)) {
      this.refuse();
    } else {
      this.send(action);
    }
  }

  refuse() {
    this.say(`Nothing was approved. ${errorWords(this.state)}`);
    this.root.querySelector(WRONG)?.focus();
  }

  take() {
    this.isLate = this.isHeld;
    if (this.isHeld) return;
    const [before, was] = [this.state, this.sent];
    this.state = this.model.get("state");
    if (!hasErrors(this.state)) this.head = this.state.head;
    this.draft = merged(this.draft, this.heard, this.state);
    this.heard = draftOf(this.state);
    this.sent = "";
    this.say(this.state.notice || `Checked. ${newsOf(this.state)}`);
    if (was === "approve" && hasErrors(this.state)) this.refuse();
    else if (this.wants) this.goOn(before);
    else if (this.owes) this.check();
  }

  // Continues an action after the check of its draft; approves only if the shown effects of the
  // draft are unchanged.
  goOn(before) {
    const action = this.wants;
    this.wants = "";
    if (hasErrors(this.state) || isSame(deeds(before), deeds(this.state))) this.decide(action);
    else this.say("Checked: what would be done is not the same any more. Look, then approve.");
  }

  // Shows the form, and focuses a plan that replaces another, unless the user is typing elsewhere.
  begin() {
    this.draw();
    const isNext = this.root.querySelector(".okso-head .okso-diff") !== null;
    const isWriting = document.activeElement?.matches("input, textarea, [contenteditable='true']");
    if (isWriting) return;
    // feedback that changed nothing is in its box, to be said in other words
    const place = this.kept ? ".okso-feedback textarea" : ".okso-title";
    if (isNext) this.root.querySelector(place).focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  hold(isHeld) {
    this.isHeld = isHeld;
    if (!isHeld && this.isLate) this.take();
    else if (this.isStale) this.draw();
  }

  lose() {
    if (this.card) return;
    this.isGone = true;
    this.say(`The kernel has ended: nothing can be decided here any more. ${this.model.get("way_on")}`);
  }

  // The tab that ran the cell already shows the card instead of the form. Other and reloaded tabs
  // do not receive that update: they draw the card here.
  close() {
    this.isHeld = false;
    this.draw();
  }
}

// a state with errors has no fingerprint and cannot be approved
const approveClass = (state) => (state.approve ? "okso-primary okso-loses" : "okso-primary");
const hasErrors = (state) => state.shown === "";

const WRONG = "[aria-invalid='true'], .okso-wrong :is(input, button), .okso-problem > p";

const newsOf = (state) => (hasErrors(state) ? errorWords(state) : scoreWords(state));

// the first error in words, and the number of further ones
function errorWords({ steps, problem: whole }) {
  const errors = steps.flatMap(({ id, error, args }) => [
    ...(error ? [`step ${id}: ${error}`] : []),
    ...args.filter((arg) => arg.error).map((arg) => `step ${id}, ${arg.name}: ${arg.error}`),
  ]);
  if (whole) errors.push(whole);
  const more = errors.length > 1 ? `; and ${errors.length - 1} more` : "";
  return `Correct this first: ${errors[0]}${more}.`;
}

// encodes the answer "it was done", with its result if one was entered
const worded = (state, action, text) =>
  state.is_uncertain && action === "feedback" ? ["done", text.trim()].filter(Boolean).join(": ") : text;

const deeds = (state) => state.steps.map(({ id, effects, html }) => [id, effects, html]);

const points = (score) => `${Math.round(score * 100) / 100} points`;

function scoreWords({ score, score_before }) {
  if (score === null) return "";
  const isNew = score_before !== null && score_before !== score;
  return `Score: ${points(score)}${isNew ? `, before your changes ${points(score_before)}` : ""}`;
}

// an error that a person has to correct is never folded away
function unfoldErrors(root) {
  for (const wrong of root.querySelectorAll("[aria-invalid='true']")) {
    for (let node = wrong; node !== root; node = node.parentNode) {
      if (node.nodeName === "DETAILS") node.open = true;
    }
  }
}

function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

// --- the page ------------------------------------------------------------------------------

function page(view) {
  if (view.card) return closedPage(view);
  const root = made("div", FRAME, view.head);
  root.querySelector(".okso-title")?.setAttribute("tabindex", "-1");
  root.append(
    ...[scoring(view), readings(view)].filter(Boolean),
    element("div", { class: "okso-steps" }, view.draft.steps.map((own) => card(view, own))),
    wholeProblem(view),
    waiting(view),
    ...deciding(view),
    notice(view.notice),
    ...[origin(view)].filter(Boolean),
  );
  return root;
}

function closedPage({ card }) {
  const root = made("div", {}, card);
  root.append(notice("This form is closed and changes nothing any more."));
  return root;
}

function notice(text) {
  return element("p", { class: "okso-notice", role: "status", "data-key": "notice" }, text);
}

// keys typed here are text, not notebook shortcuts
const FRAME = {
  class: "okso okso-form mathjax_ignore tex2jax_ignore",
  role: "group",
  "aria-label": "Decide about the plan",
  "data-lm-suppress-shortcuts": "true",
};

// the planner's own score is listed among the candidates
function scoring({ state }) {
  if (state.score === null || state.score === state.score_before) return null;
  const notes = state.score_notes.map((note) => element("li", {}, note));
  const words = element("summary", {}, scoreWords(state));
  return notes.length
    ? element("details", { class: "okso-fold", "data-key": "score" }, words, element("ul", {}, notes))
    : element("p", { "data-key": "score" }, scoreWords(state));
}

// the buttons come first; an answer about a step that was cut off may need its result before
function deciding(view) {
  const row = (buttons) => element("div", { class: "okso-decide", "data-key": "decide" }, buttons);
  const [buttons, box] = [decisions(view), feedback(view)];
  if (view.state.is_uncertain) return [box, row(buttons)];
  const [approve, send, reject] = buttons;
  box.append(send);
  return [row([approve, reject]), box];
}

// how the plan was chosen: the other candidates, and all that was not needed to decide
function origin(view) {
  const { title, html } = view.state.origin;
  const choice = candidates(view);
  if (!title && !choice) return null;
  return element(
    "details",
    { class: "okso-fold", "data-key": "origin" },
    element("summary", {}, title || "Candidates"),
    choice,
    made("div", { "data-key": "chosen" }, html),
  );
}

// what a question may mean, where no reading is well ahead: one click chooses
function readings(view) {
  const offered = view.state.readings;
  if (offered.length < 2) return null;
  const id = `${view.name}-readings`;
  const frame = { class: "okso-readings", role: "group", "aria-labelledby": id, "data-key": "readings" };
  const buttons = offered.map(({ candidate, words }) =>
    element(
      "button",
      {
        type: "button",
        "data-do": "reading",
        "data-candidate": candidate,
        "data-key": `reading-${candidate}`,
        "aria-pressed": String(view.draft.candidate === candidate),
      },
      words.flatMap(([word, isOwn]) => [isOwn ? element("b", {}, word) : word, " "]),
    ),
  );
  return element("div", frame, element("p", { id }, "Which of these is meant?"), buttons);
}

function candidates(view) {
  const offered = view.state.candidates;
  if (offered.length < 2) return null;
  const options = offered.map(({ candidate, score, outline }) => {
    const option = element("option", { value: candidate });
    option.textContent = `${candidate}: ${points(score)}: ${outline.replaceAll("\n", " · ")}`;
    return option;
  });
  const id = `${view.name}-candidate`;
  const choice = element("select", { id, "data-do": "candidate" }, options);
  choice.value = String(view.draft.candidate);
  const label = element("label", { for: id }, "Candidate");
  return element("div", { class: "okso-field okso-candidate", "data-key": "candidate" }, label, choice);
}

function wholeProblem({ name, state }) {
  const said = problem(`${name}-problem`, state.problem);
  said?.setAttribute("tabindex", "-1");
  return element("div", { class: "okso-problem", "data-key": "problem" }, said);
}

// why the plan cannot be approved as it is, shown beside the inactive button
function waiting({ state, isChanged }) {
  const words = hasErrors(state) && !isChanged ? errorWords(state) : "";
  return element("p", { class: "okso-waiting", "data-key": "waiting" }, words);
}

function feedback(view) {
  const id = `${view.name}-feedback`;
  const box = element("textarea", {
    id,
    rows: 1,
    "data-do": "feedback",
    placeholder: view.state.is_uncertain
      ? "what it gave, as you found it; may stay empty"
      : "for example: look in data/ too, and do not write a file",
  });
  box.value = view.text;
  const words = view.state.is_uncertain ? "Result, if it was done" : "Feedback: what should be different?";
  const label = element("label", { for: id }, words);
  return element("div", { class: "okso-feedback", "data-key": "feedback" }, label, box);
}

// possible answers about the outcome of an interrupted step
const ANSWERS = [
  ["feedback", "It was done", "Take it as done, with the result in the box, and go on"],
  ["approve", "Do it again", "Run this step once more: what it did already is done twice"],
  ["reject", "Leave it out", "Go on without this step, and without those that wait for it"],
];

function decisions(view) {
  const isBusy = view.isGone || (Boolean(view.sent) && view.sent !== "check");
  const upTo = view.draft.up_to;
  const [approve, what] =
    upTo === null
      ? [view.state.approve || "Approve", "Approve this plan and run it"]
      : [`Approve up to step ${upTo}`, `Run the steps up to ${upTo}, then ask again`];
  // a click on it still reports the error and moves to it
  const isWrong = hasErrors(view.state) && !view.isChanged;
  const help = isWrong ? errorWords(view.state) : what;
  const offered = view.state.is_uncertain
    ? ANSWERS
    : [
        ["approve", approve, help],
        ["feedback", "Send feedback", "Send the feedback and get another plan"],
        ["reject", "Reject", "Reject this plan: nothing runs"],
      ];
  return offered.map(([decision, text, title]) =>
    element(
      "button",
      {
        type: "button",
        class: decision === offered[0][0] ? approveClass(view.state) : null,
        title,
        "data-do": "decide",
        "data-decision": decision,
        "data-key": decision,
        "data-busy": isBusy ? "true" : null,
        "aria-disabled": String(isBusy || (isWrong && decision === "approve")),
      },
      text,
    ),
  );
}

// --- what the user does --------------------------------------------------------------------

const argOf = (form, step, name) =>
  form.state.steps.find(({ id }) => id === Number(step)).args.find((arg) => arg.name === name);

const CLICKS = {
  decide: (form, { decision }) => form.decide(decision),
  move: (form, { step, by }) => {
    if (move(form.draft, Number(step), Number(by))) form.check();
  },
  stop: (form, { step }) => {
    form.draft.up_to = form.draft.up_to === Number(step) ? null : Number(step);
    form.check();
  },
  add: (form, { step, of }) => {
    addRow(stepOf(form.draft, Number(step)), argOf(form, step, of));
    form.check();
  },
  drop: (form, { step, of, row }) => {
    dropRow(stepOf(form.draft, Number(step)), argOf(form, step, of), Number(row));
    form.check();
  },
  reading: (form, { candidate }) => {
    form.draft.candidate = Number(candidate);
    form.check();
  },
  fold: (form, { field }) => {
    if (!form.unfolded.delete(field)) form.unfolded.add(field);
    form.draw();
  },
};

// what a click acts on: it would miss one that moved between the press and the release
const PRESSED = "button, summary, label, input[type='checkbox']";

function clicked(form, event) {
  const pressed = event.target.closest("button[data-do]");
  const isOff = pressed?.getAttribute("aria-disabled") === "true";
  if (pressed && (!isOff || (pressed.dataset.do === "decide" && !pressed.dataset.busy))) {
    CLICKS[pressed.dataset.do](form, pressed.dataset);
  }
}

function typed(form, { target }) {
  const { do: part, step, arg } = target.dataset;
  const own = step && stepOf(form.draft, Number(step));
  if (part === "feedback") form.text = target.value;
  else if (part === "tick") own.ticked = target.checked;
  else if (part === "candidate") form.draft.candidate = Number(target.value);
  else if (part === "part") {
    const { of, row, part: name } = target.dataset;
    setPart(own, argOf(form, step, of), { row: Number(row), part: name }, target.value);
  } else if (arg !== undefined) {
    own.args[arg] = target.value;
    if (target.nodeName !== "SELECT") form.checkSoon();
  }
  if (target.nodeName === "TEXTAREA") grow(target);
}

function render({ model, el }) {
  const root = element("div");
  const form = new OksoForm(model, root);
  // not on drop-down lists: an open one does not pass on the pointer's release
  const hold = ({ target }) => form.hold(target.closest(PRESSED) !== null);
  const release = () => setTimeout(() => form.hold(false));
  const take = () => form.take();
  const close = () => form.close();
  root.addEventListener("click", (event) => clicked(form, event));
  root.addEventListener("input", (event) => typed(form, event));
  root.addEventListener("change", () => form.check());
  root.addEventListener("pointerdown", hold);
  window.addEventListener("pointerup", release);
  window.addEventListener("pointercancel", release);
  model.on("change:state", take);
  model.on("change:card", close);
  const leave = whenKernelIsGone(model, () => form.lose());
  el.append(root);
  form.draw();
  setTimeout(() => form.begin());
  return () => {
    clearTimeout(form.pause);
    leave();
    window.removeEventListener("pointerup", release);
    window.removeEventListener("pointercancel", release);
    model.off("change:state", take);
    model.off("change:card", close);
  };
}

// draws into slots; `render` is called where the front end displays the widget
const initialize = ({ model }) => fillSlots(model, (el) => render({ model, el }));

export default { initialize, render };
