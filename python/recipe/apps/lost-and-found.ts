// Lost property of a railway station: cards of found things, claims beside them, hand-over with a confirmation.
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
  link,
  list,
  listItem,
  need,
  nextId,
  page,
  radio,
  refuse,
  region,
  remove,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const KINDS = ['umbrella', 'bag', 'phone', 'toy', 'coat', 'keys'] as const;
const BINS = ['A1', 'A2', 'B1', 'B2', 'safe'] as const;
const state = z.object({
  things: z.array(
    z.object({
      id: z.string(),
      tag: z.string(),
      what: z.string(),
      kind: z.enum(KINDS),
      bin: z.enum(BINS),
      found: z.string(),
      train: z.string(),
      status: z.enum(['waiting', 'matched', 'to charity']),
    }),
  ),
  claims: z.array(
    z.object({ id: z.string(), person: z.string(), what: z.string(), tag: z.string(), phone: z.string() }),
  ),
  ui: z.object({
    tab: z.string(),
    kind: z.string(),
    card: z.string(),
    claim: z.string(),
    ask: z.string(),
    what: z.string(),
    newKind: z.string(),
    train: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const stow = command('stow', {
  about: 'Put a thing into another bin.',
  input: z.object({ id: z.string(), bin: z.enum(BINS) }),
  run(draft, { id, bin }) {
    need(draft.things, id, 'thing').bin = bin;
  },
});
const charity = command('give_to_charity', {
  about: 'Mark a thing for charity.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const x = need(draft.things, id, 'thing');
    if (x.status === 'matched') refuse('Somebody has claimed it.');
    x.status = 'to charity';
  },
});
const match = command('match_claim', {
  about: 'Match a claim with the tag of a thing.',
  input: z.object({ claim: z.string(), value: z.string() }),
  run(draft, { claim, value }) {
    const c = need(draft.claims, claim, 'claim');
    const x = draft.things.find(t => t.tag === value) ?? refuse('No such tag.');
    if (x.status !== 'waiting') refuse('That one is not free.');
    c.tag = x.tag;
    x.status = 'matched';
  },
});
const handOver = command('hand_over', {
  about: 'Hand a thing over. It leaves the store.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.things, id, 'thing');
    remove(draft.things, id);
    Object.assign(draft.ui, { ask: '', card: '' });
  },
});
const dropClaim = command('drop_claim', {
  about: 'Drop a claim.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.claims, id, 'claim');
    remove(draft.claims, id);
    draft.ui.claim = '';
  },
});
const log = command('log_find', {
  about: 'Log a thing that was found today. It gets a tag and goes into bin A1.',
  input: z.object({ what: z.string().min(3), kind: z.enum(KINDS), train: z.string().min(2) }),
  run(draft, { what, kind, train }) {
    const id = nextId(draft.things, 'x');
    draft.things.push({
      id,
      tag: `T${900 + Number(id.slice(1))}`,
      what,
      kind,
      train,
      bin: 'A1',
      found: 'today',
      status: 'waiting',
    });
    Object.assign(draft.ui, { tab: 'Found', kind: 'everything', what: '', newKind: '', train: '' });
  },
});
const store = query('look_through_store', {
  about: 'All things and all claims.',
  input: z.object({}),
  run: ({ things, claims }) => ({ things, claims }),
});
const turnTo = gesture('turn_to', {
  about: 'Turn to a tab.',
  input: z.object({ tab: z.string() }),
  run(draft, { tab: to }) {
    Object.assign(draft.ui, { tab: to, card: '', claim: '', ask: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Show one kind of thing.',
  input: z.object({ kind: z.string() }),
  run(draft, { kind }) {
    Object.assign(draft.ui, { kind, card: '' });
  },
});
const flipCard = gesture('flip_card', {
  about: 'Turn a card over.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.card = draft.ui.card === id ? '' : id;
  },
});
const openClaim = gesture('open_claim', {
  about: 'Open a claim.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.claim = id;
  },
});
const ask = gesture('ask', {
  about: 'Ask before handing over.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    draft.ui.ask = id;
  },
});
const pen = gesture('pen', {
  about: 'Fill in the find slip.',
  input: z.object({ field: z.enum(['what', 'newKind', 'train']), value: z.string().max(50) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});

const tabs: Record<string, (s: State) => unknown[]> = {
  Found: s => [
    region(
      'Kind',
      ['everything', ...KINDS].map(k => radio(k, s.ui.kind === k, narrow.with({ kind: k }))),
    ),
    list(
      'Cards',
      s.things
        .filter(x => s.ui.kind === 'everything' || x.kind === s.ui.kind)
        .map(x =>
          listItem(`${x.what}, ${x.tag}`, [
            button(`${x.tag} ${x.what}`, flipCard.with({ id: x.id }), s.ui.card === x.id ? ['expanded'] : []),
            ...(s.ui.card === x.id
              ? [
                  text(`Found ${x.found} on train ${x.train}`),
                  text(x.status),
                  region(
                    'Bin',
                    BINS.map(b => radio(b, x.bin === b, stow.with({ id: x.id, bin: b }))),
                  ),
                  x.status === 'waiting' && button('♥ Charity', charity.with({ id: x.id })),
                  button('Hand over', ask.with({ id: x.id })),
                ]
              : []),
          ]),
        ),
      { shuffle: true },
    ),
  ],
  Claims(s) {
    const c = find(s.claims, s.ui.claim);
    return [
      list(
        'Who is looking for what',
        s.claims.map(x => link(`${x.person}: ${x.what}`, openClaim.with({ id: x.id }))),
      ),
      c !== undefined &&
        region(`Claim of ${c.person}`, [
          heading(c.person),
          text(`Lost: ${c.what}`),
          text(`Telephone ${c.phone}`),
          combobox('Matches tag', c.tag, {
            enter: match.entering({ claim: c.id }),
            options: s.things.filter(x => x.status === 'waiting' || x.tag === c.tag).map(x => x.tag),
          }),
          button('Drop this claim', dropClaim.with({ id: c.id })),
        ]),
    ];
  },
  'Find slip': s => [
    form('Find slip', [
      textbox('What is it?', s.ui.what, { enter: pen.entering({ field: 'what' }) }),
      combobox('What sort of thing?', s.ui.newKind, { enter: pen.entering({ field: 'newKind' }), options: [...KINDS] }),
      textbox('On which train?', s.ui.train, { enter: pen.entering({ field: 'train' }) }),
      button('Tie a tag to it', log.with({ what: s.ui.what, kind: s.ui.newKind as 'toy', train: s.ui.train })),
    ]),
  ],
};

const rebin = template('other-bin', {
  about: 'Put a thing into another bin.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.things);
    return {
      id: x.id,
      tag: x.tag,
      what: x.what,
      bin: random.pick(BINS.filter(b => b !== x.bin)),
      way: random.between(0, 3),
    };
  },
  instruction: ({ tag, what, bin, way }) =>
    [
      `${tag} → ${bin}`,
      `I put the ${what} in ${bin}, note that please`,
      `The ${what} isn't in its bin any more, you'll find it in ${bin}. Change the card.`,
      `bin of ${tag} is ${bin} now`,
    ][way]!,
  checks: ({ id, bin }) => [{ name: bin, test: final => find(final.things, id)?.bin === bin }],
  allow: ({ id }) => [`/things/${id}/bin`],
});
const give = template('kind-to-charity', {
  about: 'Give all waiting things of a kind to charity.',
  split: 'train',
  sample(s, random) {
    const kind = random.pick(KINDS.filter(k => s.things.filter(x => x.kind === k).length >= 2));
    return {
      kind,
      ids: s.things
        .filter(x => x.kind === kind)
        .slice(0, 2)
        .map(x => x.id),
      way: random.between(0, 2),
    };
  },
  setup(draft, { kind, ids }) {
    for (const x of draft.things) if (x.kind === kind) x.status = ids.includes(x.id) ? 'waiting' : 'to charity';
    for (const c of draft.claims) if (ids.some(id => need(draft.things, id, 'thing').tag === c.tag)) c.tag = '';
  },
  instruction: ({ kind, way }) =>
    [
      `Nobody asked for them: everything of the kind "${kind}" that is still waiting goes to charity.`,
      `charity van is here, it takes ${kind} only. Mark all the waiting ones.`,
      `Category ${kind}: all that's waiting → charity`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({
      name: `charity ${at + 1}`,
      test: final => find(final.things, id)?.status === 'to charity',
    })),
  allow: ({ ids }) => ids.map(id => `/things/${id}/status`),
});
const slip = template('find-slip', {
  about: 'Log a thing that was found.',
  split: 'train',
  sample: (s, random) => ({
    what: `${random.pick(['striped', 'purple', 'wet', 'tiny', 'leather'])} ${random.pick(['rucksack', 'parka', 'teddy', 'key ring', 'brolly'])}`,
    kind: random.pick(KINDS),
    train: `RE ${random.between(10, 99)}`,
    way: random.between(0, 2),
  }),
  instruction: ({ what, kind, train, way }) =>
    [
      `A conductor brought a ${what} from ${train}. Log it (sort: ${kind}).`,
      `find slip: ${what}, ${kind}, ${train}`,
      `Somebody left a ${what} on ${train}. Please tie a tag to it. I'd file it under ${kind}.`,
    ][way]!,
  checks: ({ what, kind, train }) => [
    {
      name: 'logged',
      test(final, initial) {
        const [x, ...rest] = added(initial.things, final.things);
        return (
          rest.length === 0 &&
          x?.what === what &&
          x.kind === kind &&
          x.train === train &&
          x.bin === 'A1' &&
          x.status === 'waiting' &&
          x.found === 'today' &&
          x.tag === `T${900 + Number(x.id.slice(1))}`
        );
      },
    },
  ],
  allow: () => ['/things/+'],
});
const collected = template('hand-over', {
  about: 'Hand a thing over.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.things);
    return { id: x.id, what: x.what, tag: x.tag, way: random.between(0, 2) };
  },
  instruction: ({ what, tag, way }) =>
    [
      `The owner of the ${what} is here. Hand it over.`,
      `${tag} was collected`,
      `Happy end for the ${what}: picked up a minute ago, so it leaves the store.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'handed over', test: final => find(final.things, id) === undefined }],
  allow: ({ id }) => [`/things/${id}`],
});
const matched = template('match-by-words', {
  about: 'Match a claim with the thing that it describes.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ there }) => there,
  sample(s, random) {
    const c = random.pick(s.claims);
    const x = random.pick(s.things);
    return {
      claim: c.id,
      person: c.person,
      thing: x.id,
      what: x.what,
      tag: x.tag,
      there: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { claim, thing, what, tag, there }) {
    for (const c of draft.claims) {
      if (c.id === claim) Object.assign(c, { what, tag: '' });
      else if (c.tag === tag) c.tag = '';
    }
    if (there) need(draft.things, thing, 'thing').status = 'waiting';
    else draft.things = draft.things.filter(x => x.id !== thing);
  },
  instruction: ({ person, way }) =>
    [
      `See whether we have what ${person} has lost, and match the claim with its tag. It must be exactly the thing described.`,
      `${person} is on the phone. Match their claim with the right tag, if the very thing is here.`,
      `match claim ${person}`,
    ][way]!,
  checks: ({ claim, thing, tag }) => [
    { name: 'tag', test: final => find(final.claims, claim)?.tag === tag },
    { name: 'matched', test: final => find(final.things, thing)?.status === 'matched' },
  ],
  allow: ({ claim, thing }) => [`/claims/${claim}/tag`, `/things/${thing}/status`],
  shown: ({ ui }) => [ui.tab === 'Claims', ui.tab === 'Found' && ui.kind === 'everything'],
});
const which = template('train-of-match', {
  about: 'Say on which train the thing of a claim was found.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.claims);
    const x = random.pick(s.things);
    return { claim: c.id, person: c.person, thing: x.id, tag: x.tag, way: random.between(0, 2) };
  },
  setup(draft, { claim, thing, tag }) {
    for (const c of draft.claims) if (c.tag === tag) c.tag = '';
    need(draft.claims, claim, 'claim').tag = tag;
    need(draft.things, thing, 'thing').status = 'matched';
  },
  instruction: ({ person, way }) =>
    [
      `On which train did the thing turn up that is matched with the claim of ${person}?`,
      `${person} wonders on what train we found it. (It has been matched.)`,
      `train where ${person}'s item was found?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ thing }, s) => need(s.things, thing, 'thing').train,
  shown: ({ ui }, { claim, thing }) => [ui.claim === claim, ui.card === thing],
});
const forget = template('drop-claim', {
  about: 'Drop the claim of a telephone number.',
  split: 'train',
  sample(s, random) {
    const c = random.pick(s.claims);
    return { id: c.id, person: c.person, lost: c.what, way: random.between(0, 2) };
  },
  instruction: ({ person, way }) =>
    [
      `${person} found it at home. Drop the claim.`,
      `no need to look any further for ${person}`,
      `Delete what ${person} reported as lost.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'dropped', test: final => find(final.claims, id) === undefined }],
  allow: ({ id }) => [`/claims/${id}`],
});

const stuff: [string, (typeof KINDS)[number]][] = [
  ['black umbrella', 'umbrella'],
  ['black umbrella with a duck handle', 'umbrella'],
  ['red umbrella', 'umbrella'],
  ['canvas bag', 'bag'],
  ['canvas bag with books', 'bag'],
  ['sports bag', 'bag'],
  ['cracked phone', 'phone'],
  ['old flip phone', 'phone'],
  ['plush hare', 'toy'],
  ['plush bear', 'toy'],
  ['wooden train', 'toy'],
  ['grey coat', 'coat'],
  ['grey duffle coat', 'coat'],
  ['car keys', 'keys'],
  ['keys on a ribbon', 'keys'],
];
export const app = defineApp({
  id: 'lost-and-found',
  title: 'Lost property',
  about: 'The lost property office of a railway station.',
  state,
  init(random) {
    const tags = random.sample(
      Array.from({ length: 300 }, (_, at) => at + 100),
      stuff.length,
    );
    const things = random.shuffle(stuff).map(([what, kind], at) => ({
      id: `x${at + 1}`,
      tag: `T${tags[at]}`,
      what,
      kind,
      bin: random.pick(BINS),
      found: `on the ${random.between(1, 28)}th`,
      train: `${random.pick(['IC', 'RB', 'S'])} ${random.between(100, 999)}`,
      status: random.pick(['waiting', 'waiting', 'to charity'] as const),
    }));
    return {
      things,
      claims: random
        .shuffle([
          'Mr Pike',
          'Mrs Pike',
          'Ola N.',
          'Ole N.',
          'Ms Duarte',
          'a Mr Finn',
          'Fatma Y.',
          'Student (no name)',
          'Greta V.',
          'Mr Castle',
        ])
        .map((person, at) => ({
          id: `c${at + 1}`,
          person,
          what: random.pick(['blue scarf', 'violin', 'silver ring', 'lunch box', 'hat', 'glasses', 'passport']),
          tag: '',
          phone: `0${random.between(300, 999)} ${random.between(10000, 99999)}`,
        })),
      ui: { tab: 'Claims', kind: 'everything', card: '', claim: '', ask: '', what: '', newKind: '', train: '' },
    };
  },
  commands: [stow, charity, match, handOver, dropClaim, log, store, turnTo, narrow, flipCard, openClaim, ask, pen],
  view(s) {
    const asked = find(s.things, s.ui.ask);
    if (asked !== undefined)
      return page('Lost property', [
        dialog(`Hand over ${asked.tag}, ${asked.what}?`, [
          text('Has the passport been checked?'),
          button('Checked, hand over', handOver.with({ id: asked.id })),
          button('Wait', ask.with({ id: '' })),
        ]),
      ]);
    return page('Lost property', [
      ...Object.keys(tabs).map(t => tab(t, turnTo.with({ tab: t }), s.ui.tab === t ? ['selected'] : [])),
      ...(tabs[s.ui.tab]!(s) as ReturnType<typeof text>[]),
    ]);
  },
  templates: [rebin, give, slip, collected, matched, which, forget],
});
