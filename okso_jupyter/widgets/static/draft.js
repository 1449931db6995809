// The draft: the plan as edited by the user, sent with every message.

function draftOf(state) {
  const texts = (step) => Object.fromEntries(step.args.map(({ name, text }) => [name, text]));
  return {
    candidate: state.candidate,
    up_to: state.up_to,
    steps: state.steps.map((step) => ({ id: step.id, ticked: step.ticked, args: texts(step) })),
  };
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// Keeps what the user has changed since the last message; takes the rest from the kernel's state.
function merged(mine, heard, state) {
  const theirs = draftOf(state);
  const pick = (own, old, its) => (own === undefined || isSame(own, old) ? its : own);
  const ids = (draft) => draft.steps.map((step) => step.id);
  const order = pick(ids(mine), ids(heard), ids(theirs));
  const step = (its) => {
    const own = stepOf(mine, its.id);
    const old = stepOf(heard, its.id);
    const args = Object.entries(its.args).map(([name, text]) => [
      name,
      pick(own?.args[name], old?.args[name], text),
    ]);
    const ticked = pick(own?.ticked, old?.ticked, its.ticked);
    return { id: its.id, ticked, args: Object.fromEntries(args) };
  };
  return {
    candidate: pick(mine.candidate, heard.candidate, theirs.candidate),
    up_to: pick(mine.up_to, heard.up_to, theirs.up_to),
    steps: theirs.steps.map(step).sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id)),
  };
}

function stepOf(draft, id) {
  return draft.steps.find((step) => step.id === id);
}

// Swaps a step with its neighbour; returns whether there was one.
function move(draft, id, by) {
  const from = draft.steps.findIndex((step) => step.id === id);
  const to = from + by;
  if (to < 0 || to >= draft.steps.length) return false;
  [draft.steps[from], draft.steps[to]] = [draft.steps[to], draft.steps[from]];
  return true;
}
