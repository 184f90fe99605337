// The appointment book of a hairdresser: day sheets, client cards, a booking assistant.
import {
  added,
  alert,
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  navigation,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  row,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const DAYS = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const TIMES = ['09:00', '10:00', '11:00', '12:00', '14:00', '15:00', '16:00', '17:00'];
const STYLISTS = ['Marlene', 'Kofi', 'Bea'];
const SERVICES = ['Cut & blow-dry', 'Colour', 'Highlights', 'Beard trim', 'Perm', 'Fringe trim'];

const visit = z.object({
  id: z.string(),
  client: z.string(),
  service: z.string(),
  stylist: z.string(),
  day: z.string(),
  time: z.string(),
  state: z.enum(['booked', 'in the chair', 'done']),
});
const client = z.object({
  id: z.string(),
  name: z.string(),
  phone: z.string(),
  formula: z.string(),
  remark: z.string(),
});
const blank = { step: 0, client: '', service: '', stylist: '', day: '', time: '' };
const state = z.object({
  visits: z.array(visit),
  clients: z.array(client),
  ui: z.object({
    screen: z.enum(['book', 'visit', 'clients', 'card', 'new']),
    day: z.string(),
    visit: z.string(),
    card: z.string(),
    query: z.string(),
    phone: z.string(),
    remark: z.string(),
    cancelling: z.boolean(),
    draft: z.object({
      step: z.int(),
      client: z.string(),
      service: z.string(),
      stylist: z.string(),
      day: z.string(),
      time: z.string(),
    }),
    message: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const taken = (s: State, stylist: string, day: string, time: string) =>
  s.visits.some(v => v.stylist === stylist && v.day === day && v.time === time);

const book = command('book_visit', {
  about: 'Book a visit for a client.',
  input: z.object({
    client: z.string(),
    service: z.string().min(1, 'choose a service'),
    stylist: z.string().min(1, 'choose a stylist'),
    day: z.string().min(1, 'choose a day'),
    time: z.string().min(1, 'choose a time'),
  }),
  run(draft, input) {
    need(draft.clients, input.client, 'client');
    if (taken(draft, input.stylist, input.day, input.time)) refuse(`${input.stylist} is busy then.`);
    draft.visits.push({ id: nextId(draft.visits, 'v'), ...input, state: 'booked' });
    Object.assign(draft.ui, { screen: 'book', day: input.day, draft: blank, message: 'Booked.' });
  },
});
const cancel = command('cancel_visit', {
  about: 'Cancel a visit.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.visits, id, 'visit');
    remove(draft.visits, id);
    Object.assign(draft.ui, { screen: 'book', cancelling: false, message: 'The slot is free again.' });
  },
});
const advance = command('advance_visit', {
  about: 'Seat the client of a visit, or finish the visit.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const it = need(draft.visits, id, 'visit');
    if (it.state === 'done') refuse('This visit is over.');
    it.state = it.state === 'booked' ? 'in the chair' : 'done';
  },
});
const handOver = command('change_stylist', {
  about: 'Give a visit to another stylist.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.visits, id, 'visit');
    if (it.stylist !== value && taken(draft, value, it.day, it.time)) refuse(`${value} is busy then.`);
    it.stylist = value;
  },
});
const retime = command('change_time', {
  about: 'Move a visit to another time of the day.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const it = need(draft.visits, id, 'visit');
    if (it.time !== value && taken(draft, it.stylist, it.day, value)) refuse(`${it.stylist} is busy at ${value}.`);
    it.time = value;
  },
});
const saveCard = command('save_card', {
  about: 'Save the telephone number and the remark of a client.',
  input: z.object({ id: z.string(), phone: z.string().trim().min(3, 'a number, please'), remark: z.string().trim() }),
  run(draft, { id, phone, remark }) {
    Object.assign(need(draft.clients, id, 'client'), { phone, remark });
    draft.ui.message = 'Card saved.';
  },
});
const look = query('list_visits', {
  about: 'List the visits of a day.',
  input: z.object({ day: z.string() }),
  run: (s, { day }) =>
    s.visits.filter(v => v.day === day).map(v => ({ ...v, client: find(s.clients, v.client)?.name })),
});
const lookClients = query('list_clients', { about: 'List the clients.', input: z.object({}), run: s => s.clients });

const show = gesture('show', {
  about: 'Go to a screen.',
  input: z.object({ screen: z.enum(['book', 'clients', 'new']) }),
  run(draft, { screen }) {
    Object.assign(draft.ui, { screen, message: '', cancelling: false, draft: blank, query: '' });
  },
});
const showDay = gesture('show_day', {
  about: 'Turn to a day.',
  input: z.object({ day: z.string() }),
  run(draft, { day }) {
    Object.assign(draft.ui, { day, message: '' });
  },
});
const openVisit = gesture('open_visit', {
  about: 'Open a visit.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { screen: 'visit', visit: id, message: '', cancelling: false });
  },
});
const openCard = gesture('open_card', {
  about: 'Open the card of a client.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const { phone, remark } = need(draft.clients, id, 'client');
    Object.assign(draft.ui, { screen: 'card', card: id, phone, remark, message: '' });
  },
});
const askCancel = gesture('ask_cancel', {
  about: 'Ask before cancelling.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.cancelling = on;
  },
});
const type = gesture('type', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['query', 'phone', 'remark']), value: z.string().max(80) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const choose = gesture('choose', {
  about: 'Choose something in the booking assistant.',
  input: z.object({ field: z.enum(['client', 'service', 'stylist', 'day', 'time']), value: z.string() }),
  run(draft, { field, value }) {
    draft.ui.draft[field] = value;
  },
});
const pickClient = gesture('pick_client', {
  about: 'Choose the client to book for.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui.draft, { client: id, step: 1 });
  },
});
const step = gesture('step', {
  about: 'Go to a step of the assistant.',
  input: z.object({ to: z.int() }),
  run(draft, { to }) {
    const d = draft.ui.draft;
    if (to === 2 && (d.service === '' || d.stylist === '')) refuse('Choose a service and a stylist first.');
    d.step = to;
  },
});

