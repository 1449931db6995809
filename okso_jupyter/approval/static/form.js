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
    model.send({ decision, feedback: box.value, shown: model.get("shown") });
  }

  // counts refusals, since the same sentence twice would be no change
  function refused() {
    notice.textContent = model.get("notice");
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
  notice.textContent = model.get("notice");
  model.on("change:refusals", refused);
  el.append(bar);
  return () => model.off("change:refusals", refused);
}

export default { render };
