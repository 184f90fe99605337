// Week at a glance: Monday to Friday, three weeks to leaf through. An event unfolds inside its day.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
const HOURS = ['08:00', '09:00', '10:00', '11:00', '13:00', '14:00', '15:00', '16:00'] as const;
const PLACES = ['Room Elm', 'Room Elder', 'Room Oak', 'Video call', 'Canteen', 'Client site'] as const;
const REPLIES = ['unanswered', 'yes', 'no', 'maybe'] as const;
const WEEKS = ['2–6 June', '9–13 June', '16–20 June'];

const state = z.object({
  events: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      week: z.int(),
      day: z.enum(DAYS),
      hour: z.enum(HOURS),
      place: z.enum(PLACES),
      host: z.string(),
      reply: z.enum(REPLIES),
    }),
  ),
  ui: z.object({
    week: z.int(),
    open: z.string(),
    deleting: z.boolean(),
    adding: z.boolean(),
    title: z.string(),
    day: z.enum(DAYS),
    hour: z.enum(HOURS),
    place: z.enum(PLACES),
  }),
});
type Cal = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const own = (c: Cal, id: string) => {
  const e = need(c.events, id, 'event');
  if (e.host !== 'me') refuse(`Only ${e.host} can change this.`);
  return e;
};

const setDay = command('move_to_day', {
  about: 'Move one of your own events to another day of its week.',
  input: z.object({ event: z.string(), value: z.enum(DAYS) }),
  run(c, { event, value }) {
    own(c, event).day = value;
  },
});
const setHour = command('move_to_hour', {
  about: 'Move one of your own events to another hour.',
  input: z.object({ event: z.string(), value: z.enum(HOURS) }),
  run(c, { event, value }) {
    own(c, event).hour = value;
  },
});
const setPlace = command('set_place', {
  about: 'Say where one of your own events is.',
  input: z.object({ event: z.string(), value: z.enum(PLACES) }),
  run(c, { event, value }) {
    own(c, event).place = value;
  },
});
const answerTo = command('reply', {
  about: 'Answer an invitation.',
  input: z.object({ event: z.string(), reply: z.enum(['yes', 'no', 'maybe']) }),
  run(c, { event, reply }) {
    const e = need(c.events, event, 'event');
    if (e.host === 'me') refuse('It is your own event.');
    e.reply = reply;
  },
});
const cancelEvent = command('cancel_event', {
  about: 'Cancel one of your own events.',
  input: z.object({ event: z.string() }),
  run(c, { event }) {
    own(c, event);
    remove(c.events, event);
    Object.assign(c.ui, { open: '', deleting: false });
  },
});
const create = command('create_event', {
  about: 'Create an event. Weeks are numbered from 0.',
  input: z.object({
    week: z.int().min(0).max(2),
    title: z.string(),
    day: z.enum(DAYS),
    hour: z.enum(HOURS),
    place: z.enum(PLACES),
  }),
  run(c, { week, title, day, hour, place }) {
    if (title.trim() === '') refuse('What is it called?');
    c.events.push({ id: nextId(c.events, 'e'), title, week, day, hour, place, host: 'me', reply: 'yes' });
    Object.assign(c.ui, { adding: false, title: '' });
  },
});
const agenda = query('agenda', {
  about: 'All events of the three weeks.',
  input: z.object({}),
  run: c => c.events.map(e => ({ ...e, weekNumber: e.week, week: WEEKS[e.week] })),
});

const leaf = gesture('leaf', {
  about: 'Go to the next or the previous week.',
  input: z.object({ by: z.int() }),
  run(c, { by }) {
    c.ui.week = Math.min(2, Math.max(0, c.ui.week + by));
    Object.assign(c.ui, { open: '', adding: false });
  },
});
const unfold = gesture('unfold_event', {
  about: 'Unfold an event, or fold it.',
  input: z.object({ event: z.string() }),
  run(c, { event }) {
    c.ui.open = c.ui.open === event ? '' : event;
  },
});
const askDelete = gesture('ask_delete', {
  about: 'Ask before cancelling.',
  input: z.object({ yes: z.boolean() }),
  run(c, { yes }) {
    c.ui.deleting = yes;
  },
});
const startAdding = gesture('start_adding', {
  about: 'Open or close the form.',
  input: z.object({ day: z.enum(DAYS) }),
  run(c, { day }) {
    Object.assign(c.ui, { adding: !c.ui.adding, open: '', title: '', day, hour: '08:00', place: 'Room Elm' });
  },
});
const typeTitle = gesture('type_title', {
  about: 'Type the title.',
  input: z.object({ value: z.string().max(60) }),
  run(c, { value }) {
    c.ui.title = value;
  },
});
const pickHour = gesture('pick_hour', {
  about: 'Choose the hour.',
  input: z.object({ value: z.enum(HOURS) }),
  run(c, { value }) {
    c.ui.hour = value;
  },
});
const pickPlace = gesture('pick_place', {
  about: 'Choose the place.',
  input: z.object({ value: z.enum(PLACES) }),
  run(c, { value }) {
    c.ui.place = value;
  },
});

