// Permafrost seed bank: a tree of vaults and drawers, lots with germination tests, a request form, undo for moves.
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
  text,
  textbox,
  z,
} from 'espalier';

const VAULTS = ['North', 'South', 'Deep'] as const;
const DRAWERS = ['A1', 'A2', 'B1', 'B2'] as const;
const state = z.object({
  drawers: z.array(
    z.object({ id: z.string(), vault: z.enum(VAULTS), name: z.enum(DRAWERS), degrees: z.int(), room: z.int() }),
  ),
  lots: z.array(
    z.object({
      id: z.string(),
      accession: z.string(),
      plant: z.string(),
      origin: z.string(),
      year: z.int(),
      grams: z.int(),
      germination: z.int(),
      drawer: z.string(),
      regrow: z.boolean(),
    }),
  ),
  requests: z.array(z.object({ id: z.string(), lot: z.string(), grams: z.int(), by: z.string() })),
  ui: z.object({
    at: z.string(),
    vault: z.string(),
    drawer: z.string(),
    open: z.string(),
    sure: z.string(),
    by: z.string(),
    grams: z.string(),
    asking: z.string(),
    percent: z.string(),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const place = (s: State, id: string) => {
  const d = find(s.drawers, id);
  return d ? `${d.vault} ${d.name}` : '?';
};
const moveLot = command('move_lot', {
  about: 'Move a lot into another drawer.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const d = draft.drawers.find(x => place(draft, x.id) === value) ?? refuse('No such drawer.');
    if (draft.lots.filter(l => l.drawer === d.id).length >= d.room) refuse(`Drawer ${value} is full.`);
    need(draft.lots, id, 'lot').drawer = d.id;
  },
});
const regrow = command('toggle_regrow', {
  about: 'Put a lot on the list for regrowing, or take it off.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const l = need(draft.lots, id, 'lot');
    l.regrow = !l.regrow;
  },
});
const test = command('record_test', {
  about: 'Record a germination test.',
  input: z.object({ id: z.string(), percent: z.string().regex(/^\d{1,3}$/) }),
  run(draft, { id, percent }) {
    if (Number(percent) > 100) refuse('At most 100 %.');
    need(draft.lots, id, 'lot').germination = Number(percent);
    draft.ui.percent = '';
  },
});
const discard = command('discard_lot', {
  about: 'Discard a lot for good.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.lots, id, 'lot');
    remove(draft.lots, id);
    Object.assign(draft.ui, { open: '', sure: '' });
  },
});
const request = command('request_seed', {
  about: 'Request seed of a lot.',
  input: z.object({ lot: z.string(), grams: z.string().regex(/^\d{1,4}$/), by: z.string().min(1) }),
  run(draft, { lot, grams, by }) {
    const l = need(draft.lots, lot, 'lot');
    if (Number(grams) > l.grams) refuse(`Only ${l.grams} g left.`);
    draft.requests.push({ id: nextId(draft.requests, 'r'), lot, grams: Number(grams), by });
    Object.assign(draft.ui, { asking: '', by: '', grams: '' });
  },
});
const look = query('read_bank', {
  about: 'Read drawers, lots and requests.',
  input: z.object({}),
  run: s => ({
    drawers: s.drawers,
    lots: s.lots.map(l => ({ ...l, drawer: place(s, l.drawer) })),
    requests: s.requests,
  }),
});
const show = gesture('show', {
  about: 'Show something.',
  input: z.object({ patch: z.record(z.string(), z.string()) }),
  run(draft, { patch }) {
    Object.assign(draft.ui, { sure: '', asking: '' }, patch);
  },
});
const type = gesture('type', {
  about: 'Type.',
  input: z.object({ field: z.enum(['by', 'grams', 'percent']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const flip = (now: string, to: string) => (now === to ? '' : to);
function tree(s: State) {
  return list(
    'Vaults',
    VAULTS.map(v =>
      listItem(v, [
        button(
          `${s.ui.vault === v ? '▾' : '▸'} ${v}`,
          show.with({ patch: { vault: flip(s.ui.vault, v), drawer: '', open: '', at: 'tree' } }),
          s.ui.vault === v ? ['expanded'] : ['collapsed'],
        ),
        s.ui.vault === v &&
          list(
            `Drawers in ${v}`,
            s.drawers
              .filter(d => d.vault === v)
              .map(d =>
                listItem(d.name, [
                  button(
                    `${s.ui.drawer === d.id ? '▾' : '▸'} ${d.name}`,
                    show.with({ patch: { drawer: flip(s.ui.drawer, d.id), open: '', at: 'tree' } }),
                    s.ui.drawer === d.id ? ['expanded'] : ['collapsed'],
                  ),
                  s.ui.drawer === d.id && text(`${d.degrees} °C, room for ${d.room}`),
                  s.ui.drawer === d.id &&
                    list(
                      'Lots',
                      s.lots
                        .filter(l => l.drawer === d.id)
                        .map(l =>
                          listItem(l.accession, [
                            link(`${l.accession} ${l.plant}`, show.with({ patch: { open: l.id, percent: '' } })),
                          ]),
                        ),
                    ),
                ]),
              ),
          ),
      ]),
    ),
  );
}
function lot(s: State) {
  const l = need(s.lots, s.ui.open, 'lot');
  return region(`Lot ${l.accession}`, [
    text(`Species: ${l.plant}`),
    text(`Collected: ${l.origin}, ${l.year}`),
    text(`In store: ${l.grams} g`),
    text(`Germination: ${l.germination} %`),
    combobox('Drawer', place(s, l.drawer), {
      enter: moveLot.entering({ id: l.id }),
      options: s.drawers
        .filter(d => d.id === l.drawer || s.lots.filter(x => x.drawer === d.id).length < d.room)
        .map(d => place(s, d.id)),
    }),
    textbox('New test, %', s.ui.percent, { enter: type.entering({ field: 'percent' }) }),
    s.ui.percent !== '' && button('Record', test.with({ id: l.id, percent: s.ui.percent })),
    button(l.regrow ? 'Take off the regrow list' : 'Put on the regrow list', regrow.with({ id: l.id })),
    button('Request seed', show.with({ patch: { asking: 'yes', by: '', grams: '' } })),
    button('Discard lot', show.with({ patch: { sure: 'yes' } })),
  ]);
}
function view(s: State) {
  const l = find(s.lots, s.ui.open);
  if (l && s.ui.sure !== '')
    return [
      dialog('Really discard?', [
        text(`${l.accession} ${l.plant}, ${l.grams} g`),
        button('Discard', discard.with({ id: l.id })),
        button('Keep', show.with({ patch: {} })),
      ]),
    ];
  if (l && s.ui.asking !== '')
    return [
      dialog(`Request from ${l.accession}`, [
        text(`${l.grams} g in store`),
        textbox('Grams', s.ui.grams, { enter: type.entering({ field: 'grams' }) }),
        textbox('Requested by', s.ui.by, { enter: type.entering({ field: 'by' }) }),
        s.ui.grams !== '' &&
          s.ui.by !== '' &&
          button('File request', request.with({ lot: l.id, grams: s.ui.grams, by: s.ui.by })),
        button('Back', show.with({ patch: {} })),
      ]),
    ];
  const top = [
    link('Tree', show.with({ patch: { at: 'tree' } })),
    link('Register', show.with({ patch: { at: 'register', open: '' } })),
  ];
  if (s.ui.at === 'register')
    return [
      ...top,
      heading('Register'),
      list(
        'All lots',
        s.lots.map(x =>
          listItem(x.accession, [
            link(`${x.accession} ${x.plant}`, show.with({ patch: { at: 'tree', open: x.id, percent: '' } })),
            text(`${x.germination} % · ${place(s, x.drawer)}`),
          ]),
        ),
      ),
    ];
  return [...top, tree(s), l ? lot(s) : text('No lot chosen.')];
}
const toDrawer = template('move-to-drawer', {
  about: 'Move a lot into a drawer that may be full.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ space }) => space,
  sample(s, random) {
    const l = random.pick(s.lots);
    const d = random.pick(s.drawers.filter(x => x.id !== l.drawer));
    return {
      id: l.id,
      accession: l.accession,
      plant: l.plant,
      drawer: d.id,
      to: place(s, d.id),
      space: random.chance(0.5),
      way: random.between(0, 2),
    };
  },
  setup(draft, { drawer, space }) {
    need(draft.drawers, drawer, 'drawer').room = draft.lots.filter(l => l.drawer === drawer).length + (space ? 2 : 0);
  },
  instruction: ({ accession, plant, to, way }) =>
    [
      `Move ${accession} to ${to}.`,
      `${plant} (${accession}) belongs into drawer ${to}`,
      `Put lot ${accession} into ${to}, or tell me if there's no room.`,
    ][way]!,
  checks: ({ id, drawer }) => [{ name: 'moved', test: f => find(f.lots, id)?.drawer === drawer }],
  allow: ({ id }) => [`/lots/${id}/drawer`],
  shown: (s, { id, drawer }) => s.ui.drawer === drawer || s.ui.open === id,
});
const tested = template('record-test', {
  about: 'Record a germination test.',
  split: 'train',
  sample(s, random) {
    const l = random.pick(s.lots);
    return {
      id: l.id,
      accession: l.accession,
      plant: l.plant,
      percent: String(random.pick([31, 44, 57, 63, 78, 85, 92].filter(p => p !== l.germination))),
      way: random.between(0, 2),
    };
  },
  instruction: ({ accession, percent, way }) =>
    [
      `Test of ${accession}: ${percent} % came up.`,
      `Lot ${accession} germinated at ${percent} percent, enter it.`,
      `${accession} → ${percent}%`,
    ][way]!,
  checks: ({ id, percent }) => [{ name: 'recorded', test: f => find(f.lots, id)?.germination === Number(percent) }],
  allow: ({ id }) => [`/lots/${id}/germination`],
});
const weak = template('regrow-weak', {
  about: 'Put the weak lots of a plant on the regrow list.',
  split: 'train',
  sample(s, random) {
    const [a, b, c] = random.sample(s.lots, 3);
    return {
      ids: [a!.id, b!.id],
      strong: c!.id,
      plant: random.pick(['Emmer', 'Rye', 'Flax', 'Lentil']),
      line: random.pick([40, 50, 60]),
      way: random.between(0, 2),
    };
  },
  setup(draft, { ids, strong, plant, line }) {
    for (const l of draft.lots) if (l.plant === plant && l.id !== strong && !ids.includes(l.id)) l.plant = 'Barley';
    ids.forEach((id, n) =>
      Object.assign(need(draft.lots, id, 'lot'), { plant, germination: line - 5 - n * 11, regrow: false }),
    );
    Object.assign(need(draft.lots, strong, 'lot'), { plant, germination: line + 20, regrow: false });
  },
  instruction: ({ plant, line, way }) =>
    [
      `Every ${plant} lot below ${line} % germination goes on the regrow list.`,
      `${plant}: regrow whatever is under ${line}%`,
      `Please list the ${plant} for regrowing, but only lots where less than ${line} percent come up.`,
    ][way]!,
  checks: ({ ids }) => ids.map((id, n) => ({ name: `listed ${n + 1}`, test: f => find(f.lots, id)?.regrow === true })),
  allow: ({ ids }) => ids.map(id => `/lots/${id}/regrow`),
});
const gone = template('discard-lot', {
  about: 'Discard a lot.',
  split: 'train',
  sample(s, random) {
    const l = random.pick(s.lots);
    return { id: l.id, accession: l.accession, way: random.between(0, 2) };
  },
  instruction: ({ accession, way }) =>
    [
      `${accession} went mouldy. Discard it.`,
      `throw away lot ${accession}`,
      `We keep no more of ${accession}; take it out of the bank.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'gone', test: f => find(f.lots, id) === undefined }],
  allow: ({ id }) => [`/lots/${id}`],
});
const asked = template('file-request', {
  about: 'File a request for seed.',
  split: 'train',
  sample(s, random) {
    const l = random.pick(s.lots);
    return {
      id: l.id,
      accession: l.accession,
      grams: String(random.between(2, 9)),
      by: random.pick(['Uppsala', 'Kew', 'Dr. Sato', 'the school garden', 'ICARDA']),
      way: random.between(0, 2),
    };
  },
  instruction: ({ accession, grams, by, way }) =>
    [
      `${by} would like ${grams} g of ${accession}. File the request.`,
      `request: ${accession}, ${grams} g, for ${by}`,
      `File a seed request of ${grams} grams from lot ${accession}; it's ${by} asking.`,
    ][way]!,
  checks: ({ id, grams, by }) => [
    {
      name: 'filed',
      test(f, i) {
        const [r, ...rest] = added(i.requests, f.requests);
        return rest.length === 0 && r?.lot === id && r.grams === Number(grams) && r.by === by;
      },
    },
  ],
  allow: () => ['/requests/+'],
});
const cold = template('how-cold', {
  about: 'Say how cold the drawer of a lot is.',
  split: 'train',
  sample(s, random) {
    const l = random.pick(s.lots);
    return { id: l.id, accession: l.accession, way: random.between(0, 2) };
  },
  instruction: ({ accession, way }) =>
    [
      `At what temperature is ${accession} kept? Answer with the number.`,
      `how many °C in the drawer of lot ${accession}`,
      `Is ${accession} cold enough? Tell me the degrees of its drawer.`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => String(need(s.drawers, need(s.lots, id, 'lot').drawer, 'drawer').degrees),
  shown: (s, { id }) => [
    s.ui.at === 'register' || s.ui.open === id || s.ui.drawer === (find(s.lots, id)?.drawer ?? '?'),
    s.ui.at === 'tree' && s.ui.asking === '' && s.ui.sure === '' && s.ui.drawer === (find(s.lots, id)?.drawer ?? '?'),
  ],
});
const origin = template('origin-of-oldest', {
  about: 'Say which of two lots is older.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.lots, 2);
    return { ids: [a!.id, b!.id], a: a!.accession, b: b!.accession, way: random.between(0, 2) };
  },
  instruction: ({ a, b, way }) =>
    [
      `Which was collected earlier, ${a} or ${b}?`,
      `older lot: ${a} or ${b}?`,
      `Compare the years of ${a} and ${b} and give me the number of the older lot.`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ ids }, s) => ids.map(id => need(s.lots, id, 'lot')).toSorted((a, b) => a.year - b.year)[0]!.accession,
  shown: (s, { ids }) =>
    ids.map(id => s.ui.at === 'tree' && s.ui.open === id && s.ui.asking === '' && s.ui.sure === ''),
});
export const app = defineApp({
  id: 'seed-bank',
  title: 'Permafrost',
  about: 'Lots of seed in the drawers of three vaults.',
  state,
  init(random) {
    const cold = random.shuffle(Array.from({ length: 12 }, (_, n) => -11 - n));
    const drawers = VAULTS.flatMap(vault => DRAWERS.map(name => ({ vault, name }))).map((d, n) => ({
      id: `d${n + 1}`,
      ...d,
      degrees: cold[n]!,
      room: 6,
    }));
    const years = random.sample(
      Array.from({ length: 60 }, (_, n) => 1960 + n),
      16,
    );
    const numbers = random.sample(
      Array.from({ length: 80 }, (_, n) => 110 + n),
      16,
    );
    return {
      drawers,
      lots: years.map((year, n) => ({
        id: `l${n + 1}`,
        accession: `PF-${numbers[n]}`,
        plant: random.pick(['Emmer', 'Einkorn', 'Rye', 'Barley', 'Flax', 'Lentil', 'Field bean']),
        origin: random.pick(['Anatolia', 'Tyrol', 'Skåne', 'Crete', 'Aleppo']),
        year,
        grams: random.between(12, 400),
        germination: random.between(20, 97),
        drawer: random.pick(drawers).id,
        regrow: random.chance(0.2),
      })),
      requests: [],
      ui: { at: 'tree', vault: '', drawer: '', open: '', sure: '', by: '', grams: '', asking: '', percent: '' },
    };
  },
  commands: [moveLot, regrow, test, discard, request, look, show, type],
  view: s => page('Permafrost', view(s) as ReturnType<typeof text>[]),
  templates: [toDrawer, tested, weak, gone, asked, cold, origin],
});