function dayBook(s: State) {
  const visits = s.visits
    .filter(v => v.day === s.ui.day)
    .toSorted((a, b) => a.time.localeCompare(b.time) || a.stylist.localeCompare(b.stylist));
  return region(`${s.ui.day}`, [
    navigation(
      'Days',
      DAYS.map(day => link(day.slice(0, 3), showDay.with({ day }), day === s.ui.day ? ['current'] : [])),
    ),
    visits.length === 0
      ? text('Nothing booked.')
      : table(
          `Appointments on ${s.ui.day}`,
          visits.map(v => {
            const name = find(s.clients, v.client)?.name ?? '?';
            return row(`${v.time} ${name}`, [
              cell(v.time),
              cell(v.stylist),
              link(name, openVisit.with({ id: v.id })),
              cell(v.service),
              v.state === 'done'
                ? cell('done')
                : button(v.state === 'booked' ? 'Seat' : 'Finish', advance.with({ id: v.id })),
            ]);
          }),
        ),
  ]);
}
function visitSheet(s: State) {
  const v = find(s.visits, s.ui.visit);
  if (!v) return text('This visit was cancelled.');
  const name = find(s.clients, v.client)?.name ?? '?';
  if (s.ui.cancelling)
    return dialog('Cancel visit', [
      text(`${name}, ${v.day} ${v.time}: really cancel?`),
      button('Keep it', askCancel.with({ on: false })),
      button('Cancel the visit', cancel.with({ id: v.id })),
    ]);
  return region('Visit', [
    heading(`${v.service} for ${name}`),
    text(`${v.day}, ${v.state}`),
    combobox('With', v.stylist, { enter: handOver.entering({ id: v.id }), options: STYLISTS }),
    combobox('At', v.time, { enter: retime.entering({ id: v.id }), options: TIMES }),
    link(`Card of ${name}`, openCard.with({ id: v.client })),
    v.state === 'booked' && button('Cancel…', askCancel.with({ on: true })),
  ]);
}
const matching = (s: State) => s.clients.filter(c => c.name.toLowerCase().includes(s.ui.query.toLowerCase()));
function clients(s: State) {
  return region('Clients', [
    textbox('Find by name', s.ui.query, { enter: type.entering({ field: 'query' }) }),
    ...(s.ui.query.length < 2
      ? [text('Type at least two letters.')]
      : matching(s).map(c => link(c.name, openCard.with({ id: c.id })))),
  ]);
}
function card(s: State) {
  const c = need(s.clients, s.ui.card, 'client');
  return form(`Card: ${c.name}`, [
    textbox('Telephone', s.ui.phone, { enter: type.entering({ field: 'phone' }) }),
    text(`Colour formula: ${c.formula}`),
    textbox('Remark', s.ui.remark, { enter: type.entering({ field: 'remark' }) }),
    button('Save card', saveCard.with({ id: c.id, phone: s.ui.phone, remark: s.ui.remark })),
  ]);
}
function assistant(s: State) {
  const d = s.ui.draft;
  if (d.step === 0)
    return region('New appointment: who?', [
      textbox('Find by name', s.ui.query, { enter: type.entering({ field: 'query' }) }),
      ...matching(s)
        .slice(0, 8)
        .map(c => button(c.name, pickClient.with({ id: c.id }))),
    ]);
  if (d.step === 1)
    return region('New appointment: what?', [
      ...SERVICES.map(value => radio(value, d.service === value, choose.with({ field: 'service', value }))),
      combobox('Stylist', d.stylist, { enter: choose.entering({ field: 'stylist' }), options: STYLISTS }),
      button('Back', step.with({ to: 0 })),
      button('Next', step.with({ to: 2 })),
    ]);
  return region('New appointment: when?', [
    text(`${d.service} with ${d.stylist} for ${find(s.clients, d.client)?.name}`),
    combobox('Day', d.day, { enter: choose.entering({ field: 'day' }), options: DAYS }),
    combobox('Time', d.time, {
      enter: choose.entering({ field: 'time' }),
      options: d.day === '' ? [] : TIMES.filter(time => !taken(s, d.stylist, d.day, time)),
    }),
    button('Back', step.with({ to: 1 })),
    button(
      'Put it in the book',
      book.with({ client: d.client, service: d.service, stylist: d.stylist, day: d.day, time: d.time }),
    ),
  ]);
}

