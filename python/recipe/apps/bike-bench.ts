// A bicycle workshop's bench board: job cards in columns, ticks on the card, a parts drawer and a new-card form.
import {
  added,
  alert,
  appKit,
  banner,
  button,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  refuse,
  region,
  status,
  text,
  textbox,
  z,
} from 'espalier';

const s = z.string();
const stages = ['Dropped off', 'On the stand', 'Waiting for parts', 'Ready'] as const;
const places = ['board', 'card', 'drawer', 'new'] as const;
const job = z.object({
  id: s,
  bike: s,
  owner: s,
  stage: z.enum(stages),
  mechanic: s,
  washed: z.boolean(),
  tested: z.boolean(),
  fault: s,
});
const part = z.object({ id: s, name: s, left: z.int(), bin: s });
const state = z.object({
  jobs: z.array(job),
  parts: z.array(part),
  ui: z.object({ place: z.enum(places), job: s, part: s, bike: s, owner: s, fault: s, chalk: s }),
});
type Shop = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const say = (n: number, ...ways: string[]) => ways[n % ways.length] ?? '';

const makes = ['Surly', 'Kona', 'Brompton', 'Peugeot', 'Raleigh', 'Gazelle', 'Cannondale', 'Bianchi', 'Dawes', 'Tern'];
const kinds = ['tandem', 'folder', 'tourer', 'cargo bike', 'racer', 'hybrid'];
const owners = [
  'Agnes',
  'Bilal',
  'Corinne',
  'Dmitri',
  'Esther',
  'Farid',
  'Gwen',
  'Hamish',
  'Ilse',
  'Jomo',
  'Katya',
  'Luc',
  'Mirela',
  'Nadim',
  'Oona',
  'Pascal',
  'Quinn',
  'Rosa',
  'Stellan',
  'Tilda',
];
const faults = [
  'buckled wheel',
  'slipping gears',
  'squealing brakes',
  'worn chain',
  'loose headset',
  'flat tyre',
  'bent hanger',
  'creaking crank',
];
const crew = ['Nobody', 'Bea', 'Otto', 'Sunil', 'Marge'];
const partNames = [
  'Inner tube 28',
  'Brake pads',
  'Chain 9-speed',
  'Cassette 11-32',
  'Bottom bracket',
  'Gear cable',
  'Rim tape',
  'Saddle clamp',
  'Valve caps',
  'Spoke 264',
  'Pedal pair',
  'Grip set',
];

