// Buttons below an approved plan that have a step allowed from now on: inserted into the plan's static
// HTML while the kernel lives. The first click shows a rule, only the second one writes it.

function ruleText(text) {
  const node = document.createElement("pre");
  node.className = "okso-rule-text";
  node.textContent = text;
  return node;
}

function initialize({ model }) {
  let isSent = false;

  function buttonFor(message, label, help) {
    const press = () => {
      if (isSent) return;
      isSent = true;
      model.send(message);
      drawAll();
    };
    const node = buttonOf(label, help, press);
    node.setAttribute("aria-disabled", isSent);
    return node;
  }

  function partsOf(_bar, isGone) {
    const note = isGone ? KERNEL_GONE : model.get("note");
    const said = note ? [statusOf(note)] : [];
    if (isGone) return said;
    if (!model.get("text")) {
      const offer = ([step, words]) =>
        buttonFor({ action: "show", step }, `Rule for ${words}`, "Show the rule and what it would have done");
      return [...model.get("steps").map(offer), ...said];
    }
    return [
      ruleText(model.get("text")),
      buttonFor({ action: "allow" }, "Allow from now on", "Write this rule to your policy"),
      buttonFor({ action: "keep" }, "Keep asking", "Write no rule"),
      ...said,
    ];
  }

  const { drawAll, remove } = insertBars(
    model,
    { name: `okso-rules-${model.get("plan")}`, label: "Always allow", className: "okso-rules-bar okso-live-bar" },
    partsOf,
  );
  model.on("change:steps change:text change:note", drawAll);
  model.on("msg:custom", () => {
    isSent = false;
    drawAll();
  });
  return remove;
}

export default { initialize };