const say = (seed: string, ...ways: string[]) =>
  ways[[...seed].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ways.length]!;
/** A booked visit of somebody who has no other visit that day. */
function someVisit(s: State, random: { pick<T>(of: readonly T[]): T }) {
  const lone = s.visits.filter(
    v => v.state === 'booked' && s.visits.filter(o => o.client === v.client && o.day === v.day).length === 1,
  );
  if (lone.length === 0) return null;
  const v = random.pick(lone);
  return { ...v, name: need(s.clients, v.client, 'client').name };
}

const bookVisit = template('book', {
  about: 'Book a visit with the assistant.',
  split: 'train',
  sample(s, random) {
    const { id, name } = random.pick(s.clients);
    const stylist = random.pick(STYLISTS);
    const day = random.pick(DAYS);
    const free = TIMES.filter(time => !taken(s, stylist, day, time));
    if (free.length === 0) return null;
    return { client: id, name, service: random.pick(SERVICES), stylist, day, time: random.pick(free) };
  },
  instruction: ({ name, service, stylist, day, time }) =>
    say(
      name + day,
      `${name} called, wants ${service} with ${stylist} on ${day} at ${time}. Book it.`,
      `New appointment: ${name} / ${service} / ${stylist} / ${day} ${time}`,
    ),
  checks: ({ client, service, stylist, day, time }) => [
    {
      name: 'the visit is in the book',
      test(final, initial) {
        const [v, ...more] = added(initial.visits, final.visits);
        return (
          more.length === 0 &&
          v?.client === client &&
          v.service === service &&
          v.stylist === stylist &&
          v.day === day &&
          v.time === time &&
          v.state === 'booked'
        );
      },
    },
  ],
  allow: () => ['/visits/+'],
});
const cancelVisit = template('cancel', {
  about: 'Cancel a visit of a client.',
  split: 'train',
  sample(s, random) {
    const v = someVisit(s, random);
    return v && { id: v.id, name: v.name, day: v.day };
  },
  instruction: ({ name, day }) =>
    say(
      name,
      `${name} can't make it on ${day}, cancel please`,
      `Take ${name} out of the book on ${day}.`,
      `${name} has the flu and won't be coming ${day}.`,
    ),
  checks: ({ id }) => [{ name: 'the visit is cancelled', test: final => find(final.visits, id) === undefined }],
  allow: ({ id }) => [`/visits/${id}`],
});
const seat = template('seat-client', {
  about: 'Seat a client who has come.',
  split: 'train',
  sample(s, random) {
    const v = someVisit(s, random);
    return v && { id: v.id, name: v.name, day: v.day, time: v.time };
  },
  instruction: ({ name, day, time }) =>
    say(
      name + time,
      `${name} (${day} ${time}) has just sat down, mark it`,
      `It's ${day}, ${time}, and ${name} is here. Seat them in the book.`,
    ),
  checks: ({ id }) => [{ name: 'in the chair', test: final => find(final.visits, id)?.state === 'in the chair' }],
  allow: ({ id }) => [`/visits/${id}/state`],
});
const swap = template('other-stylist', {
  about: 'Give a visit to another stylist, and another time.',
  split: 'train',
  sample(s, random) {
    const v = someVisit(s, random);
    if (!v) return null;
    const stylist = random.pick(STYLISTS.filter(other => other !== v.stylist));
    if (taken(s, stylist, v.day, v.time)) return null;
    const times = TIMES.filter(time => time !== v.time && !taken(s, stylist, v.day, time));
    return times.length === 0 ? null : { id: v.id, name: v.name, day: v.day, stylist, time: random.pick(times) };
  },
  instruction: ({ name, day, stylist, time }) =>
    `${name} would rather have ${stylist} on ${day}, and at ${time} instead. Could you change both?`,
  checks: ({ id, stylist, time }) => [
    { name: `with ${stylist}`, test: final => find(final.visits, id)?.stylist === stylist },
    { name: `at ${time}`, test: final => find(final.visits, id)?.time === time },
  ],
  allow: ({ id }) => [`/visits/${id}/stylist`, `/visits/${id}/time`],
});
const formula = template('colour-formula', {
  about: 'Say the colour formula of a client.',
  split: 'train',
  sample(s, random) {
    const { id, name } = random.pick(s.clients);
    return { id, name };
  },
  instruction: ({ name }) => say(name, `What colour do we mix for ${name}?`, `${name} colour formula?`),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.clients, id, 'client').formula,
  shown: ({ ui }, { id }) => ui.screen === 'card' && ui.card === id,
});
const newNumber = template('new-number', {
  about: 'Change the telephone number of whoever comes at a time.',
  split: 'train',
  sample(s, random) {
    const v = someVisit(s, random);
    return (
      v && {
        client: v.client,
        day: v.day,
        time: v.time,
        stylist: v.stylist,
        phone: `0${random.between(151, 179)} ${random.between(200000, 999999)}`,
      }
    );
  },
  instruction: ({ day, time, stylist, phone }) =>
    `The client that ${stylist} has at ${time} on ${day} has a new number, ${phone}. Put it on the card.`,
  checks: ({ client, phone }) => [
    { name: 'the card has the new number', test: final => find(final.clients, client)?.phone === phone },
  ],
  allow: ({ client }) => [`/clients/${client}/phone`],
});

