// BLASTLOG: shots of a granite quarry in one paged table, edited in place. Magazine stock and crew cards on other pages.
import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  form,
  heading,
  menu,
  menuItem,
  need,
  nextId,
  page,
  paginate,
  refuse,
  row,
  table,
  tab,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const FACES = ['N1', 'N2', 'E1', 'E4', 'S2'] as const;
const RESULT = ['pending', 'clean', 'misfire', 'flyrock'] as const;
const state = z.object({
  shots: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      face: z.enum(FACES),
      date: z.string(),
      kg: z.int(),
      holes: z.int(),
      blaster: z.string(),
      result: z.enum(RESULT),
      cleared: z.boolean(),
    }),
  ),
  stock: z.array(z.object({ id: z.string(), item: z.string(), kg: z.int(), bay: z.string() })),
  blasters: z.array(z.object({ id: z.string(), name: z.string(), ticket: z.string(), valid: z.boolean() })),
  ui: z.object({
    tab: z.string(),
    page: z.int(),
    face: z.string(),
    sort: z.string(),
    row: z.string(),
    menu: z.string(),
    f: z.object({ face: z.string(), date: z.string(), holes: z.string(), blaster: z.string() }),
  }),
});
type State = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const who = (s: State, id: string) => find(s.blasters, id)?.name ?? '-';
const SIZE = 6;

const setResult = command('set_result', {
  about: 'Log the result of a shot.',
  input: z.object({ id: z.string(), value: z.enum(RESULT) }),
  run(draft, { id, value }) {
    need(draft.shots, id, 'shot').result = value;
  },
});
const setBlaster = command('set_blaster', {
  about: 'Put a blaster on a shot.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const b = draft.blasters.find(x => x.name === value) ?? refuse('No such blaster.');
    if (!b.valid) refuse('Ticket lapsed.');
    need(draft.shots, id, 'shot').blaster = b.id;
  },
});
const clear = command('toggle_clear', {
  about: 'Tick or untick the all-clear of a shot.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const s = need(draft.shots, id, 'shot');
    s.cleared = !s.cleared;
  },
});
const strike = command('strike_shot', {
  about: 'Strike a shot from the log.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.shots, id, 'shot');
    draft.shots = draft.shots.filter(s => s.id !== id);
    Object.assign(draft.ui, { row: '', menu: '' });
  },
});
const plan = command('plan_shot', {
  about: 'Plan a shot. Load is 25 kg a hole.',
  input: z.object({ face: z.enum(FACES), date: z.string().min(4), holes: z.string(), blaster: z.string() }),
  run(draft, { face, date, holes, blaster }) {
    if (!/^\d{1,2}$/.test(holes)) refuse('HOLES?');
    const b = draft.blasters.find(x => x.name === blaster) ?? refuse('BLASTER?');
    if (!b.valid) refuse('Ticket lapsed.');
    const id = nextId(draft.shots, 's');
    draft.shots.push({
      id,
      no: `#${800 + Number(id.slice(1))}`,
      face,
      date,
      holes: Number(holes),
      kg: Number(holes) * 25,
      blaster: b.id,
      result: 'pending',
      cleared: false,
    });
    draft.ui.f = { face: '', date: '', holes: '', blaster: '' };
  },
});
const rebay = command('set_bay', {
  about: 'Move an explosive to another bay of the magazine.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    need(draft.stock, id, 'stock item').bay = value;
  },
});
const dump = query('dump_log', {
  about: 'The whole log as data.',
  input: z.object({}),
  run: s => ({ shots: s.shots.map(x => ({ ...x, blaster: who(s, x.blaster) })), stock: s.stock, blasters: s.blasters }),
});

const show = gesture('show', {
  about: 'Show a tab.',
  input: z.object({ tab: z.string() }),
  run(draft, { tab: to }) {
    Object.assign(draft.ui, { tab: to, page: 1, face: 'all', row: '', menu: '' });
  },
});
const turn = gesture('turn', {
  about: 'Turn the page.',
  input: z.object({ page: z.int() }),
  run(draft, { page: to }) {
    Object.assign(draft.ui, { page: to, row: '', menu: '' });
  },
});
const onlyFace = gesture('only_face', {
  about: 'Filter by face.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { face: value, page: 1, row: '', menu: '' });
  },
});
const sortBy = gesture('sort_by', {
  about: 'Sort the log.',
  input: z.object({ sort: z.string() }),
  run(draft, { sort }) {
    Object.assign(draft.ui, { sort, page: 1 });
  },
});
const pickRow = gesture('pick_row', {
  about: 'Edit a row, or stop.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { row: id, menu: '' });
  },
});
const pop = gesture('pop', {
  about: 'Open a menu.',
  input: z.object({ menu: z.string() }),
  run(draft, { menu: to }) {
    draft.ui.menu = to;
  },
});
const fill = gesture('put_field', {
  about: 'Fill a field of the plan.',
  input: z.object({ field: z.enum(['face', 'date', 'holes', 'blaster']), value: z.string().max(20) }),
  run(draft, { field, value }) {
    draft.ui.f[field] = value;
  },
});