const details = (e: Cal['events'][number]) =>
  e.host === 'me'
    ? region(`${e.title}, details`, [
        text('Your event'),
        combobox('Day', e.day, { enter: setDay.entering({ event: e.id }), options: [...DAYS] }),
        combobox('Starts', e.hour, { enter: setHour.entering({ event: e.id }), options: [...HOURS] }),
        combobox('Where', e.place, { enter: setPlace.entering({ event: e.id }), options: [...PLACES] }),
        button('Cancel event', askDelete.with({ yes: true })),
      ])
    : region(`${e.title}, details`, [
        text(`${e.host} invites you`),
        text(`${e.hour}, ${e.place}`),
        text(`Only ${e.host} can change this event`),
        ...(['yes', 'no', 'maybe'] as const).map(reply =>
          radio(`Going: ${reply}`, e.reply === reply, answerTo.with({ event: e.id, reply })),
        ),
      ]);
const dayOf = (c: Cal, day: (typeof DAYS)[number]) =>
  region(day, [
    heading(day),
    ...c.events
      .filter(e => e.week === c.ui.week && e.day === day)
      .toSorted((a, b) => `${a.hour}${a.title}`.localeCompare(`${b.hour}${b.title}`))
      .flatMap(e => [
        button(
          `${e.hour} ${e.title}${e.reply === 'unanswered' ? ' (?)' : ''}`,
          unfold.with({ event: e.id }),
          c.ui.open === e.id ? ['expanded'] : [],
        ),
        c.ui.open === e.id && details(e),
      ]),
    button(`+ ${day}`, startAdding.with({ day })),
  ]);

