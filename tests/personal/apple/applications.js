// A small model of scriptable applications: classes, their properties and elements, as their
// dictionaries declare them. What is not declared throws, as in a real application.
//
// Usage: node applications.js STATE.json < {"script": "...", "argv": [...]}
'use strict';

const fs = require('fs');

const stateFile = process.argv[2];
const state = JSON.parse(fs.readFileSync(stateFile, 'utf8'));

const DATES = new Set([
  'creationDate', 'modificationDate', 'dueDate', 'alldayDueDate', 'remindMeDate', 'completionDate',
  'startDate', 'endDate', 'dateReceived', 'dateSent',
]);

// Of each class: properties that are read, that are written too, and elements.
const DICTIONARY = {
  Notes: {
    application: { read: ['name', 'defaultAccount'], write: [], elements: { accounts: 'account', folders: 'folder', notes: 'note' } },
    account: { read: ['id', 'name'], write: [], elements: { folders: 'folder', notes: 'note' } },
    folder: { read: ['id', 'shared'], write: ['name'], elements: { notes: 'note' } },
    note: { read: ['id', 'plaintext', 'creationDate', 'modificationDate', 'passwordProtected', 'shared'], write: ['name', 'body'], elements: { attachments: 'attachment' } },
    attachment: { read: ['id', 'name'], write: [], elements: {} },
  },
  Reminders: {
    application: { read: ['name', 'defaultList'], write: [], elements: { accounts: 'account', lists: 'list', reminders: 'reminder' } },
    list: { read: ['id'], write: ['name'], elements: { reminders: 'reminder' } },
    reminder: { read: ['id', 'creationDate', 'modificationDate'], write: ['name', 'body', 'completed', 'completionDate', 'dueDate', 'alldayDueDate', 'remindMeDate', 'priority', 'flagged'], elements: {} },
  },
  Calendar: {
    application: { read: ['name'], write: [], elements: { calendars: 'calendar' } },
    calendar: { read: ['writable'], write: ['name', 'description'], elements: { events: 'event' } },
    event: { read: ['uid', 'sequence', 'stampDate'], write: ['summary', 'description', 'startDate', 'endDate', 'alldayEvent', 'recurrence', 'excludedDates', 'location', 'url', 'status'], elements: {} },
  },
  Mail: {
    application: { read: ['name', 'inbox', 'draftsMailbox'], write: [], elements: { accounts: 'account', outgoingMessages: 'outgoingMessage' } },
    account: { read: ['id', 'name'], write: [], elements: {} },
    mailbox: { read: ['name', 'unreadCount'], write: [], elements: { messages: 'message' } },
    message: { read: ['id', 'messageId', 'subject', 'sender', 'content', 'dateReceived', 'dateSent'], write: ['readStatus'], elements: { toRecipients: 'recipient', mailAttachments: 'mailAttachment' } },
    mailAttachment: { read: ['id', 'name'], write: [], elements: {} },
    outgoingMessage: { read: ['id'], write: ['subject', 'content', 'sender', 'visible'], elements: { toRecipients: 'recipient' } },
    recipient: { read: [], write: ['name', 'address'], elements: {} },
  },
};

function failure(text, number) {
  return Object.assign(new Error(text), { errorNumber: number });
}

function save() {
  fs.writeFileSync(stateFile, JSON.stringify(state));
}

// Every event that reaches an application; the state says at which one it fails, and how.
function event(application, what) {
  const fault = state.fault || {};
  if (fault.application === application && (fault.at === '*' || fault.at === what)) {
    throw failure(fault.text, fault.number);
  }
}

function revived(name, value) {
  if (name === 'excludedDates') return (value || []).map((text) => new Date(text));
  return DATES.has(name) && value ? new Date(value) : value === undefined ? null : value;
}

function lowered(name, value) {
  if (DATES.has(name) && value !== null && !(value instanceof Date)) throw failure("Can't convert types.", -1700);
  return value instanceof Date ? value.toISOString() : value;
}

