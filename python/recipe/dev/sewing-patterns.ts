// Bobbin: a drawer of sewing patterns and a stash of cloth. Cards, "show more", a page for each pattern.
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
  radio,
  refuse,
  region,
  remove,
  text,
  textbox,
  z,
} from 'espalier';

const GARMENTS = ['dress', 'shirt', 'trousers', 'coat', 'bag'] as const;
const SIZES = ['XS', 'S', 'M', 'L', 'XL'];
const state = z.object({
  patterns: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      maker: z.string(),
      garment: z.enum(GARMENTS),
      metres: z.number(),
      level: z.int(),
      sizes: z.array(z.string()),
      cut: z.string(),
      box: z.int(),
      stars: z.int(),
    }),
  ),
  cloth: z.array(
    z.object({ id: z.string(), name: z.string(), metres: z.number(), fibre: z.string(), washed: z.boolean() }),
  ),
  plans: z.array(z.object({ id: z.string(), pattern: z.string(), cloth: z.string(), who: z.string() })),
  ui: z.object({
    at: z.string(),
    more: z.string(),
    garment: z.string(),
    open: z.string(),
    sure: z.string(),
    who: z.string(),
    pattern: z.string(),
    cloth: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const cutSize = command('cut_size', {
  about: 'Note which size of a pattern is cut.',
  input: z.object({ id: z.string(), size: z.string() }),
  run(draft, { id, size }) {
    const p = need(draft.patterns, id, 'pattern');
    if (!p.sizes.includes(size)) refuse(`There is no ${size} on the sheet.`);
    p.cut = size;
  },
});
const rate = command('rate', {
  about: 'Rate a pattern.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^[0-5]$/.test(value)) refuse('From 0 to 5.');
    need(draft.patterns, id, 'pattern').stars = Number(value);
  },
});
const rebox = command('rebox', {
  about: 'Put a pattern into a box.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!/^box [1-6]$/.test(value)) refuse('There are six boxes.');
    need(draft.patterns, id, 'pattern').box = Number(value.replace('box ', ''));
  },
});
const giveAway = command('give_away', {
  about: 'Give a pattern away.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.patterns, id, 'pattern');
    remove(draft.patterns, id);
    Object.assign(draft.ui, { at: 'drawer', open: '', sure: '' });
  },
});
const wash = command('wash', {
  about: 'Note that a cloth is pre-washed.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const c = need(draft.cloth, id, 'cloth');
    if (c.washed) refuse('Washed already.');
    c.washed = true;
  },
});
const plan = command('plan_make', {
  about: 'Plan to sew something for somebody.',
  input: z.object({ pattern: z.string(), cloth: z.string(), who: z.string().min(1) }),
  run(draft, { pattern, cloth, who }) {
    const p = draft.patterns.find(x => x.title === pattern) ?? refuse('No such pattern.');
    const c = draft.cloth.find(x => x.name === cloth) ?? refuse('No such cloth.');
    draft.plans.push({ id: nextId(draft.plans, 'n'), pattern: p.id, cloth: c.id, who });
    Object.assign(draft.ui, { at: 'plans', who: '', pattern: '', cloth: '' });
  },
});
const look = query('read_all', {
  about: 'Read patterns, cloth and plans.',
  input: z.object({}),
  run: s => ({ patterns: s.patterns, cloth: s.cloth, plans: s.plans }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { sure: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type or choose.',
  input: z.object({ field: z.enum(['garment', 'who', 'pattern', 'cloth']), value: z.string().max(60) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
    if (field === 'garment') draft.ui.more = '5';
  },
});
const found = (s: State) => s.patterns.filter(p => s.ui.garment === 'everything' || p.garment === s.ui.garment);
const screens: Record<string, (s: State) => unknown[]> = {
  drawer: s => [
    combobox('Show me', s.ui.garment, {
      enter: type.entering({ field: 'garment' }),
      options: ['everything', ...GARMENTS],
    }),
    list(
      'The drawer',
      found(s)
        .slice(0, Number(s.ui.more))
        .map(p =>
          listItem(p.title, [
            text(`${p.maker}, ${p.garment}`),
            link(`Look at ${p.title}`, show.with({ patch: { at: 'pattern', open: p.id } })),
          ]),
        ),
    ),
    found(s).length > Number(s.ui.more) &&
      button(
        `Show more (${found(s).length - Number(s.ui.more)} left)`,
        show.with({ patch: { more: String(Number(s.ui.more) + 5) } }),
      ),
  ],
  pattern(s) {
    const p = need(s.patterns, s.ui.open, 'pattern');
    if (s.ui.sure !== '')
      return [
        dialog(`Part with ${p.title}?`, [
          button('Give it away', giveAway.with({ id: p.id })),
          button('Oh no', show.with({ patch: {} })),
        ]),
      ];
    return [
      heading(p.title),
      text(`Needs ${p.metres} m of cloth`),
      text(`Difficulty ${p.level} of 5`),
      text(`By ${p.maker}`),
      region(
        'Size I cut',
        p.sizes.map(size => radio(size, p.cut === size, cutSize.with({ id: p.id, size }))),
      ),
      combobox('Rating', String(p.stars), {
        enter: rate.entering({ id: p.id }),
        options: ['0', '1', '2', '3', '4', '5'],
      }),
      combobox('Kept in', `box ${p.box}`, {
        enter: rebox.entering({ id: p.id }),
        options: [1, 2, 3, 4, 5, 6].map(n => `box ${n}`),
      }),
      button('Give away', show.with({ patch: { sure: 'yes' } })),
    ];
  },
  stash: s => [
    heading('Stash'),
    ...s.cloth.map(c =>
      region(c.name, [
        text(`${c.metres} m left`),
        text(c.fibre),
        c.washed ? text('pre-washed') : button('Mark as pre-washed', wash.with({ id: c.id })),
      ]),
    ),
  ],
  plans: s => [
    heading('To sew'),
    ...s.plans.map(n =>
      text(`${find(s.patterns, n.pattern)?.title ?? '?'} for ${n.who}, from ${find(s.cloth, n.cloth)?.name ?? '?'}`),
    ),
    button('Plan something', show.with({ patch: { at: 'new' } })),
  ],
  new: s => [
    heading('Plan something'),
    combobox('Pattern', s.ui.pattern, {
      enter: type.entering({ field: 'pattern' }),
      options: s.patterns.map(p => p.title),
    }),
    combobox('Cloth', s.ui.cloth, { enter: type.entering({ field: 'cloth' }), options: s.cloth.map(c => c.name) }),
    textbox('For whom', s.ui.who, { enter: type.entering({ field: 'who' }) }),
    s.ui.pattern !== '' &&
      s.ui.cloth !== '' &&
      s.ui.who !== '' &&
      button('Pin it up', plan.with({ pattern: s.ui.pattern, cloth: s.ui.cloth, who: s.ui.who })),
  ],
};
const box = template('other-box', {
  about: 'Put a pattern into another box.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.patterns);
    return {
      id: p.id,
      title: p.title,
      box: random.pick([1, 2, 3, 4, 5, 6].filter(n => n !== p.box)),
      way: random.between(0, 2),
    };
  },
  instruction: ({ title, box, way }) =>
    [
      `${title} is in box ${box} now.`,
      `I moved the pattern "${title}" to box ${box}, note that`,
      `box ${box} for ${title}`,
    ][way]!,
  checks: ({ id, box }) => [{ name: 'box', test: f => find(f.patterns, id)?.box === box }],
  allow: ({ id }) => [`/patterns/${id}/box`],
});
const size = template('size-on-sheet', {
  about: 'Note the size that was cut, if the sheet has it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ has }) => has,
  sample(s, random) {
    const p = random.pick(s.patterns);
    return {
      id: p.id,
      title: p.title,
      size: random.pick(SIZES.filter(x => x !== p.cut)),
      has: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { id, size, has }) {
    const p = need(draft.patterns, id, 'pattern');
    p.sizes = SIZES.filter(x => (x === size ? has : p.sizes.includes(x) || x === p.cut));
  },
  instruction: ({ title, size, way }) =>
    [
      `I cut ${title} in ${size}.`,
      `Write down that I cut size ${size} of "${title}".`,
      `${title}: ${size} is the size I cut this time`,
    ][way]!,
  checks: ({ id, size }) => [{ name: 'cut', test: f => find(f.patterns, id)?.cut === size }],
  allow: ({ id }) => [`/patterns/${id}/cut`],
  shown: (s, { id }) => s.ui.at === 'pattern' && s.ui.open === id,
});
const away = template('give-away', {
  about: 'Give a pattern away.',
  split: 'train',
  sample(s, random) {
    const p = random.pick(s.patterns);
    return { id: p.id, title: p.title, way: random.between(0, 2) };
  },
  instruction: ({ title, way }) =>
    [
      `My sister gets ${title}. Take it out of the drawer.`,
      `I will never sew "${title}", give it away`,
      `remove ${title} from my patterns`,
    ][way]!,
  checks: ({ id }) => [{ name: 'given away', test: f => find(f.patterns, id) === undefined }],
  allow: ({ id }) => [`/patterns/${id}`],
});
const washed = template('wash-fibre', {
  about: 'Mark every cloth of a fibre as washed.',
  split: 'train',
  sample(s, random) {
    return {
      ids: random.sample(s.cloth, 2).map(c => c.id),
      fibre: random.pick(['linen', 'cotton', 'wool']),
      way: random.between(0, 2),
    };
  },
  setup(draft, { ids, fibre }) {
    for (const c of draft.cloth) if (c.fibre === fibre && !ids.includes(c.id)) c.fibre = 'silk';
    for (const id of ids) Object.assign(need(draft.cloth, id, 'cloth'), { fibre, washed: false });
  },
  instruction: ({ fibre, way }) =>
    [
      `I put all the ${fibre} through the washing machine. Note it.`,
      `everything made of ${fibre} is pre-washed now`,
      `Mark the ${fibre} pieces in the stash as pre-washed, only those.`,
    ][way]!,
  checks: ({ ids }) => ids.map((id, n) => ({ name: `washed ${n + 1}`, test: f => find(f.cloth, id)?.washed === true })),
  allow: ({ ids }) => ids.map(id => `/cloth/${id}/washed`),
});
const planned = template('plan-a-make', {
  about: 'Plan to sew a pattern from a cloth for somebody.',
  split: 'train',
  sample: (s, random) => ({
    pattern: random.pick(s.patterns).title,
    cloth: random.pick(s.cloth).name,
    who: random.pick(['Mum', 'Aunt Vera', 'Jonas', 'the twins', 'Milla']),
    way: random.between(0, 2),
  }),
  instruction: ({ pattern, cloth, who, way }) =>
    [
      `Plan a ${pattern} for ${who} out of the ${cloth}.`,
      `Next up: ${pattern}, for ${who}. I'll use ${cloth}.`,
      `pin up: pattern ${pattern}, cloth ${cloth}, for ${who}`,
    ][way]!,
  checks: ({ pattern, cloth, who }) => [
    {
      name: 'planned',
      test(f, i) {
        const [n, ...rest] = added(i.plans, f.plans);
        return (
          rest.length === 0 &&
          n?.who === who &&
          find(f.patterns, n.pattern)?.title === pattern &&
          find(f.cloth, n.cloth)?.name === cloth
        );
      },
    },
  ],
  allow: () => ['/plans/+'],
});
const enough = template('metres-of-two', {
  about: 'Say how much cloth two patterns need together.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.patterns, 2);
    return { ids: [a!.id, b!.id], a: a!.title, b: b!.title, way: random.between(0, 2) };
  },
  instruction: ({ a, b, way }) =>
    [
      `Which of the two needs more cloth, ${a} or ${b}?`,
      `Does "${a}" or "${b}" take more fabric? Just the name.`,
      `more metres: ${a} or ${b}?`,
    ][way]!,
  setup(draft, { ids }) {
    const [a, b] = ids.map(id => need(draft.patterns, id, 'pattern'));
    if (a!.metres === b!.metres) a!.metres = Math.round((a!.metres + 0.5) * 10) / 10;
  },
  checks: () => [],
  allow: () => [],
  answer({ ids }, s) {
    const [a, b] = ids.map(id => need(s.patterns, id, 'pattern'));
    return a!.metres > b!.metres ? a!.title : b!.title;
  },
  shown: (s, { ids }) => ids.map(id => s.ui.at === 'pattern' && s.ui.open === id),
});
const longest = template('longest-cloth', {
  about: 'Say which cloth of a fibre is longest.',
  split: 'train',
  sample: (s, random) => ({
    fibre: random.pick(['linen', 'cotton', 'wool'].filter(f => s.cloth.filter(c => c.fibre === f).length > 1)),
    way: random.between(0, 2),
  }),
  instruction: ({ fibre, way }) =>
    [
      `Which ${fibre} do I have most of?`,
      `name of the longest piece of ${fibre} in the stash`,
      `I need a big piece of ${fibre}. Which one is the biggest?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ fibre }, s) => s.cloth.filter(c => c.fibre === fibre).toSorted((a, b) => b.metres - a.metres)[0]!.name,
  shown: s => s.ui.at === 'stash',
});
const titles = [
  'Marigold',
  'Marigold long',
  'Heath',
  'Heather',
  'Quayside',
  'Orla',
  'Orlando',
  'Cycle',
  'Pilot',
  'Fern',
  'Fernando',
  'Holm',
  'Tilda',
  'Wicker',
];
const cloths = [
  'Sea blue',
  'Sea green',
  'Old rose',
  'Mustard',
  'Grey check',
  'Grey stripe',
  'Ink',
  'Birch',
  'Poppy',
  'Clay',
];
export const app = defineApp({
  id: 'sewing-patterns',
  title: 'Bobbin',
  about: 'Sewing patterns, cloth and plans.',
  state,
  init(random) {
    const lengths = random.shuffle([0.8, 1.1, 1.4, 1.7, 2.1, 2.4, 2.9, 3.3, 4.2, 5]);
    return {
      patterns: random.shuffle(titles).map((title, n) => {
        const sizes = SIZES.filter(() => random.chance(0.7));
        if (sizes.length === 0) sizes.push('M');
        return {
          id: `p${n + 1}`,
          title,
          maker: random.pick(['Threadneedle', 'Atelier Brun', 'Hinz']),
          garment: random.pick(GARMENTS),
          metres: random.between(8, 42) / 10,
          level: random.between(1, 5),
          sizes,
          cut: random.pick(sizes),
          box: random.between(1, 6),
          stars: random.between(0, 5),
        };
      }),
      cloth: random.shuffle(cloths).map((name, n) => ({
        id: `c${n + 1}`,
        name,
        metres: lengths[n]!,
        fibre: n < 9 ? ['linen', 'cotton', 'wool'][n % 3]! : 'silk',
        washed: random.chance(0.4),
      })),
      plans: [],
      ui: { at: 'drawer', more: '5', garment: 'everything', open: '', sure: '', who: '', pattern: '', cloth: '' },
    };
  },
  commands: [cutSize, rate, rebox, giveAway, wash, plan, look, show, type],
  view: s =>
    page('Bobbin', [
      ...(s.ui.sure === ''
        ? [
            button('Drawer', show.with({ patch: { at: 'drawer', open: '' } })),
            button('Stash', show.with({ patch: { at: 'stash', open: '' } })),
            button('To sew', show.with({ patch: { at: 'plans', open: '' } })),
          ]
        : []),
      ...(screens[s.ui.at]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [box, size, away, washed, planned, enough, longest],
});
