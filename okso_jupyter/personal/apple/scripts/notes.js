// Notes: the notes of one folder.
const app = Application('Notes');

function notesOf(request) {
  const own = app.defaultAccount.folders;
  const isOwn = own.name().some((name) => isSame(name, request.place));
  return only('folder', isOwn ? own : app.folders, request.place).notes;
}

function fields(note) {
  return { id: note.id(), title: note.name(), html: note.body() };
}

function noteOf(request) {
  const notes = notesOf(request);
  return withId(notes, notes.id(), request.id);
}

const HANDLERS = {
  list(request) {
    const notes = notesOf(request);
    const [titles, made, locked] = [notes.name(), notes.creationDate(), notes.passwordProtected()];
    const ids = notes.id();
    // the text of a locked note cannot be read
    const texts = locked.some(Boolean)
      ? ids.map((id, at) => (locked[at] ? '' : notes.byId(id).plaintext()))
      : notes.plaintext();
    return ids.map((id, at) => ({
      id,
      title: titles[at],
      text: texts[at],
      created: made[at].toISOString(),
      locked: locked[at],
    }));
  },

  get(request) {
    const note = noteOf(request);
    return note && fields(note);
  },

  create(request) {
    const notes = notesOf(request);
    const note = app.Note({ body: request.html });
    begin();
    notes.push(note);
    return fields(note);
  },

  put(request) {
    const note = noteOf(request);
    check(note, fields, request.expected);
    if (note.attachments.length) {
      throw new Problem('refused', 'it has attachments, which Notes would lose');
    }
    begin();
    note.body = request.item.html;
    return null;
  },

  delete(request) {
    const note = noteOf(request);
    check(note, fields, request.expected);
    begin();
    app.delete(note);
    return null;
  },
};