const listed = (s: State) =>
  s.shots
    .filter(x => s.ui.face === 'all' || x.face === s.ui.face)
    .toSorted((a, b) => (s.ui.sort === 'KG' ? b.kg - a.kg : a.no.localeCompare(b.no)));
const tabs: Record<string, (s: State) => unknown[]> = {
  LOG(s) {
    const p = paginate(listed(s), s.ui.page, SIZE);
    return [
      toolbar('VIEW', [
        combobox('FACE', s.ui.face, { enter: onlyFace.entering({}), options: ['all', ...FACES] }),
        button('SORT NO', sortBy.with({ sort: 'NO' }), s.ui.sort === 'NO' ? ['pressed'] : []),
        button('SORT KG', sortBy.with({ sort: 'KG' }), s.ui.sort === 'KG' ? ['pressed'] : []),
      ]),
      table(
        `SHOTS p. ${p.page}/${p.pages}`,
        p.items.map(x =>
          s.ui.row === x.id
            ? row(`${x.no} (editing)`, [
                cell(x.no),
                cell(x.face),
                cell(x.date),
                cell(`${x.kg} kg`),
                combobox('BLASTER', who(s, x.blaster), {
                  enter: setBlaster.entering({ id: x.id }),
                  options: s.blasters.filter(b => b.valid).map(b => b.name),
                }),
                combobox('RESULT', x.result, { enter: setResult.entering({ id: x.id }), options: [...RESULT] }),
                checkbox('CLR', x.cleared, clear.with({ id: x.id })),
                button('…', pop.with({ menu: s.ui.menu === '' ? 'row' : '' })),
                s.ui.menu === 'row' &&
                  menu('ROW', [
                    menuItem('STRIKE', pop.with({ menu: 'strike' })),
                    menuItem('CLOSE', pickRow.with({ id: '' })),
                  ]),
                s.ui.menu === 'strike' &&
                  menu('STRIKE', [
                    menuItem(`CONFIRM ${x.no}`, strike.with({ id: x.id })),
                    menuItem('KEEP', pop.with({ menu: '' })),
                  ]),
              ])
            : row(x.no, [
                button(x.no, pickRow.with({ id: x.id })),
                cell(x.face),
                cell(x.date),
                cell(`${x.kg} kg`),
                cell(`${x.holes} h`),
                cell(who(s, x.blaster)),
                cell(x.result),
                cell(x.cleared ? 'CLR' : '—'),
              ]),
        ),
      ),
      p.page > 1 && button('◀', turn.with({ page: p.page - 1 })),
      p.page < p.pages && button('▶', turn.with({ page: p.page + 1 })),
    ];
  },
  PLAN: s => [
    form('PLAN', [
      combobox('FACE', s.ui.f.face, { enter: fill.entering({ field: 'face' }), options: [...FACES] }),
      textbox('DATE', s.ui.f.date, { enter: fill.entering({ field: 'date' }) }),
      textbox('HOLES', s.ui.f.holes, { enter: fill.entering({ field: 'holes' }) }),
      combobox('BLASTER', s.ui.f.blaster, {
        enter: fill.entering({ field: 'blaster' }),
        options: s.blasters.filter(b => b.valid).map(b => b.name),
      }),
      button('LOG IT', plan.with({ ...s.ui.f, face: s.ui.f.face as 'N1' })),
    ]),
  ],
  MAGAZINE: s => [
    table(
      'STOCK',
      s.stock.map(x =>
        row(x.item, [
          cell(x.item),
          cell(`${x.kg} kg`),
          combobox(`BAY ${x.item}`, x.bay, { enter: rebay.entering({ id: x.id }), options: ['A', 'B', 'C', 'D', 'E'] }),
        ]),
      ),
    ),
  ],
  TICKETS: s => [
    table(
      'BLASTERS',
      s.blasters.map(b => row(b.name, [cell(b.name), cell(b.ticket), cell(b.valid ? 'valid' : 'LAPSED')])),
    ),
  ],
};

