// DOM helpers: create elements, and patch those on the page to match new ones. Only differences are
// changed, so that text, folds, selection and scroll position of the user are kept.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

// HTML from the kernel, which has escaped all foreign text
function made(tag, attributes, html) {
  const node = element(tag, attributes);
  node.innerHTML = html;
  return node;
}

// set by the user: open (folds) and style (heights of resized boxes)
const LEFT_ALONE = new Set(["open", "style"]);

function patch(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return node;
  }
  patchAttributes(node, wanted);
  if (node.nodeName !== "TEXTAREA") patchChildren(node, wanted);
  patchField(node, wanted);
  return node;
}

function patchAttributes(node, wanted) {
  for (const { name } of [...node.attributes]) {
    if (!wanted.hasAttribute(name) && !LEFT_ALONE.has(name)) node.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value && !LEFT_ALONE.has(name)) node.setAttribute(name, value);
  }
}

// once a user has edited a field, its value is a property and no longer an attribute
function patchField(node, wanted) {
  if ("value" in wanted && node.value !== wanted.value) node.value = wanted.value;
  for (const name of ["checked", "indeterminate"]) {
    if (name in wanted) node[name] = wanted[name];
  }
}

function patchChildren(node, wanted) {
  const left = [...node.childNodes];
  let place = node.firstChild;
  for (const fresh of [...wanted.childNodes]) {
    const found = left.findIndex((child) => stands(child, fresh));
    const child = found < 0 ? fresh : patch(left.splice(found, 1)[0], fresh);
    if (child === place) place = place.nextSibling;
    else node.insertBefore(child, place);
  }
  left.forEach((child) => child.remove());
}

function stands(node, wanted) {
  return node.nodeName === wanted.nodeName && node.dataset?.key === wanted.dataset?.key;
}

// a node that is moved loses focus, selection and scroll position
function keepingFocus(root, change) {
  const active = root.getRootNode().activeElement;
  const isField = root.contains(active) && "selectionStart" in active;
  const kept = isField ? [active.selectionStart, active.selectionEnd, active.scrollTop] : [];
  change();
  if (!root.contains(active) || root.getRootNode().activeElement === active) return;
  active.focus({ preventScroll: true });
  if (kept[0] !== undefined && kept[0] !== null) {
    active.setSelectionRange(kept[0], kept[1]);
    active.scrollTop = kept[2];
  }
  active.scrollIntoView({ block: "nearest" });
}
