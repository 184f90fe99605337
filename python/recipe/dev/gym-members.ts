// Ironworks: front desk of a gym. A search box first; members, classes and lockers.
import {
  added,
  appKit,
  button,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  remove,
  searchBox,
  switchButton,
  text,
  textbox,
  z,
} from 'espalier';

const PLANS = ['Off-peak', 'Standard', 'Standard plus', 'Family'] as const;
const MONTHS = ['May', 'June', 'July', 'August', 'September'];
const state = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      card: z.string(),
      plan: z.enum(PLANS),
      frozen: z.string(),
      locker: z.int(),
      owes: z.int(),
      here: z.boolean(),
    }),
  ),
  classes: z.array(z.object({ id: z.string(), name: z.string(), day: z.string(), coach: z.string(), places: z.int() })),
  bookings: z.array(z.object({ id: z.string(), member: z.string(), class: z.string() })),
  ui: z.object({
    at: z.string(),
    query: z.string(),
    open: z.string(),
    freezing: z.string(),
    until: z.string(),
    sure: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const label = (c: State['classes'][number]) => `${c.name}, ${c.day}`;
const free = (s: State, id: string) =>
  need(s.classes, id, 'class').places - s.bookings.filter(b => b.class === id).length;
const setPlan = command('set_plan', {
  about: 'Put a member on another plan.',
  input: z.object({ id: z.string(), value: z.enum(PLANS) }),
  run(draft, { id, value }) {
    need(draft.members, id, 'member').plan = value;
  },
});
const freeze = command('freeze', {
  about: 'Freeze a membership until a month.',
  input: z.object({ id: z.string(), until: z.string().min(1) }),
  run(draft, { id, until }) {
    need(draft.members, id, 'member').frozen = until;
    Object.assign(draft.ui, { freezing: '', until: '' });
  },
});
const checkOut = command('toggle_here', {
  about: 'Check a member in or out.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const m = need(draft.members, id, 'member');
    m.here = !m.here;
  },
});
const pay = command('take_payment', {
  about: 'Note that a member paid what they owe.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const m = need(draft.members, id, 'member');
    if (m.owes === 0) refuse('Nothing to pay.');
    m.owes = 0;
  },
});
const book = command('book_class', {
  about: 'Book a member into a class.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const c = draft.classes.find(x => label(x) === value) ?? refuse('No such class.');
    if (free(draft, c.id) < 1) refuse('The class is full.');
    if (draft.bookings.some(b => b.member === id && b.class === c.id)) refuse('Booked already.');
    draft.bookings.push({ id: nextId(draft.bookings, 'b'), member: id, class: c.id });
  },
});
const unbook = command('cancel_booking', {
  about: 'Cancel a booking.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.bookings, id, 'booking');
    remove(draft.bookings, id);
  },
});
const look = query('read_gym', {
  about: 'Read members, classes and bookings.',
  input: z.object({}),
  run: s => ({
    members: s.members,
    classes: s.classes.map(c => ({ ...c, free: free(s, c.id) })),
    bookings: s.bookings.map(b => ({
      ...b,
      member: find(s.members, b.member)?.name,
      class: find(s.classes, b.class)?.name,
    })),
  }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { freezing: '', until: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type or choose.',
  input: z.object({ field: z.enum(['query', 'until']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const screens: Record<string, (s: State) => unknown[]> = {
  desk: s => [
    searchBox('Find a member', [
      textbox('Name or card number', s.ui.query, { enter: type.entering({ field: 'query' }) }),
    ]),
    s.ui.query === ''
      ? text('Type a name to see members.')
      : list(
          `Matches for "${s.ui.query}"`,
          s.members
            .filter(m => `${m.name} ${m.card}`.toLowerCase().includes(s.ui.query.toLowerCase()))
            .map(m =>
              listItem(m.name, [
                link(m.name, show.with({ patch: { at: 'member', open: m.id } })),
                text(`card ${m.card}`),
              ]),
            ),
        ),
  ],
  here: s => [
    heading('In the house'),
    ...s.members.map(m =>
      region(m.name, [text(m.plan), switchButton('In the house', m.here, checkOut.with({ id: m.id }))]),
    ),
  ],
  member(s) {
    const m = need(s.members, s.ui.open, 'member');
    if (s.ui.freezing !== '')
      return [
        dialog(`Freeze ${m.name}`, [
          combobox('Until', s.ui.until, { enter: type.entering({ field: 'until' }), options: MONTHS }),
          s.ui.until !== '' && button('Freeze now', freeze.with({ id: m.id, until: s.ui.until })),
          button('Back', show.with({ patch: {} })),
        ]),
      ];
    const mine = s.bookings.filter(b => b.member === m.id);
    return [
      heading(m.name),
      text(`Card: ${m.card}`),
      text(`Locker: ${m.locker}`),
      text(m.frozen === '' ? 'Not frozen' : `Frozen until ${m.frozen}`),
      m.owes > 0 ? button(`Take €${m.owes}`, pay.with({ id: m.id })) : text('Paid up'),
      combobox('Plan', m.plan, { enter: setPlan.entering({ id: m.id }), options: [...PLANS] }),
      button('Freeze…', show.with({ patch: { freezing: 'yes' } })),
      list(
        'Booked',
        mine.map(b => {
          const c = need(s.classes, b.class, 'class');
          return listItem(label(c), [button(`Cancel ${label(c)}`, unbook.with({ id: b.id }))]);
        }),
      ),
      combobox('Book into', '', {
        enter: book.entering({ id: m.id }),
        options: s.classes.filter(c => free(s, c.id) > 0).map(label),
      }),
    ];
  },
  classes: s => [
    heading('Classes this week'),
    ...s.classes.map(c =>
      region(label(c), [
        text(`Coach: ${c.coach}`),
        text(free(s, c.id) > 0 ? `${free(s, c.id)} places free` : 'full'),
        list(
          'Taking part',
          s.bookings.filter(b => b.class === c.id).map(b => listItem(find(s.members, b.member)?.name ?? '?', [])),
        ),
      ]),
    ),
  ],
};
const planOf = template('other-plan', {
  about: 'Put a member on another plan.',
  split: 'train',
  sample(s, random) {
    const m = random.pick(s.members);
    return {
      id: m.id,
      name: m.name,
      card: m.card,
      plan: random.pick(PLANS.filter(p => p !== m.plan)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ name, card, plan, way }) =>
    [
      `Switch ${name} to ${plan}.`,
      `${name} wants the ${plan} plan`,
      `The member with card ${card} goes ${plan}.`,
      `card ${card}: plan ${plan}`,
    ][way]!,
  checks: ({ id, plan }) => [{ name: 'plan', test: f => find(f.members, id)?.plan === plan }],
  allow: ({ id }) => [`/members/${id}/plan`],
});
const frozen = template('freeze-until', {
  about: 'Freeze a membership.',
  split: 'train',
  sample(s, random) {
    const m = random.pick(s.members.filter(x => x.frozen === ''));
    return { id: m.id, name: m.name, until: random.pick(MONTHS), way: random.between(0, 2) };
  },
  instruction: ({ name, until, way }) =>
    [
      `${name} broke an ankle. Freeze them until ${until}.`,
      `freeze ${name} til ${until}`,
      `Please pause the membership of ${name}; it starts again in ${until}.`,
    ][way]!,
  checks: ({ id, until }) => [{ name: 'frozen', test: f => find(f.members, id)?.frozen === until }],
  allow: ({ id }) => [`/members/${id}/frozen`],
});
const closing = template('check-out-all', {
  about: 'Check out everybody on a plan who is in the house.',
  split: 'train',
  sample: (s, random) => ({
    ids: random.sample(s.members, 2).map(m => m.id),
    plan: random.pick(PLANS),
    way: random.between(0, 2),
  }),
  setup(draft, { ids, plan }) {
    for (const m of draft.members) if (m.plan === plan && !ids.includes(m.id)) m.here = false;
    for (const id of ids) Object.assign(need(draft.members, id, 'member'), { plan, here: true });
  },
  instruction: ({ plan, way }) =>
    [
      `${plan} time is over: check out everyone on ${plan} who is still in.`,
      `sign out all ${plan} members that are in the house`,
      `Members with the plan "${plan}" have to leave now. Mark the ones who are here as gone.`,
    ][way]!,
  checks: ({ ids }) => ids.map((id, n) => ({ name: `out ${n + 1}`, test: f => find(f.members, id)?.here === false })),
  allow: ({ ids }) => ids.map(id => `/members/${id}/here`),
});
const join = template('maybe-full', {
  about: 'Book a member into a class that may be full.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ room }) => room,
  sample(s, random) {
    const m = random.pick(s.members);
    const c = random.pick(s.classes.filter(x => !s.bookings.some(b => b.member === m.id && b.class === x.id)));
    return {
      id: m.id,
      name: m.name,
      class: c.id,
      label: label(c),
      room: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { class: id, room }) {
    const taken = draft.bookings.filter(b => b.class === id).length;
    need(draft.classes, id, 'class').places = room ? taken + 2 : taken;
  },
  instruction: ({ name, label, way }) =>
    [
      `Book ${name} into ${label}.`,
      `${name} would like to join ${label}`,
      `Is there room in ${label}? If so put ${name} down, if not report it as impossible.`,
    ][way]!,
  checks: ({ id, class: c }) => [
    {
      name: 'booked',
      test(f, i) {
        const [b, ...rest] = added(i.bookings, f.bookings);
        return rest.length === 0 && b?.member === id && b.class === c;
      },
    },
  ],
  allow: () => ['/bookings/+'],
  shown: (s, { id }) => s.ui.at === 'classes' || (s.ui.at === 'member' && s.ui.open === id && s.ui.freezing === ''),
});
const offClass = template('cancel-class', {
  about: 'Cancel the booking of a member.',
  split: 'train',
  sample(s, random) {
    const b = random.pick(s.bookings);
    return {
      id: b.id,
      name: need(s.members, b.member, 'member').name,
      label: label(need(s.classes, b.class, 'class')),
      way: random.between(0, 2),
    };
  },
  instruction: ({ name, label, way }) =>
    [`${name} can't make ${label}.`, `Cancel ${label} for ${name}.`, `take ${name} off the list of ${label}, thanks!`][
      way
    ]!,
  checks: ({ id }) => [{ name: 'cancelled', test: f => find(f.bookings, id) === undefined }],
  allow: ({ id }) => [`/bookings/${id}`],
});
const lockerOf = template('locker-of', {
  about: 'Say the locker of a member.',
  split: 'train',
  sample(s, random) {
    const m = random.pick(s.members);
    return { id: m.id, name: m.name, way: random.between(0, 2) };
  },
  instruction: ({ name, way }) =>
    [
      `Which locker does ${name} have?`,
      `${name} forgot the number of their locker. What is it?`,
      `locker no. of ${name}`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => String(need(s.members, id, 'member').locker),
  shown: (s, { id }) => s.ui.at === 'member' && s.ui.open === id && s.ui.freezing === '',
});
const coachOf = template('coach-of-member', {
  about: 'Say who coaches the only class that a member takes.',
  split: 'train',
  sample(s, random) {
    const [b, m] = [random.pick(s.classes), random.pick(s.members)];
    return { class: b.id, id: m.id, name: m.name, way: random.between(0, 2) };
  },
  setup(draft, { class: c, id }) {
    draft.bookings = draft.bookings.filter(b => b.member !== id);
    draft.bookings.push({ id: 'b90', member: id, class: c });
  },
  instruction: ({ name, way }) =>
    [
      `Who coaches the class that ${name} takes?`,
      `${name} left a towel in class. Which coach should I ask?`,
      `${name} is booked into one class. Coach?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ class: c }, s) => need(s.classes, c, 'class').coach,
  shown: s => s.ui.at === 'classes',
});
const names = [
  'Jan Novak',
  'Jana Novak',
  'Kate Boyd',
  'Katie Boyd',
  'Lou Ferrer',
  'Luis Ferrer',
  'Max Unger',
  'Nele Brix',
  'Owen Tate',
  'Petra Holt',
  'Piotr Holt',
  'Rui Alves',
  'Suki Mori',
  'Tess Quine',
];
export const app = defineApp({
  id: 'gym-members',
  title: 'Ironworks',
  about: 'The front desk of a gym.',
  state,
  init(random) {
    const members = random.shuffle(names).map((name, n) => ({
      id: `m${n + 1}`,
      name,
      card: String(random.between(1000, 9999)),
      plan: random.pick(PLANS),
      frozen: random.chance(0.2) ? random.pick(MONTHS) : '',
      locker: random.between(100, 399),
      owes: random.chance(0.4) ? random.between(1, 9) * 5 : 0,
      here: random.chance(0.4),
    }));
    const coaches = random.shuffle(['Ade', 'Beth', 'Cyril', 'Dunya', 'Elio', 'Fiona', 'Goran', 'Hild']);
    const classes = random
      .shuffle(['Spin', 'Yoga', 'Boxing', 'Rowing'])
      .flatMap(name => random.sample(['Monday', 'Tuesday', 'Thursday', 'Saturday'], 2).map(day => ({ name, day })))
      .map((c, n) => ({ id: `k${n + 1}`, ...c, coach: coaches[n]!, places: random.between(4, 9) }));
    return {
      members,
      classes,
      bookings: classes
        .flatMap(c => random.sample(members, random.between(1, 3)).map(m => ({ member: m.id, class: c.id })))
        .map((b, n) => ({ id: `b${n + 1}`, ...b })),
      ui: { at: 'desk', query: '', open: '', freezing: '', until: '', sure: '' },
    };
  },
  commands: [setPlan, freeze, checkOut, pay, book, unbook, look, show, type],
  view: s =>
    page('Ironworks', [
      ...(s.ui.freezing === ''
        ? [
            link('Desk', show.with({ patch: { at: 'desk', open: '' } })),
            link('In the house', show.with({ patch: { at: 'here' } })),
            link('Classes', show.with({ patch: { at: 'classes' } })),
          ]
        : []),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [planOf, frozen, closing, join, offClass, lockerOf, coachOf],
});
