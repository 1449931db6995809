// Mail: the inbox, read alone, and drafts.
const app = Application('Mail');
// Seconds that a draft may take to appear among the drafts.
const MOST_WAIT_S = 10;
const TICK_S = 0.5;

// Return messages, newest first.
function newestFirst(messages) {
  const dates = messages.dateReceived().map((date) => (date ? date.getTime() : 0));
  const held = messages();
  const order = held.map((_, at) => at).sort((one, other) => dates[other] - dates[one]);
  return order.map((at) => held[at]);
}

function head(message) {
  const date = message.dateSent() || message.dateReceived();
  return {
    subject: message.subject() || '',
    sender: message.sender() || '',
    date: date ? date.toISOString() : '',
    unread: !message.readStatus(),
    attachments: message.mailAttachments.name(),
    text: '',
  };
}

// Read messages until enough are found, or no time is left; a broken one is named.
function found(messages, request, read) {
  const answer = { mails: [], damaged: [], matches: 0, looked: 0 };
  for (const message of messages) {
    if (Date.now() > request.end_ms) break;
    answer.looked += 1;
    try {
      const mail = read(message);
      if (mail) answer.matches += 1;
      if (mail && answer.mails.length < request.limit) answer.mails.push(mail);
    } catch (error) {
      answer.damaged.push(`mail ${answer.looked} of the inbox: ${error.message}`);
    }
  }
  return { ...answer, total: messages.length };
}

function withWords(message, words) {
  const mail = head(message);
  const holds = (text) => words.every((word) => text.toLowerCase().includes(word));
  const text = message.content() || '';
  const said = [mail.subject, mail.sender, ...mail.attachments, text].join('\n');
  return holds(said) ? { ...mail, text } : null;
}

function outgoing(request) {
  const message = app.OutgoingMessage({
    subject: request.subject,
    content: request.text,
    visible: false,
    ...(request.sender ? { sender: request.sender } : {}),
  });
  app.outgoingMessages.push(message);
  for (const address of request.to) message.toRecipients.push(app.Recipient({ address }));
  return message;
}

function fields(message) {
  return {
    id: message.messageId(),
    subject: message.subject() || '',
    to: message.toRecipients.address(),
    text: message.content() || '',
  };
}

function draftOf(request) {
  const drafts = app.draftsMailbox.messages;
  const at = drafts.messageId().indexOf(request.id);
  return at < 0 ? null : drafts()[at];
}

const HANDLERS = {
  accounts() {
    return app.accounts.name();
  },

  inbox(request) {
    const all = app.inbox.messages;
    const messages = newestFirst(request.unread_only ? all.whose({ readStatus: false }) : all);
    const { total, ...rest } = found(messages.slice(0, request.limit), request, head);
    return { ...rest, total: messages.length };
  },

  search(request) {
    return found(newestFirst(app.inbox.messages), request, (one) => withWords(one, request.words));
  },

  // Null where the draft does not appear.
  draft(request) {
    const drafts = app.draftsMailbox.messages;
    const before = new Set(drafts.messageId());
    const message = outgoing(request);
    begin();
    message.save();
    for (let waited = 0; waited < MOST_WAIT_S; waited += TICK_S) {
      const found = drafts().filter((one) => !before.has(one.messageId()));
      const mine = found.filter((one) => one.subject() === request.subject);
      if (mine.length === 1) return fields(mine[0]);
      delay(TICK_S);
    }
    return null;
  },

  send(request) {
    const message = outgoing(request);
    begin();
    return message.send();
  },

  get(request) {
    const draft = draftOf(request);
    return draft && fields(draft);
  },

  delete(request) {
    const draft = draftOf(request);
    check(draft, fields, request.expected);
    begin();
    app.delete(draft);
    return null;
  },
};
