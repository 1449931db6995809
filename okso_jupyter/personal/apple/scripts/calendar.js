// Calendar: the events of one calendar.
const app = Application('Calendar');

function calendarOf(request) {
  return only('calendar', app.calendars, request.place);
}

function eventOf(request) {
  const { events } = calendarOf(request);
  return withId(events, events.uid(), request.id);
}

// Return the beginning and end: times, or the first and the last day.
function spanOf(start, end, isAllDay) {
  if (!isAllDay) return { start: start.toISOString(), end: (end || start).toISOString() };
  // the end is the last second of the last day, or the beginning of the next one
  const last = new Date(Math.max(start.getTime(), (end || start).getTime() - 1));
  return { start: dayOf(start), end: dayOf(last) };
}

function fields(event) {
  return {
    id: event.uid(),
    title: event.summary(),
    ...spanOf(event.startDate(), event.endDate(), event.alldayEvent()),
    location: event.location() || '',
    description: event.description() || '',
    recurrence: event.recurrence() || '',
  };
}

const HANDLERS = {
  // Events that overlap a range, and all that recur; all events where there is no range.
  list(request) {
    const { events } = calendarOf(request);
    const [starts, ends, rules] = [events.startDate(), events.endDate(), events.recurrence()];
    const since = request.since ? new Date(request.since) : null;
    const until = request.until ? new Date(request.until) : null;
    const isIn = (at) => !since || rules[at]
      || (starts[at] < until && (ends[at] || starts[at]) >= since);
    const [ids, titles, isAllDay] = [events.uid(), events.summary(), events.alldayEvent()];
    const [places, texts] = [events.location(), events.description()];
    const excluded = (id) => (events.byId(id).excludedDates() || []).map((day) => day.toISOString());
    return [...ids.keys()].filter(isIn).map((at) => ({
      id: ids[at],
      title: titles[at] || '',
      ...spanOf(starts[at], ends[at], isAllDay[at]),
      location: places[at] || '',
      description: texts[at] || '',
      recurrence: rules[at] || '',
      excluded: rules[at] ? excluded(ids[at]) : [],
    }));
  },

  get(request) {
    const event = eventOf(request);
    return event && fields(event);
  },

  create(request) {
    const calendar = calendarOf(request);
    if (!calendar.writable()) throw new Problem('refused', 'it cannot be written');
    // of whole days the last second of the last one
    const [start, end] = request.isAllDay
      ? [beginningOf(request.start), new Date(beginningOf(request.end).getTime() - 1000)]
      : [new Date(request.start), new Date(request.end)];
    const event = app.Event({
      summary: request.title,
      startDate: start,
      endDate: end,
      alldayEvent: request.isAllDay,
      location: request.location,
      ...(request.recurrence ? { recurrence: request.recurrence } : {}),
    });
    begin();
    calendar.events.push(event);
    return fields(event);
  },

  delete(request) {
    const event = eventOf(request);
    check(event, fields, request.expected);
    begin();
    app.delete(event);
    return null;
  },
};