const pushed = template('other-day', {
  about: 'Move an event to another day.',
  split: 'train',
  sample(c, random) {
    const e = random.pick(c.events);
    return {
      id: e.id,
      title: e.title,
      week: WEEKS[e.week]!,
      day: random.pick(DAYS.filter(d => d !== e.day)),
      way: random.between(0, 2),
    };
  },
  setup(c, { id }) {
    Object.assign(need(c.events, id, 'event'), { host: 'me', reply: 'yes' });
  },
  instruction: ({ title, week, day, way }) =>
    [
      `Move ${title} (week of ${week}) to ${day}, same hour.`,
      `${title} in the week ${week} has to be on ${day} instead`,
      `Could you push my "${title}" to the ${day}? It's the week ${week}. The time of day stays.`,
    ][way]!,
  checks: ({ id, day }) => [{ name: day, test: final => find(final.events, id)?.day === day }],
  allow: ({ id }) => [`/events/${id}/day`],
});
const plan = template('plan-event', {
  about: 'Create an event.',
  split: 'train',
  sample: (_, random) => ({
    title: random.pick(['Dentist', 'Fire drill', 'Tea with Ola', 'Price talk', 'Photo session', 'Blood donation']),
    week: random.between(0, 2),
    day: random.pick(DAYS),
    hour: random.pick(HOURS),
    place: random.pick(PLACES),
    way: random.between(0, 2),
  }),
  instruction: ({ title, week, day, hour, place, way }) =>
    [
      `New event: ${title}, ${day} ${hour}, ${place}, week ${WEEKS[week]}.`,
      `Put "${title}" in my calendar on the ${day} of the week ${WEEKS[week]} at ${hour}. Place: ${place}.`,
      `I need ${hour} on ${day} (${WEEKS[week]}) blocked for ${title}. We meet here: ${place}`,
    ][way]!,
  checks: ({ title, week, day, hour, place }) => [
    {
      name: 'the event is there',
      test(final, initial) {
        const [e, ...rest] = added(initial.events, final.events);
        return (
          rest.length === 0 &&
          e?.title === title &&
          e.week === week &&
          e.day === day &&
          e.hour === hour &&
          e.place === place &&
          e.host === 'me' &&
          e.reply === 'yes'
        );
      },
    },
  ],
  allow: () => ['/events/+'],
});
const callOff = template('call-off', {
  about: 'Cancel an event.',
  split: 'train',
  sample(c, random) {
    const e = random.pick(c.events);
    return { id: e.id, title: e.title, week: WEEKS[e.week]!, way: random.between(0, 2) };
  },
  setup(c, { id }) {
    Object.assign(need(c.events, id, 'event'), { host: 'me', reply: 'yes' });
  },
  instruction: ({ title, week, way }) =>
    [
      `Call off ${title}, week ${week}.`,
      `${title} isn't happening. Take it out of the week ${week}.`,
      `cancel my event "${title}" (${week})`,
    ][way]!,
  checks: ({ id }) => [{ name: 'gone', test: final => find(final.events, id) === undefined }],
  allow: ({ id }) => [`/events/${id}`],
});
const acceptAll = template('answer-all-of-a-host', {
  about: 'Answer all invitations of a host in a week.',
  split: 'train',
  sample(c, random) {
    const week = random.between(0, 2);
    return {
      week,
      host: random.pick(['Dr Falk', 'Yusra', 'Head office']),
      reply: random.pick(['yes', 'no', 'maybe'] as const),
      ids: random
        .sample(
          c.events.filter(e => e.week === week),
          2,
        )
        .map(e => e.id),
      way: random.between(0, 2),
    };
  },
  setup(c, { host, ids }) {
    for (const e of c.events) if (e.reply === 'unanswered') e.reply = e.host === 'me' ? 'yes' : 'maybe';
    for (const id of ids) Object.assign(need(c.events, id, 'event'), { host, reply: 'unanswered' });
  },
  instruction: ({ host, reply, week, way }) =>
    [
      `There are unanswered invitations from ${host} in the week ${WEEKS[week]}. Answer ${reply} to each.`,
      `${host} is waiting for my replies (week of ${WEEKS[week]}, two events). It's a ${reply} to both.`,
      `reply ${reply} to everything still open from ${host}, ${WEEKS[week]}`,
    ][way]!,
  checks: ({ ids, reply }) =>
    ids.map((id, at) => ({
      name: `answered ${at + 1}`,
      test: (final: Cal) => find(final.events, id)?.reply === reply,
    })),
  allow: ({ ids }) => ids.map(id => `/events/${id}/reply`),
});
const whereIs = template('where-is', {
  about: 'Say where an event is.',
  split: 'train',
  sample(c, random) {
    const e = random.pick(c.events);
    return { id: e.id, title: e.title, week: WEEKS[e.week]!, way: random.between(0, 2) };
  },
  instruction: ({ title, week, way }) =>
    [
      `Where is ${title} in the week ${week}?`,
      `I have ${title} that week (${week}) and forgot the place. Where do I have to go?`,
      `place of "${title}", ${week}?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, c) => need(c.events, id, 'event').place,
  shown: ({ ui }, { id }) => ui.open === id,
});
const samePlace = template('same-place', {
  about: 'Hold an event where another one is.',
  split: 'train',
  sample(c, random) {
    const week = random.between(0, 2);
    const [a, b] = random.sample(
      c.events.filter(e => e.week === week),
      2,
    );
    const [right, wrong] = random.sample(PLACES, 2);
    return {
      id: a!.id,
      title: a!.title,
      other: b!.id,
      named: b!.title,
      week: WEEKS[week]!,
      right: right!,
      wrong: wrong!,
      way: random.between(0, 2),
    };
  },
  setup(c, { id, other, right, wrong }) {
    Object.assign(need(c.events, id, 'event'), { host: 'me', reply: 'yes', place: wrong });
    need(c.events, other, 'event').place = right;
  },
  instruction: ({ title, named, week, way }) =>
    [
      `Week ${week}: hold ${title} in the same place as ${named}.`,
      `I don't want to walk so much. In the week ${week}, ${title} should be wherever ${named} is.`,
      `${title} (${week}) → same location as ${named}`,
    ][way]!,
  checks: ({ id, right }) => [{ name: 'the place', test: final => find(final.events, id)?.place === right }],
  allow: ({ id }) => [`/events/${id}/place`],
});
const later = template('other-hour', {
  about: 'Move an event to another hour, which only its host may.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ mine }) => mine,
  sample(c, random) {
    const e = random.pick(c.events);
    return {
      id: e.id,
      title: e.title,
      week: WEEKS[e.week]!,
      hour: random.pick(HOURS.filter(h => h !== e.hour)),
      mine: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(c, { id, mine }) {
    Object.assign(need(c.events, id, 'event'), mine ? { host: 'me', reply: 'yes' } : { host: 'Yusra', reply: 'maybe' });
  },
  instruction: ({ title, week, hour, way }) =>
    [
      `Reschedule ${title} in the week ${week} to ${hour}.`,
      `${title} (${week}) should start at ${hour}, the day is fine`,
      `The ${week} week: let ${title} begin at ${hour}, please. Don't create a second one.`,
    ][way]!,
  checks: ({ id, hour }) => [{ name: hour, test: final => find(final.events, id)?.hour === hour }],
  allow: ({ id }) => [`/events/${id}/hour`],
  shown: ({ ui }, { id }) => ui.open === id,
});

const TITLES = [
  'Standup',
  'Stand-in training',
  'Budget talk',
  'Budget review',
  'Hiring chat',
  'Roadmap',
  'Roadshow',
  'Safety walk',
  'Supplier call',
  'Team lunch',
];
export const app = defineApp({
  id: 'calendar-week',
  title: 'Week',
  about: 'A calendar of working weeks.',
  state,
  init(random) {
    const slots = [0, 1, 2].flatMap(week => random.sample(TITLES, 6).map(title => ({ week, title })));
    return {
      events: random.shuffle(slots).map(({ week, title }, at) => {
        const host = random.chance(0.5) ? 'me' : random.pick(['Dr Falk', 'Yusra', 'Head office', 'Benno']);
        return {
          id: `e${at + 1}`,
          title,
          week,
          day: random.pick(DAYS),
          hour: random.pick(HOURS),
          place: random.pick(PLACES),
          host,
          reply: host === 'me' ? ('yes' as const) : random.pick(REPLIES),
        };
      }),
      ui: {
        week: 1,
        open: '',
        deleting: false,
        adding: false,
        title: '',
        day: 'Monday' as const,
        hour: '08:00' as const,
        place: 'Room Elm' as const,
      },
    };
  },
  commands: [
    setDay,
    setHour,
    setPlace,
    answerTo,
    cancelEvent,
    create,
    agenda,
    leaf,
    unfold,
    askDelete,
    startAdding,
    typeTitle,
    pickHour,
    pickPlace,
  ],
  view(c) {
    const e = find(c.events, c.ui.open);
    if (c.ui.deleting && e)
      return page('Week', [
        dialog('Cancel event', [
          text(`Cancel "${e.title}" on ${e.day}? Everybody who was invited will be told.`),
          button('Cancel it', cancelEvent.with({ event: e.id })),
          button('Leave it', askDelete.with({ yes: false })),
        ]),
      ]);
    return page('Week', [
      toolbar('Weeks', [
        button('←', leaf.with({ by: -1 }), c.ui.week === 0 ? ['disabled'] : []),
        heading(WEEKS[c.ui.week]!),
        button('→', leaf.with({ by: 1 }), c.ui.week === 2 ? ['disabled'] : []),
      ]),
      c.ui.adding &&
        form(`New event on ${c.ui.day}`, [
          textbox('Title', c.ui.title, { enter: typeTitle.entering({}) }),
          combobox('From', c.ui.hour, { enter: pickHour.entering({}), options: [...HOURS] }),
          combobox('Place', c.ui.place, { enter: pickPlace.entering({}), options: [...PLACES] }),
          button(
            'Put in calendar',
            create.with({ week: c.ui.week, title: c.ui.title, day: c.ui.day, hour: c.ui.hour, place: c.ui.place }),
          ),
        ]),
      ...DAYS.map(day => dayOf(c, day)),
    ]);
  },
  templates: [pushed, plan, callOff, acceptAll, whereIs, samePlace, later],
});