// What an application makes of a property that was written.
const CONSEQUENCES = {
  note(record) {
    const lines = record.body.replace(/<br>/g, '').replace(/<\/div>/g, '\n').replace(/<[^>]*>/g, '');
    const names = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", nbsp: '\u00a0' };
    record.plaintext = lines.replace(/&(#?\w+);/g, (_, name) => names[name]).replace(/\n$/, '');
    [record.name] = record.plaintext.split('\n');
  },
  reminder(record) {
    if (record.alldayDueDate) record.dueDate = record.alldayDueDate;
    record.completed = record.completed || false;
  },
};

const MADE = {
  note: (number) => ({ id: `x-coredata://store/ICNote/p${number}`, creationDate: '2030-01-02T03:04:05.000Z', passwordProtected: false, attachments: [] }),
  reminder: (number) => ({ id: `x-apple-reminder://${number}` }),
  event: (number) => ({ uid: `UID-${number}` }),
  recipient: () => ({}),
  outgoingMessage: (number) => ({ id: number, toRecipients: [] }),
};

function nextNumber() {
  state.made = (state.made || 0) + 1;
  return state.made;
}

const RECORD = Symbol('record');

// An object specifier: properties are functions, elements are arrays, nothing else is there.
function item(application, kind, record, siblings) {
  const declared = DICTIONARY[application][kind];
  return new Proxy(() => {}, {
    get(_, name) {
      if (name === RECORD) return { record, siblings, kind };
      if (typeof name === 'symbol') return undefined;
      if (name in declared.elements) return elements(application, declared.elements[name], () => heldBy(record, name));
      if (declared.read.includes(name) || declared.write.includes(name)) {
        return () => {
          event(application, name);
          if (record.passwordProtected && ['body', 'plaintext'].includes(name)) throw failure('the note is locked', -10000);
          const value = revived(name, record[name]);
          return value;
        };
      }
      if (kind === 'outgoingMessage' && name === 'save') return () => saved(application, record);
      if (kind === 'outgoingMessage' && name === 'send') return () => sent(application, record);
      throw failure(`Can't get object: ${kind} has no ${name}.`, -1728);
    },
    set(_, name, value) {
      if (!declared.write.includes(name)) throw failure(`Can't set ${name}.`, -10006);
      event(application, 'set');
      record[name] = lowered(name, value);
      if (CONSEQUENCES[kind]) CONSEQUENCES[kind](record);
      save();
      return true;
    },
  });
}

function heldBy(record, name) {
  if (record[name]) return record[name];
  // elements of an application are those of all its accounts and folders
  return Object.values(record).flatMap((value) => (Array.isArray(value) ? value.flatMap((one) => heldBy(one, name)) : []));
}

function matching(record, query) {
  return Object.entries(query).every(([name, value]) => (record[name] || false) === value);
}

function elements(application, kind, held) {
  const declared = DICTIONARY[application][kind];
  const all = () => held().map((record) => item(application, kind, record, held()));
  return new Proxy(() => {}, {
    apply() {
      event(application, 'list');
      return all();
    },
    get(_, name) {
      if (name === 'length') return held().length;
      if (typeof name === 'symbol') return undefined;
      if (/^\d+$/.test(name)) return all()[Number(name)];
      if (name === 'whose') return (query) => elements(application, kind, () => held().filter((one) => matching(one, query)));
      if (name === 'byId') return (id) => all().find((one) => [one[RECORD].record.id, one[RECORD].record.uid].includes(id));
      if (name === 'push') return (made) => pushed(application, kind, held(), made);
      if (declared.read.includes(name) || declared.write.includes(name)) return () => all().map((one) => one[name]());
      if (name in declared.elements) throw failure('elements of elements are not used here', -1728);
      throw failure(`Can't get object: ${kind} has no ${name}.`, -1728);
    },
  });
}

function pushed(application, kind, held, made) {
  event(application, 'push');
  if (made.kind !== kind) throw failure(`a ${made.kind} is not a ${kind}`, -1700);
  const record = Object.assign(made.record, MADE[kind](nextNumber()), made.record);
  if (CONSEQUENCES[kind]) CONSEQUENCES[kind](record);
  held.push(record);
  made.specifier = item(application, kind, record, held);
  save();
  event(application, 'pushed');
}

// A new object: it is there once it is pushed, and then behaves as any other.
function constructor(application, kind) {
  const declared = DICTIONARY[application][kind];
  return (properties) => {
    const record = {};
    for (const [name, value] of Object.entries(properties)) {
      if (!declared.write.includes(name)) throw failure(`${kind} takes no ${name}`, -10006);
      record[name] = lowered(name, value);
    }
    const made = { kind, record, specifier: null };
    return new Proxy(made, {
      get(_, name) {
        if (name === 'kind' || name === 'record') return made[name];
        if (!made.specifier) throw failure("Can't get object: it was not pushed.", -1728);
        return made.specifier[name];
      },
      set(_, name, value) {
        if (name !== 'specifier') throw failure(`Can't set ${name}.`, -10006);
        made.specifier = value;
        return true;
      },
    });
  };
}

function saved(application, message) {
  event(application, 'save');
  if (!state.losesDrafts) {
    const number = nextNumber();
    const { subject, content, sender, toRecipients } = message;
    const date = new Date().toISOString();
    const draft = { id: number, messageId: `${number}@mac`, subject, content, sender: sender || '', toRecipients, mailAttachments: [], readStatus: true, dateReceived: date, dateSent: null };
    state.Mail.draftsMailbox.messages.push(draft);
  }
  save();
}

function sent(application, message) {
  event(application, 'send');
  state.sent = [...(state.sent || []), message];
  save();
  event(application, 'sent');
  return !state.refusesToSend;
}

function removed(application, specifier) {
  event(application, 'delete');
  const { record, siblings } = specifier[RECORD];
  siblings.splice(siblings.indexOf(record), 1);
  save();
}

function Application(name) {
  if (!state[name]) throw failure("Application can't be found.", -2700);
  const root = item(name, 'application', state[name]);
  return new Proxy(root, {
    get(_, property) {
      if (property === 'delete') return (specifier) => removed(name, specifier);
      if (property === 'defaultAccount') return item(name, 'account', state[name].accounts[0]);
      if (property === 'inbox' || property === 'draftsMailbox') return item(name, 'mailbox', state[name][property]);
      const kind = property[0].toLowerCase() + property.slice(1);
      if (property !== kind && kind in DICTIONARY[name]) return constructor(name, kind);
      return root[property];
    },
  });
}

try {
  const { script, argv } = JSON.parse(fs.readFileSync(0, 'utf8'));
  // a real delay would only make the tests slow
  const run = new Function('Application', 'delay', `${script}\nreturn run;`)(Application, () => {});
  process.stdout.write(`${run(argv)}\n`);
} catch (error) {
  process.stderr.write(`script.js:1:2: execution error: Error: Error: ${error.message} (${error.errorNumber || -2700})\n`);
  process.exitCode = 1;
}
