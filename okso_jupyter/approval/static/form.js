// The decision bar: one message carries the whole decision and what it is about.

let bars = 0;

function element(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

function render({ model, el }) {
  const id = `okso-feedback-${++bars}`;
  const box = element("textarea", {
    id,
    rows: "2",
    placeholder: "for example: look in data/ too, and do not write a file",
  });
  const notice = element("p", { class: "okso-bar-notice", role: "status" });
  const buttons = [
    ["approve", "Approve", "Approve this plan and run it"],
    ["feedback", "Send feedback", "Send the feedback and get another plan"],
    ["reject", "Reject", "Reject this plan: nothing runs"],
  ].map(([decision, label, help]) => {
    const button = element("button", { type: "button", title: help }, label);
    button.dataset.decision = decision;
    button.classList.toggle("okso-primary", decision === "approve");
    button.addEventListener("click", () => send(decision));
    return button;
  });

  function lock(locked) {
    for (const button of buttons) {
      button.disabled = locked;
    }
  }

  function send(decision) {
    lock(true);
    notice.textContent = "Sent. Waiting for the kernel.";
    const { shown, round, candidate, up_to, steps } = model.get("state");
    const draft = {
      candidate,
      up_to,
      steps: steps.map(({ id, ticked, args }) => ({
        id,
        ticked,
        args: Object.fromEntries(args.map(({ name, text }) => [name, text])),
      })),
    };
    model.send({ action: decision, shown, round, text: box.value, draft });
  }

  const cards = element("div", {});

  // every answer of the kernel is a state of another round
  function answered() {
    const state = model.get("state");
    cards.innerHTML = [state.head, ...state.steps.map(card)].join("");
    notice.textContent = state.notice;
    lock(false);
  }

  const bar = element(
    "div",
    { class: "okso-bar", role: "group", "aria-label": "Decide about the plan" },
    element("label", { for: id }, "Feedback: what should be different?"),
    box,
    element("div", { class: "okso-bar-buttons" }, ...buttons),
    notice,
  );
  // letters typed here are text, not commands of the notebook
  bar.setAttribute("data-lm-suppress-shortcuts", "true");
  answered();
  model.on("change:state", answered);
  el.append(cards, bar);
  return () => model.off("change:state", answered);
}

// HTML of the kernel is escaped there; a name or text of an argument is escaped here
function card({ id, tool, ended, effects, words, html, args }) {
  const rows = args.flatMap(({ name, text, open }) => [
    element("dt", {}, name),
    element("dd", {}, open ? "(filled in when the step is due)" : text),
  ]);
  const list = element("dl", { class: "okso-rows" }, ...rows).outerHTML;
  const head = element("div", {}, `${id} ${tool} ${ended}`).outerHTML;
  return `<div class="okso-step">${head}${effects}${words}${list}${html}</div>`;
}

export default { render };
