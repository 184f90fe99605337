// A warehouse: aisles that unfold into bays and bins, counts edited in the row, incoming deliveries put away, a pick list.
import {
  added,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  find,
  link,
  list,
  listItem,
  navigation,
} from 'espalier';
import { need, nextId, page, refuse, region, remove, row, status, table, text, textbox, z } from 'espalier';

const bin = z.object({ id: z.string(), spot: z.string(), article: z.string(), count: z.int(), recount: z.boolean() });
const delivery = z.object({ id: z.string(), article: z.string(), from: z.string(), pieces: z.int(), dock: z.string() });
const pick = z.object({ id: z.string(), article: z.string(), pieces: z.int() });
const state = z.object({
  bins: z.array(bin),
  deliveries: z.array(delivery),
  picks: z.array(pick),
  ui: z.object({
    view: z.enum(['floor', 'inbound', 'picks']),
    aisle: z.string(),
    bay: z.string(),
    editing: z.string(),
    typed: z.string(),
    article: z.string(),
    line: z.string(),
  }),
});
type Depot = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const rest = { editing: '', typed: '', article: '', line: '' };
const whole = (typed: string): number =>
  /^\d{1,5}$/.test(typed) ? Number(typed) : refuse('Pieces are a whole number.');

const count = command('correct_count', {
  about: 'Correct the count of a bin.',
  input: z.object({ id: z.string(), typed: z.string() }),
  run(draft, { id, typed }) {
    need(draft.bins, id, 'bin').count = whole(typed);
    Object.assign(draft.ui, rest, { line: 'Count corrected.' });
  },
});
const markRecount = command('mark_for_recount', {
  about: 'Mark a bin for recounting, or take the mark away.',
  input: z.object({ id: z.string(), recount: z.boolean() }),
  run: (draft, { id, recount }) => void Object.assign(need(draft.bins, id, 'bin'), { recount }),
});
const redirect = command('redirect_delivery', {
  about: 'Send a delivery to another dock.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.deliveries, id, 'delivery'), { dock: value }),
});
const reject = command('reject_delivery', {
  about: 'Turn a delivery away.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void remove(draft.deliveries, id),
});
const addPick = command('add_pick', {
  about: 'Add a line to the pick list.',
  input: z.object({ article: z.string(), typed: z.string() }),
  run(draft, { article, typed }) {
    if (!draft.bins.some(it => it.article === article)) refuse('We do not stock that.');
    draft.picks.push({ id: nextId(draft.picks, 'l'), article, pieces: whole(typed) });
    Object.assign(draft.ui, rest, { line: 'Line added.' });
  },
});
const stock = query('list_stock', { about: 'List the bins.', input: z.object({}), run: ({ bins }) => bins });
const look = gesture('look_at', {
  about: 'Look at a part of the depot.',
  input: z.object({ view: z.enum(['floor', 'inbound', 'picks']) }),
  run: (draft, { view }) => void Object.assign(draft.ui, rest, { view }),
});
const unfold = gesture('unfold', {
  about: 'Unfold an aisle or a bay.',
  input: z.object({ aisle: z.string(), bay: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, rest, input),
});
const edit = gesture('edit_count', {
  about: 'Edit the count in the row.',
  input: z.object({ editing: z.string() }),
  run: (draft, input) => void Object.assign(draft.ui, rest, input),
});
const enter = gesture('enter', {
  about: 'Fill a field in.',
  input: z.object({ field: z.enum(['typed', 'article']), value: z.string().max(40) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const bayOf = (spot: string): string => spot.slice(0, 4);
const rows = ({ bins, ui }: Depot, bay: string) =>
  table(
    `Bins of ${bay}`,
    bins
      .filter(it => bayOf(it.spot) === bay)
      .map(({ id, spot, article, count: pieces, recount }) =>
        row(spot, [
          cell(spot),
          cell(article),
          ui.editing !== id && cell(`${pieces} pcs`),
          ui.editing !== id && button(`Edit count ${spot}`, edit.with({ editing: id })),
          ui.editing === id && textbox(`Count ${spot}`, ui.typed, { enter: enter.entering({ field: 'typed' }) }),
          ui.editing === id && button('Save count', count.with({ id, typed: ui.typed })),
          checkbox(`Recount ${spot}`, recount, markRecount.with({ id, recount: !recount })),
        ]),
      ),
  );
const floor = (it: Depot) =>
  list(
    'Aisles',
    aisles.map(aisle => {
      const isOpen = it.ui.aisle === aisle;
      const inside = [1, 2, 3].map(number => `${aisle}-0${number}`);
      return listItem(`Aisle ${aisle}`, [
        button(`${isOpen ? '▾' : '▸'} Aisle ${aisle}`, unfold.with({ aisle: isOpen ? '' : aisle, bay: '' })),
        isOpen &&
          list(
            `Bays of ${aisle}`,
            inside.map(bay =>
              listItem(bay, [button(`▸ Bay ${bay}`, unfold.with({ aisle, bay })), it.ui.bay === bay && rows(it, bay)]),
            ),
          ),
      ]);
    }),
  );
const inbound = ({ deliveries }: Depot) =>
  table(
    'On the way',
    deliveries.map(({ id, article, from, pieces, dock }) =>
      row(`${article} from ${from}`, [
        cell(article),
        cell(from),
        cell(`${pieces} pcs`),
        combobox(`Dock for ${article} from ${from}`, dock, { enter: redirect.entering({ id }), options: docks }),
        button(`Turn away ${article} from ${from}`, reject.with({ id })),
      ]),
    ),
  );
const picks = ({ bins, picks: lines, ui }: Depot) =>
  region('Pick list', [
    list(
      `${lines.length} lines`,
      lines.map(({ article, pieces }) => listItem(`${pieces} × ${article}`, [])),
    ),
    combobox('Article', ui.article, {
      enter: enter.entering({ field: 'article' }),
      options: bins.map(it => it.article),
    }),
    textbox('Pieces', ui.typed, { enter: enter.entering({ field: 'typed' }) }),
    button('Add line', addPick.with({ article: ui.article, typed: ui.typed })),
  ]);

const aisles = ['N', 'S', 'W'];
const docks = ['Dock 1', 'Dock 2', 'Dock 3', 'Ramp'];
const colours = 'red|grey|oak|brass|nylon|steel|amber'.split('|');
const things = 'hooks|castors|brackets|knobs|straps|hinges'.split('|');
const suppliers = 'Voss|Talbot|Iveric|Marchetti|Oduya|Pallas|Quist'.split('|');
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const correct = template('correct-count', {
  about: 'Correct the count of a bin.',
  split: 'train',
  sample({ bins }, random) {
    const { id, spot } = random.pick(bins);
    return { id, spot, pieces: String(random.between(501, 990)), turn: random.between(0, 5) };
  },
  instruction: ({ spot, pieces, turn }) =>
    say(
      turn,
      `${spot}: ${pieces} pcs`,
      `Correct the count of bin ${spot} to ${pieces}.`,
      `I stood in front of ${spot} and counted twice, there are ${pieces} pieces. The system is wrong, fix it.`,
      `Please change the number in ${spot}. It is ${pieces}.`,
      `After the inventory, ${spot} has to show ${pieces} pieces.`,
      `Would you mind putting ${pieces} as the count for ${spot}?`,
    ),
  checks: ({ id, pieces }) => [
    { name: `the count is ${pieces}`, test: end => find(end.bins, id)?.count === Number(pieces) },
  ],
  allow: ({ id }) => [`/bins/${id}/count`],
});

const howMany = template('what-lies-there', {
  about: 'Say what article lies in a bin.',
  split: 'train',
  sample({ bins }, random) {
    const { id, spot } = random.pick(bins);
    return { id, spot, turn: random.between(0, 5) };
  },
  instruction: ({ spot, turn }) =>
    say(
      turn,
      `What is stored in ${spot}?`,
      `${spot} = which article?`,
      `The label on bin ${spot} fell off. What should I write on it?`,
      `Could you tell me which article we keep at ${spot}?`,
      `I'm sent to ${spot} and don't know what I'll find there. Name the article.`,
      `Before I drive the lift up: what lies in ${spot}?`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { bins }) => need(bins, id, 'bin').article,
  shown: ({ ui }, { spot }) => ui.view === 'floor' && ui.bay === bayOf(spot),
});

const pickLine = template('pick-what-comes', {
  about: 'Add a pick line, and send a delivery to another dock.',
  split: 'train',
  sample({ bins, deliveries }, random) {
    const { id, article: due, from, dock } = random.pick(deliveries);
    const to = random.pick(docks.filter(it => it !== dock));
    const pieces = String(random.between(3, 80));
    return { id, due, from, to, article: random.pick(bins).article, pieces, turn: random.between(0, 5) };
  },
  instruction: ({ due, from, to, article, pieces, turn }) =>
    say(
      turn,
      `Add ${pieces} ${article} to the pick list and send the ${due} from ${from} to ${to}.`,
      `The lorry of ${from} with the ${due} goes to ${to}. And we need ${pieces} pieces of ${article} picked.`,
      `Two things. Pick list: ${article}, ${pieces}. Inbound: ${due} from ${from}, ${to}.`,
      `${to} for ${from}'s ${due}, please; also put ${pieces} × ${article} on the list to be picked.`,
      `A customer wants ${pieces} ${article}, make a pick line. Then redirect ${from} (${due}) to ${to}, the other dock is blocked.`,
      `Could you have ${pieces} ${article} picked, and tell ${from} to unload the ${due} at ${to}?`,
    ),
  checks: ({ id, to, article, pieces }) => [
    { name: `it goes to ${to}`, test: end => find(end.deliveries, id)?.dock === to },
    {
      name: 'one such line was added',
      test(end, start) {
        const [made, ...more] = added(start.picks, end.picks);
        return more.length === 0 && made?.article === article && made.pieces === Number(pieces);
      },
    },
  ],
  allow: ({ id }) => [`/deliveries/${id}/dock`, '/picks/+'],
});

const turnAway = template('turn-away-largest', {
  about: 'Turn away the largest delivery.',
  split: 'train',
  sample({ deliveries }, random) {
    const from = random.pick(deliveries).from;
    const [most, next] = deliveries.filter(it => it.from === from).sort((a, b) => b.pieces - a.pieces);
    if (most === undefined || most.pieces === next?.pieces) return null;
    return { id: most.id, from, turn: random.between(0, 5) };
  },
  instruction: ({ from, turn }) =>
    say(
      turn,
      `Turn away the largest delivery from ${from}.`,
      `${from} sends too much. Refuse whichever of their deliveries has the most pieces.`,
      `inbound: ${from}, biggest one, turn away`,
      `We have no room. Please turn away what ${from} brings, I mean the delivery with the highest number of pieces.`,
      `Among the things on the way from ${from}, the one with most pieces was never ordered. Send it back.`,
      `Would you reject ${from}'s delivery (the largest, should there be several)?`,
    ),
  checks: ({ id }) => [{ name: 'it is turned away', test: end => find(end.deliveries, id) === undefined }],
  allow: ({ id }) => [`/deliveries/${id}`],
});

export const app = defineApp({
  id: 'depot',
  title: 'Depot',
  about: 'Bins, inbound deliveries and the pick list of a warehouse.',
  state,
  init(random) {
    const articles = random.shuffle(colours.flatMap(colour => things.map(thing => `${colour} ${thing}`)));
    const spots = aisles.flatMap(aisle => [1, 2, 3].flatMap(bay => [1, 2, 3].map(at => `${aisle}-0${bay}-${at}`)));
    const bins = spots.map((spot, at) => ({
      id: `b${at + 1}`,
      spot,
      article: articles[at] ?? '',
      count: random.between(0, 480),
      recount: random.chance(0.2),
    }));
    const deliveries = articles.slice(20, 32).map((article, at) => ({
      id: `v${at + 1}`,
      article,
      from: random.pick(suppliers),
      pieces: random.between(10, 900),
      dock: random.pick(docks),
    }));
    return { bins, deliveries, picks: [], ui: { view: 'floor' as const, aisle: '', bay: '', ...rest } };
  },
  commands: [count, markRecount, redirect, reject, addPick, stock, look, unfold, edit, enter],
  view: it =>
    page('Depot', [
      navigation('Depot', [
        link('Floor', look.with({ view: 'floor' })),
        link('Inbound', look.with({ view: 'inbound' })),
        link('Picking', look.with({ view: 'picks' })),
      ]),
      it.ui.line !== '' && status(it.ui.line),
      it.ui.view === 'floor' && text('Bins are named aisle-bay-bin.'),
      it.ui.view === 'floor' ? floor(it) : it.ui.view === 'inbound' ? inbound(it) : picks(it),
    ]),
  templates: [correct, howMany, pickLine, turnAway],
  onRefusal: (draft, message) => void Object.assign(draft.ui, { line: message }),
});
