// A list as rows of fields, such as the conditions of a query; what is sent is its text as JSON.

// values of these comparisons are lists
const SEVERAL = new Set(["in", "between"]);

// Returns the items of a field that is shown as rows; null for a text that is no such list.
function itemsOf(arg, text) {
  let items = [];
  try {
    items = text.trim() ? JSON.parse(text) : [];
  } catch {
    return null;
  }
  const names = new Set(arg.parts.map(({ name }) => name));
  const fits = (item) =>
    names.has("")
      ? typeof item === "string"
      : item !== null && typeof item === "object" && Object.keys(item).every((key) => names.has(key));
  return Array.isArray(items) && items.every(fits) ? items : null;
}

const listText = (items) => (items.length ? JSON.stringify(items, null, 2) : "");

function rows(step, arg, items, attributes) {
  const place = { "data-step": step.id, "data-of": arg.name };
  const drawn = items.map((item, row) => rowOf(arg, item, { ...place, "data-row": row }));
  const add = element("button", { type: "button", "data-do": "add", ...place }, "Add");
  add.setAttribute("aria-label", `Add to ${arg.name} of step ${step.id}`);
  const { id, "aria-describedby": described } = attributes;
  const group = { id, class: "okso-list", role: "group", "aria-label": arg.name, "aria-describedby": described };
  return element("div", group, drawn, add);
}

function rowOf(arg, item, place) {
  const row = place["data-row"];
  const parts = arg.parts.map((part) => {
    const value = part.name ? item[part.name] : item;
    const own = { ...place, "data-do": "part", "data-part": part.name, "data-key": `part-${part.name}` };
    own["aria-label"] = [arg.name, row + 1, part.name].filter((word) => word !== "").join(" ");
    return partField(part, shownValue(value), own);
  });
  const words = `Remove ${row + 1} from ${arg.name} of step ${place["data-step"]}`;
  const drop = { type: "button", "data-do": "drop", "aria-label": words, title: words, ...place };
  return element("div", { class: "okso-row", "data-key": `row-${row}` }, parts, element("button", drop, "✕"));
}

function partField(part, text, attributes) {
  if (!part.choices.length) {
    const input = element("input", { type: "text", placeholder: part.name, ...attributes });
    input.value = text;
    return input;
  }
  const values = [...(part.required ? [] : [""]), ...part.choices, ...(text ? [text] : [])];
  const options = [...new Set(values)].map((value) => {
    const option = element("option", {}, value || `(no ${part.name})`);
    option.value = value;
    return option;
  });
  const select = element("select", attributes, options);
  select.value = text;
  return select;
}

const shownValue = (value) => {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
};

// A text that was a number stays one; a table compares its cells by what they hold.
function valueOf(text, before) {
  const isNumber = [before].flat().some((value) => typeof value === "number");
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function setPart(own, arg, { row, part }, text) {
  const items = itemsOf(arg, own.args[arg.name]);
  if (!items) return;
  if (!part) items[row] = text;
  else if (text === "" && !arg.parts.find(({ name }) => name === part).required) delete items[row][part];
  else if (part === "value" && SEVERAL.has(items[row].comparison)) {
    items[row][part] = text.split(/,\s*/).map((one) => valueOf(one, items[row][part]));
  } else items[row][part] = valueOf(text, items[row][part]);
  own.args[arg.name] = listText(items);
}

function addRow(own, arg) {
  const first = ({ choices }) => choices[0] ?? "";
  const needed = arg.parts.filter(({ required }) => required);
  const fresh = arg.parts[0].name
    ? Object.fromEntries(needed.map((part) => [part.name, first(part)]))
    : first(arg.parts[0]);
  own.args[arg.name] = listText([...(itemsOf(arg, own.args[arg.name]) ?? []), fresh]);
}

function dropRow(own, arg, row) {
  const items = itemsOf(arg, own.args[arg.name]) ?? [];
  own.args[arg.name] = listText(items.filter((_, place) => place !== row));
}