const result = template('log-result', {
  about: 'Log the result of a shot.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.shots);
    return { id: x.id, no: x.no, to: random.pick(RESULT.filter(r => r !== x.result)), way: random.between(0, 3) };
  },
  instruction: ({ no, to, way }) =>
    [
      `${no}: ${to}`,
      `log shot ${no} as ${to}`,
      `Shot ${no} is down wrong in the log, it was ${to}. Correct it.`,
      `result of ${no} shoud read ${to}`,
    ][way]!,
  checks: ({ id, to }) => [{ name: to, test: final => find(final.shots, id)?.result === to }],
  allow: ({ id }) => [`/shots/${id}/result`],
});
const allClear = template('clear-face-date', {
  about: 'Tick the all-clear of all shots on a face that have none.',
  split: 'train',
  sample(s, random) {
    return { face: random.pick(FACES), ids: random.sample(s.shots, 2).map(x => x.id), way: random.between(0, 2) };
  },
  setup(draft, { face, ids }) {
    for (const x of draft.shots)
      if (ids.includes(x.id)) Object.assign(x, { face, cleared: false });
      else if (x.face === face) x.cleared = true;
  },
  instruction: ({ face, way }) =>
    [
      `All-clear was given for everything on ${face}. Tick whatever is still open there.`,
      `${face}: set CLR on all shots that lack it`,
      `inspector walked face ${face}, no finds. Clear the remaining shots of that face.`,
    ][way]!,
  checks: ({ ids }) =>
    ids.map((id, at) => ({ name: `clear ${at + 1}`, test: final => find(final.shots, id)?.cleared === true })),
  allow: ({ ids }) => ids.map(id => `/shots/${id}/cleared`),
});
const planned = template('plan-shot', {
  about: 'Plan a shot.',
  split: 'train',
  sample: (s, random) => ({
    face: random.pick(FACES),
    date: `${random.between(1, 28)}.${random.between(9, 12)}.`,
    holes: String(random.between(11, 60)),
    name: random.pick(s.blasters.filter(b => b.valid)).name,
    way: random.between(0, 2),
  }),
  instruction: ({ face, date, holes, name, way }) =>
    [
      `Plan a shot: ${face}, ${date}, ${holes} holes, ${name}.`,
      `${name} is going to drill ${holes} holes on ${face} and fire on ${date} Put it in.`,
      `new shot // face ${face} // date ${date} // holes ${holes} // blaster ${name}`,
    ][way]!,
  checks: ({ face, date, holes, name }) => [
    {
      name: 'planned',
      test(final, initial) {
        const [x, ...rest] = added(initial.shots, final.shots);
        return (
          rest.length === 0 &&
          x?.face === face &&
          x.date === date &&
          x.holes === Number(holes) &&
          x.kg === x.holes * 25 &&
          who(final, x.blaster) === name &&
          x.result === 'pending' &&
          !x.cleared &&
          x.no === `#${800 + Number(x.id.slice(1))}`
        );
      },
    },
  ],
  allow: () => ['/shots/+'],
});
const struck = template('strike-shot', {
  about: 'Strike a shot from the log.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.shots);
    return { id: x.id, no: x.no, way: random.between(0, 2) };
  },
  instruction: ({ no, way }) =>
    [
      `strike ${no}`,
      `${no} was entered twice on paper and never fired. Take it out of the log.`,
      `Delete shot ${no} please.`,
    ][way]!,
  checks: ({ id }) => [{ name: 'struck', test: final => find(final.shots, id) === undefined }],
  allow: ({ id }) => [`/shots/${id}`],
});
const heaviest = template('heaviest-on-face', {
  about: 'Say which shot on a face was the heaviest.',
  split: 'train',
  sample(s, random) {
    const face = random.pick(FACES.filter(f => s.shots.filter(x => x.face === f).length > 1));
    return { face, way: random.between(0, 2) };
  },
  instruction: ({ face, way }) =>
    [
      `Which shot on ${face} took the most explosive? Its number.`,
      `Number of the heaviest shot on face ${face}?`,
      `neighbours below ${face} complain about vibration: which shot there was the biggest by kg (answer with the no.)`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ face }, s) => s.shots.filter(x => x.face === face).toSorted((a, b) => b.kg - a.kg)[0]!.no,
  shown: (s, { face }) =>
    s.ui.tab === 'LOG' && s.ui.face === face && s.ui.page === 1 && (s.ui.sort === 'KG' || listed(s).length <= SIZE),
});
const ticketOf = template('ticket-of-shot', {
  about: 'Say the ticket number of the blaster of a shot.',
  split: 'train',
  sample(s, random) {
    const x = random.pick(s.shots);
    return { id: x.id, no: x.no, way: random.between(0, 2) };
  },
  instruction: ({ no, way }) =>
    [
      `ticket no. of the blaster on ${no}?`,
      `The inspectorate wants the ticket of whoever fired ${no}. What is it?`,
      `Under which ticket was shot ${no} fired?`,
    ][way]!,
  checks: () => [],
  allow: () => [],
  answer: ({ id }, s) => need(s.blasters, need(s.shots, id, 'shot').blaster, 'blaster').ticket,
  shown: (s, { id }) => [
    s.ui.tab === 'LOG' && paginate(listed(s), s.ui.page, SIZE).items.some(x => x.id === id),
    s.ui.tab === 'TICKETS',
  ],
});
const moveStock = template('swap-bay', {
  about: 'Store an explosive in the bay where another one is.',
  split: 'train',
  sample(s, random) {
    const [a, b] = random.sample(s.stock, 2);
    if (a!.bay === b!.bay) return null;
    return { id: a!.id, item: a!.item, like: b!.item, bay: b!.bay, way: random.between(0, 2) };
  },
  instruction: ({ item, like, way }) =>
    [
      `${item} → same bay as ${like}`,
      `Store the ${item} where the ${like} is.`,
      `We stack ${item} next to ${like} from today on, change its bay.`,
    ][way]!,
  checks: ({ id, bay }) => [{ name: 'bay', test: final => find(final.stock, id)?.bay === bay }],
  allow: ({ id }) => [`/stock/${id}/bay`],
});
const lapsed = template('blaster-maybe-lapsed', {
  about: 'Put a blaster on a shot whose ticket may have lapsed.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ ok }) => ok,
  sample(s, random) {
    const x = random.pick(s.shots);
    const b = random.pick(s.blasters.filter(y => y.id !== x.blaster));
    return { id: x.id, no: x.no, blaster: b.id, name: b.name, ok: random.chance(0.5), way: random.between(0, 2) };
  },
  setup(draft, { blaster, ok }) {
    need(draft.blasters, blaster, 'blaster').valid = ok;
  },
  instruction: ({ no, name, way }) =>
    [
      `${no}: blaster ${name}`,
      `Put ${name} on shot ${no}.`,
      `It was ${name} who fired ${no}. Change the log accordingly, if ${name} has a ticket that counts.`,
    ][way]!,
  checks: ({ id, blaster }) => [{ name: 'blaster', test: final => find(final.shots, id)?.blaster === blaster }],
  allow: ({ id }) => [`/shots/${id}/blaster`],
  shown: ({ ui }) => ui.tab === 'TICKETS',
});