const first = [
  'Agnes',
  'Dilek',
  'Hugo',
  'Pauline',
  'Rosa',
  'Sven',
  'Tamara',
  'Udo',
  'Wanda',
  'Xaver',
  'Miriam',
  'Clara',
];
const last = ['Brandt', 'Özkan', 'Pohl', 'Nowak', 'Seidel', 'Krug', 'Lindner', 'Moreau'];

export const app = defineApp({
  id: 'salon',
  title: 'Salon Marlene',
  about: 'The appointment book of a hairdresser.',
  state,
  init(random) {
    const clients = random
      .sample(
        first.flatMap(f => last.map(l => `${f} ${l}`)),
        18,
      )
      .map((name, at) => ({
        id: `c${at + 1}`,
        name,
        phone: `0${random.between(151, 179)} ${random.between(200000, 999999)}`,
        formula: `${random.between(4, 9)}/${random.between(1, 7)} + ${random.between(1, 12)}/${random.between(0, 9)}, ${random.pick([3, 6, 9, 12])} %`,
        remark: random.pick(['', 'Coffee, black', 'Does not like to talk', 'Sensitive scalp', 'Pays by card']),
      }));
    const slots = random.sample(
      DAYS.flatMap(day => TIMES.flatMap(time => STYLISTS.map(stylist => ({ day, time, stylist })))),
      24,
    );
    return {
      clients,
      visits: slots.map((slot, at) => ({
        id: `v${at + 1}`,
        client: random.pick(clients).id,
        service: random.pick(SERVICES),
        ...slot,
        state: slot.day === 'Tuesday' && random.chance(0.5) ? ('done' as const) : ('booked' as const),
      })),
      ui: {
        screen: 'book',
        day: 'Tuesday',
        visit: '',
        card: '',
        query: '',
        phone: '',
        remark: '',
        cancelling: false,
        draft: blank,
        message: '',
      },
    };
  },
  commands: [
    book,
    cancel,
    advance,
    handOver,
    retime,
    saveCard,
    look,
    lookClients,
    show,
    showDay,
    openVisit,
    openCard,
    askCancel,
    type,
    choose,
    pickClient,
    step,
  ],
  view(s) {
    const { screen } = s.ui;
    return page('Salon Marlene', [
      !s.ui.cancelling &&
        navigation('Main', [
          link('Book', show.with({ screen: 'book' })),
          link('Clients', show.with({ screen: 'clients' })),
          link('+ Appointment', show.with({ screen: 'new' })),
        ]),
      s.ui.message !== '' && alert(s.ui.message),
      screen === 'book'
        ? dayBook(s)
        : screen === 'visit'
          ? visitSheet(s)
          : screen === 'clients'
            ? clients(s)
            : screen === 'card'
              ? card(s)
              : assistant(s),
    ]);
  },
  templates: [bookVisit, cancelVisit, seat, swap, formula, newNumber],
  onRefusal(draft, message) {
    draft.ui.message = message;
  },
});
