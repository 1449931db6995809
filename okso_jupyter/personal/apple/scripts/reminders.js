// Reminders: the reminders of one list.
const app = Application('Reminders');

function remindersOf(request) {
  return only('list', app.lists, request.place).reminders;
}

// Return a time, or a day where the time is midnight: Reminders does not tell them apart.
function momentOf(due) {
  if (!due) return null;
  return due.getTime() === beginningOf(dayOf(due)).getTime() ? dayOf(due) : due.toISOString();
}

function fields(reminder) {
  return {
    id: reminder.id(),
    title: reminder.name(),
    notes: reminder.body() || '',
    due: momentOf(reminder.dueDate()),
    completed: reminder.completed(),
  };
}

function reminderOf(request) {
  const reminders = remindersOf(request);
  return withId(reminders, reminders.id(), request.id);
}

// Return the properties that say when a new reminder is due.
function dueOf(request) {
  if (request.day) return { alldayDueDate: beginningOf(request.day) };
  if (!request.time) return {};
  const time = new Date(request.time);
  return { dueDate: time, remindMeDate: time };
}

const HANDLERS = {
  list(request) {
    const open = remindersOf(request).whose({ completed: false });
    const [titles, notes, due] = [open.name(), open.body(), open.dueDate()];
    return open.id().map((id, at) => ({
      id,
      title: titles[at],
      notes: notes[at] || '',
      due: momentOf(due[at]),
    }));
  },

  get(request) {
    const reminder = reminderOf(request);
    return reminder && fields(reminder);
  },

  create(request) {
    const reminders = remindersOf(request);
    const properties = { name: request.title, body: request.notes, ...dueOf(request) };
    const reminder = app.Reminder(properties);
    begin();
    reminders.push(reminder);
    return fields(reminder);
  },

  put(request) {
    const reminder = reminderOf(request);
    check(reminder, fields, request.expected);
    begin();
    reminder.completed = request.item.completed;
    return null;
  },

  delete(request) {
    const reminder = reminderOf(request);
    check(reminder, fields, request.expected);
    begin();
    app.delete(reminder);
    return null;
  },
};
