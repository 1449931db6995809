// What the scripts share: one request in the arguments, as JSON, and one answer, as ASCII JSON.
'use strict';

// A refusal that is no error of the application: its kind, and a sentence.
class Problem extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}

// Whether something may have been changed, for an error after it.
let hasBegun = false;

function begin() {
  hasBegun = true;
}

function run(argv) {
  const request = JSON.parse(argv.join(''));
  return JSON.stringify(answerTo(request)).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function answerTo(request) {
  try {
    return { value: HANDLERS[request.do](request) };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.kind, text: error.message };
    return { error: error.errorNumber || 0, text: String(error.message), begun: hasBegun };
  }
}

// Return the one element with a name.
function only(kind, elements, name) {
  const names = elements.name();
  const found = names.flatMap((held, at) => (isSame(held, name) ? [at] : []));
  if (found.length === 1) return elements[found[0]];
  if (found.length) throw new Problem('failed', `there are ${found.length} ${kind}s "${name}"`);
  throw new Problem('missing', `there is no ${kind} "${name}" among ${names.join(', ') || 'none'}`);
}

function isSame(one, other) {
  return one.normalize() === other.normalize();
}

// Return the element with an id, or null.
function withId(elements, ids, id) {
  return ids.includes(id) ? elements.byId(id) : null;
}

// Throw unless an item is still as it was read.
function check(item, fields, expected) {
  if (!item) throw new Problem('changed', 'it is no longer there');
  if (JSON.stringify(fields(item)) !== JSON.stringify(expected)) {
    throw new Problem('changed', 'it was changed in the meantime');
  }
}

// Return a local day as "2030-06-05".
function dayOf(date) {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, at) => String(part).padStart(at ? 2 : 4, '0')).join('-');
}

// Return the beginning of a day such as "2030-06-05".
function beginningOf(day) {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}