export const app = defineApp({
  id: 'quarry-blasting-log',
  title: 'BLASTLOG',
  about: 'The blasting log of a quarry: shots, magazine stock and tickets.',
  state,
  init(random) {
    const blasters = random.shuffle(['Haas', 'Haase', 'Ortiz', 'Ortega', 'Nunn', 'Brill']).map((name, at) => ({
      id: `b${at + 1}`,
      name,
      ticket: `T-${random.between(1000, 9999)}`,
      valid: at !== 2,
    }));
    const numbers = random
      .sample(
        Array.from({ length: 90 }, (_, at) => at + 110),
        18,
      )
      .toSorted((a, b) => a - b);
    const loads = random.sample(
      Array.from({ length: 60 }, (_, at) => at * 15 + 210),
      18,
    );
    return {
      shots: numbers.map((no, at) => ({
        id: `s${at + 1}`,
        no: `#${no}`,
        face: random.pick(FACES),
        date: `${random.between(1, 28)}.${random.between(3, 8)}.`,
        kg: loads[at]!,
        holes: random.between(9, 44),
        blaster: random.pick(blasters).id,
        result: random.pick(RESULT),
        cleared: random.chance(0.6),
      })),
      stock: random
        .shuffle([
          'ANFO',
          'ANFO heavy',
          'emulsion 40',
          'emulsion 65',
          'gelatine',
          'det cord 6',
          'det cord 12',
          'boosters',
          'caps 25 ms',
          'caps 42 ms',
        ])
        .map((item, at) => ({
          id: `m${at + 1}`,
          item,
          kg: random.between(2, 90) * 10,
          bay: random.pick(['A', 'B', 'C', 'D', 'E']),
        })),
      blasters,
      ui: {
        tab: 'LOG',
        page: 1,
        face: 'all',
        sort: 'NO',
        row: '',
        menu: '',
        f: { face: '', date: '', holes: '', blaster: '' },
      },
    };
  },
  commands: [setResult, setBlaster, clear, strike, plan, rebay, dump, show, turn, onlyFace, sortBy, pickRow, pop, fill],
  view: s =>
    page('BLASTLOG', [
      heading(s.ui.tab),
      ...Object.keys(tabs).map(t => tab(t, show.with({ tab: t }), s.ui.tab === t ? ['selected'] : [])),
      ...(tabs[s.ui.tab]!(s) as ReturnType<typeof text>[]),
    ]),
  templates: [result, allClear, planned, struck, heaviest, ticketOf, moveStock, lapsed],
});