const shift = command('shift_card', {
  about: 'Shift a card to another column.',
  input: z.object({ id: s, to: z.enum(stages) }),
  run(draft, { id, to }) {
    const card = need(draft.jobs, id, 'card');
    if (to === 'Ready' && !card.tested) refuse(`Test-ride the ${card.bike} first.`);
    card.stage = to;
    draft.ui.chalk = `${card.bike}: ${to.toLowerCase()}`;
  },
});
const tick = command('tick_card', {
  about: 'Tick washed or test-ridden on a card, or untick it.',
  input: z.object({ id: s, box: z.enum(['washed', 'tested']) }),
  run(draft, { id, box }) {
    const card = need(draft.jobs, id, 'card');
    card[box] = !card[box];
  },
});
const assign = command('give_to_mechanic', {
  about: 'Give a card to a mechanic.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    need(draft.jobs, id, 'card').mechanic = value;
  },
});
const write = command('write_card', {
  about: 'Write a new job card.',
  input: z.object({ bike: s.trim().min(1, 'which bike?'), owner: s.trim().min(1, 'whose?'), fault: s.min(1, 'why?') }),
  run(draft, input) {
    const fresh = { stage: 'Dropped off', mechanic: 'Nobody', washed: false, tested: false } as const;
    draft.jobs.push({ id: nextId(draft.jobs, 'j'), ...input, ...fresh });
    Object.assign(draft.ui, { place: 'board', bike: '', owner: '', fault: '', chalk: 'Card pinned up.' });
  },
});
const cards = query('read_board', {
  about: 'All cards and parts.',
  input: z.object({}),
  run: ({ jobs, parts }) => ({ jobs, parts }),
});
const visit = gesture('visit', {
  about: 'Go to the board, a card, the drawer, a part in it, or the form.',
  input: z.object({ place: z.enum(places), id: s }),
  run(draft, { place, id }) {
    Object.assign(draft.ui, { place, job: place === 'card' ? id : '', part: place === 'drawer' ? id : '', chalk: '' });
  },
});
const jot = gesture('jot', {
  about: 'Fill in the form of a new card.',
  input: z.object({ field: z.enum(['bike', 'owner', 'fault']), value: s.max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

function place({ jobs, parts, ui }: Shop) {
  const [card, bit] = [find(jobs, ui.job), find(parts, ui.part)];
  if (ui.place === 'card' && card !== undefined) {
    const { id, bike, owner, stage, fault } = card;
    const others = stages.filter(to => to !== stage);
    return region(bike, [
      heading(`${bike} of ${owner}`),
      status(stage),
      text(`Complaint: ${fault}`),
      combobox('Mechanic', card.mechanic, { enter: assign.entering({ id }), options: crew }),
      checkbox('Washed', card.washed, tick.with({ id, box: 'washed' })),
      checkbox('Test-ridden', card.tested, tick.with({ id, box: 'tested' })),
      ...others.map(to => button(`→ ${to}`, shift.with({ id, to }))),
    ]);
  }
  if (ui.place === 'drawer')
    return region(
      'Parts drawer',
      bit === undefined
        ? parts.map(({ id, name }) => link(name, visit.with({ place: 'drawer', id })))
        : [
            text(`${bit.name}: bin ${bit.bin}, ${bit.left} left`),
            link('Shut bin', visit.with({ place: 'drawer', id: '' })),
          ],
    );
  if (ui.place === 'new')
    return form('Blank card', [
      textbox('Bike', ui.bike, { enter: jot.entering({ field: 'bike' }) }),
      textbox('Belongs to', ui.owner, { enter: jot.entering({ field: 'owner' }) }),
      combobox('Complaint', ui.fault, { enter: jot.entering({ field: 'fault' }), options: faults }),
      button('Pin it up', write.with({ bike: ui.bike, owner: ui.owner, fault: ui.fault })),
    ]);
  return region(
    'Board',
    stages.map(stage =>
      list(
        stage,
        jobs
          .filter(it => it.stage === stage)
          .map(({ id, bike, owner }) => listItem(owner, [link(bike, visit.with({ place: 'card', id }))])),
      ),
    ),
  );
}

const shiftJob = template('shift-card', {
  about: 'Shift the bike of an owner to another column.',
  split: 'train',
  sample({ jobs }, random) {
    const { id, bike, owner, stage } = random.pick(jobs);
    const to = random.pick(stages.filter(it => it !== stage && it !== 'Ready'));
    return { id, bike, owner, to, n: random.between(0, 6) };
  },
  instruction: ({ n, bike, owner, to }) =>
    say(
      n,
      `${bike} (${owner}): ${to}`,
      `Put ${owner}'s bike under "${to}".`,
      `Please shift the card of the ${bike} to ${to}.`,
      `${owner}'s ${bike} is now "${to}". Can the board show that?`,
      `What ${owner} brought in should be in the column ${to}.`,
      `The board is out of date: the ${bike} belonging to ${owner} is really in "${to}".`,
      `Move the ${bike} over to ${to}, would you?`,
    ),
  checks: ({ id, to }) => [{ name: `the card is under ${to}`, test: final => find(final.jobs, id)?.stage === to }],
  allow: ({ id }) => [`/jobs/${id}/stage`],
});
const finishJob = template('test-and-ready', {
  about: 'Tick a test ride and declare a bike ready.',
  split: 'train',
  sample({ jobs }, random) {
    const { id, bike, owner } = random.pick(jobs);
    return { id, bike, owner, n: random.between(0, 5) };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.jobs, id, 'card'), { tested: false, stage: 'On the stand' });
  },
  instruction: ({ n, bike, owner }) =>
    say(
      n,
      `${owner}'s ${bike}: test-ridden, ready.`,
      `I took the ${bike} round the block and it runs fine. Tick the test ride and put it with the ready ones.`,
      `${owner} comes at five. The ${bike} has been test-ridden, so mark that and make it Ready.`,
      `Please tick "Test-ridden" for ${owner}'s ${bike} and shift it to Ready.`,
      `The ${bike} is finished, test ride included. Show it as such on the board.`,
      `Could you get ${owner}'s bike into Ready? The test ride is done but not ticked yet.`,
    ),
  checks: ({ id }) => [
    { name: 'the test ride is ticked', test: final => find(final.jobs, id)?.tested === true },
    { name: 'the card is under Ready', test: final => find(final.jobs, id)?.stage === 'Ready' },
  ],
  allow: ({ id }) => [`/jobs/${id}/tested`, `/jobs/${id}/stage`],
});
const newJob = template('write-card', {
  about: 'Write a card for a bike that came in.',
  split: 'train',
  sample: (_, random) => ({
    bike: `${random.pick(makes)} ${random.pick(kinds)}`,
    owner: random.pick(owners),
    fault: random.pick(faults),
    n: random.between(0, 5),
  }),
  instruction: ({ n, bike, owner, fault }) =>
    say(
      n,
      `New card: ${bike}, ${owner}, ${fault}.`,
      `${owner} has just brought a ${bike} with a ${fault}. Write a card.`,
      `Somebody called ${owner} left a ${bike} at the door, complaint: ${fault}. Pin up a card for it, please.`,
      `Take in a ${bike} for ${owner}. What is wrong: ${fault}.`,
      `Could you open a job for ${owner}? ${bike}, ${fault}.`,
      `We agreed to look at ${owner}'s ${bike} (${fault}), but there is no card yet. Make one.`,
    ),
  checks: ({ bike, owner, fault }) => [
    {
      name: 'one card was written as told',
      test(final, initial) {
        const [made, ...more] = added(initial.jobs, final.jobs);
        if (made === undefined || more.length > 0 || made.washed || made.tested) return false;
        if (made.stage !== 'Dropped off' || made.mechanic !== 'Nobody') return false;
        return made.bike === bike && made.owner === owner && made.fault === fault;
      },
    },
  ],
  allow: () => ['/jobs/+'],
});
const askBin = template('which-bin', {
  about: 'Say in which bin a part is.',
  split: 'train',
  sample({ parts }, random) {
    const { id, name } = random.pick(parts);
    return { id, name, n: random.between(0, 5) };
  },
  instruction: ({ n, name }) =>
    say(
      n,
      `Which bin is "${name}" in?`,
      `${name}: bin?`,
      `I can't find the ${name}. Where in the drawer is it, which bin?`,
      `Look up the bin of ${name}, please.`,
      `Otto needs ${name} right now; tell me the bin.`,
      `In what bin do we keep ${name}?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { parts }) => need(parts, id, 'part').bin,
  shown: ({ ui }, { id }) => ui.part === id,
});

export const app = defineApp({
  id: 'bike-bench',
  title: 'Bench board',
  about: 'The job board of a bicycle workshop.',
  state,
  init(random) {
    const bikes = random.sample(
      makes.flatMap(make => kinds.map(kind => `${make} ${kind}`)),
      14,
    );
    const people = random.shuffle(owners);
    return {
      jobs: bikes.map((bike, index) => ({
        id: `j${index + 1}`,
        bike,
        owner: people[index] ?? '',
        stage: random.pick(stages.slice(0, 3)),
        mechanic: random.pick(crew),
        washed: random.chance(0.4),
        tested: random.chance(0.2),
        fault: random.pick(faults),
      })),
      parts: random.shuffle(partNames).map((name, index) => ({
        id: `p${index}`,
        name,
        left: random.between(1, 20),
        bin: `${random.pick([...'RGY'])}${random.between(11, 89)}`,
      })),
      ui: { place: 'board' as const, job: '', part: '', bike: '', owner: '', fault: '', chalk: '' },
    };
  },
  commands: [shift, tick, assign, write, cards, visit, jot],
  view: shop =>
    page('Bench board', [
      banner('Spoke & Sprocket', [
        link('Board', visit.with({ place: 'board', id: '' })),
        link('Drawer', visit.with({ place: 'drawer', id: '' })),
        link('Blank card', visit.with({ place: 'new', id: '' })),
      ]),
      shop.ui.chalk !== '' && alert(shop.ui.chalk),
      place(shop),
    ]),
  templates: [shiftJob, finishJob, newJob, askBin],
  onRefusal(draft, message) {
    draft.ui.chalk = message;
  },
});
