import {
  added,
  alert,
  appKit,
  button,
  combobox,
  defineApp,
  find,
  form,
  heading,
  link,
  list,
  listItem,
  navigation,
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

const engines = ['Engine 1', 'Engine 2', 'Ladder truck', 'Boat trailer'];
const sides = ['left front', 'left rear', 'right front', 'roof'];
const kinds = ['hose', 'hand lamp', 'breathing set', 'radio', 'axe', 'life vest'];
const faults = ['leaks', 'does not light up', 'cracked', 'battery flat', 'strap torn'];

const state = z.object({
  lockers: z.array(z.object({ id: z.string(), engine: z.string(), side: z.string(), sealed: z.boolean() })),
  gear: z.array(
    z.object({
      id: z.string(),
      tag: z.string(),
      kind: z.string(),
      locker: z.string(),
      year: z.int(),
      tested: z.string(),
      tester: z.string(),
      shape: z.enum(['ready', 'defective', 'condemned']),
    }),
  ),
  faults: z.array(z.object({ id: z.string(), gear: z.string(), what: z.string(), seenBy: z.string() })),
  ui: z.object({
    book: z.boolean(),
    engine: z.string().nullable(),
    locker: z.string().nullable(),
    gear: z.string().nullable(),
    fault: z.object({ open: z.boolean(), what: z.string(), seenBy: z.string() }),
    radio: z.string(),
  }),
});
type Station = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const one = z.object({ id: z.string() });
const noFault = { open: false, what: '', seenBy: '' };

const stow = command('stow_gear', {
  about: 'Stow a piece of gear in another locker.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    const piece = need(draft.gear, id, 'piece');
    const to = draft.lockers.find(each => place(each) === value) ?? refuse('There is no such locker.');
    if (need(draft.lockers, piece.locker, 'locker').sealed) refuse('The locker it lies in is sealed.');
    piece.locker = to.id;
    draft.ui.locker = to.id;
    draft.ui.engine = to.engine;
  },
});
const sealLocker = command('seal_locker', {
  about: 'Seal a locker, or break its seal.',
  input: z.object({ id: z.string(), sealed: z.boolean() }),
  run(draft, { id, sealed }) {
    need(draft.lockers, id, 'locker').sealed = sealed;
  },
});
const test = command('test_gear', {
  about: 'Write down that a piece was tested today.',
  input: one,
  run(draft, { id }) {
    const piece = need(draft.gear, id, 'piece');
    if (piece.shape !== 'ready') refuse('Only what is ready can be tested.');
    Object.assign(piece, { tested: today, tester: 'duty officer' });
  },
});
const report = command('report_fault', {
  about: 'Report a fault of a piece; it is defective then.',
  input: z.object({ gear: z.string(), what: z.string(), seenBy: z.string().trim().min(1, 'Who saw it?') }),
  run(draft, { gear, what, seenBy }) {
    const piece = need(draft.gear, gear, 'piece');
    if (!faults.includes(what)) refuse('What is wrong with it?');
    if (piece.shape !== 'ready') refuse('It is out of service already.');
    piece.shape = 'defective';
    draft.faults.push({ id: nextId(draft.faults, 'f'), gear, what, seenBy });
    draft.ui.fault = { ...noFault };
  },
});
const restore = command('restore_gear', {
  about: 'Put a defective piece back into service.',
  input: one,
  run(draft, { id }) {
    const piece = need(draft.gear, id, 'piece');
    if (piece.shape === 'ready') refuse('It is in service.');
    if (piece.shape === 'condemned') refuse(`${piece.tag} is condemned. It must never go back into service.`);
    piece.shape = 'ready';
  },
});
const condemn = command('condemn_gear', {
  about: 'Condemn a piece: it is never used again.',
  input: one,
  run(draft, { id }) {
    need(draft.gear, id, 'piece').shape = 'condemned';
  },
});
const inventory = query('inventory', {
  about: 'All gear of a vehicle, with lockers.',
  input: z.object({ engine: z.string() }),
  run: ({ gear, lockers }, { engine }) =>
    gear
      .map(piece => ({ ...piece, where: place(need(lockers, piece.locker, 'locker')) }))
      .filter(({ where }) => where.startsWith(engine)),
});
const unfold = gesture('unfold', {
  about: 'Fold a vehicle or a locker of the tree open or shut.',
  input: z.object({ engine: z.string().nullable(), locker: z.string().nullable() }),
  run(draft, input) {
    Object.assign(draft.ui, { ...input, gear: null, book: false, radio: '', fault: { ...noFault } });
  },
});
const take = gesture('take_gear', {
  about: 'Look at a piece of gear.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const { locker } = need(draft.gear, id, 'piece');
    const { engine } = need(draft.lockers, locker, 'locker');
    Object.assign(draft.ui, { gear: id, locker, engine, book: false, radio: '', fault: { ...noFault } });
  },
});
const faultBook = gesture('fault_book', {
  about: 'Open the book of faults.',
  input: z.object({}),
  run(draft) {
    Object.assign(draft.ui, { book: true, gear: null, radio: '' });
  },
});
const jot = gesture('jot_fault', {
  about: 'Fill in a fault.',
  input: z.object({ field: z.enum(['what', 'seenBy']), value: z.string().max(40) }),
  run(draft, { field, value }) {
    draft.ui.fault[field] = value;
  },
});
const startFault = gesture('start_fault', {
  about: 'Begin or leave the report of a fault.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    draft.ui.fault = { ...noFault, open };
  },
});

const today = '12 May';
function place({ engine, side }: { engine: string; side: string }): string {
  return `${engine}, ${side}`;
}
function tree({ lockers, gear, ui }: Station) {
  return navigation(
    'Station tree',
    engines.map(engine =>
      listItem(engine, [
        button(
          engine,
          unfold.with({ engine: ui.engine === engine ? null : engine, locker: null }),
          ui.engine === engine ? ['expanded'] : undefined,
        ),
        ui.engine === engine &&
          list(
            `Lockers of ${engine}`,
            lockers
              .filter(each => each.engine === engine)
              .map(({ id, side, sealed }) =>
                listItem(side, [
                  button(
                    `Locker ${side}${sealed ? ' (sealed)' : ''}`,
                    unfold.with({ engine, locker: ui.locker === id ? null : id }),
                    ui.locker === id ? ['expanded'] : undefined,
                  ),
                  ui.locker === id &&
                    list(
                      `In ${side}`,
                      gear
                        .filter(({ locker }) => locker === id)
                        .map(({ id: piece, tag, kind, year, tested, shape }) =>
                          listItem(tag, [
                            link(`${tag} ${kind}`, take.with({ id: piece })),
                            text(`from ${year}, tested ${tested}, ${shape}`),
                          ]),
                        ),
                    ),
                  ui.locker === id &&
                    button(sealed ? 'Break the seal' : 'Seal it', sealLocker.with({ id, sealed: !sealed })),
                ]),
              ),
          ),
      ]),
    ),
  );
}
function card({ lockers, ui }: Station, piece: Station['gear'][number]) {
  const { id, tag, kind, year, tested, tester, shape, locker } = piece;
  if (ui.fault.open)
    return form(`Fault of ${tag}`, [
      combobox('It', ui.fault.what, { enter: jot.entering({ field: 'what' }), options: faults }),
      textbox('Seen by', ui.fault.seenBy, { enter: jot.entering({ field: 'seenBy' }) }),
      button('Write into the fault book', report.with({ gear: id, what: ui.fault.what, seenBy: ui.fault.seenBy })),
      button('Never mind', startFault.with({ open: false })),
    ]);
  return region(`Piece ${tag}`, [
    heading(`${tag} ${kind}`),
    text(`Bought ${year}`),
    text(`Tested ${tested} by ${tester}`),
    status(`Shape: ${shape}`),
    combobox('Stowed in', place(need(lockers, locker, 'locker')), {
      enter: stow.entering({ id }),
      options: lockers.map(place),
    }),
    shape === 'ready' && tested !== today && button('Tested today', test.with({ id })),
    shape === 'ready' && button('Something is wrong with it', startFault.with({ open: true })),
    shape !== 'ready' && button('Back into service', restore.with({ id })),
    shape !== 'condemned' && button('Condemn', condemn.with({ id })),
  ]);
}

const people = ['Ruben', 'Rubina', 'Old Lars', 'Larsen', 'Chief Amato', 'Kitty'];
const months = ['2 January', '19 January', '8 February', '27 February', '3 March', '30 March'];

const restow = template('restow', {
  about: 'Stow a piece in another locker; the one it lies in may be sealed.',
  split: 'train',
  sample({ gear, lockers }, random) {
    const piece = random.pick(gear);
    const from = need(lockers, piece.locker, 'locker');
    const to = random.pick(lockers.filter(({ id }) => id !== from.id));
    return {
      id: piece.id,
      what: `${piece.tag} ${piece.kind}`,
      locker: from.id,
      from: place(from),
      to: to.id,
      toPlace: place(to),
      sealed: random.chance(0.5),
    };
  },
  setup(draft, { locker, sealed }) {
    need(draft.lockers, locker, 'locker').sealed = sealed;
  },
  instruction: ({ what, from, toPlace, sealed }, random) =>
    random.pick([
      `Move ${what} from ${from} to ${toPlace}.${sealed ? ' You may break the seal there.' : ''}`,
      `${what} lies in the wrong place (${from}). It belongs in: ${toPlace}.${sealed ? ' If a seal is in the way, break it.' : ''}`,
      `After the drill somebody put ${what} into ${from}. Stow it in ${toPlace}${sealed ? ', breaking the seal' : ''}.`,
    ]),
  checks: ({ id, to, locker, sealed }) => [
    ...(sealed
      ? [{ name: 'the seal is broken', test: (final: Station) => find(final.lockers, locker)?.sealed === false }]
      : []),
    { name: 'it lies there', test: final => find(final.gear, id)?.locker === to },
  ],
  allow: ({ id, locker, sealed }) =>
    sealed ? [`/gear/${id}/locker`, `/lockers/${locker}/sealed`] : [`/gear/${id}/locker`],
});
const fault = template('report-a-fault', {
  about: 'Report a fault of a piece.',
  split: 'train',
  sample({ gear, lockers }, random) {
    const piece = random.pick(gear);
    return {
      id: piece.id,
      piece: `${piece.tag} ${piece.kind}`,
      where: place(need(lockers, piece.locker, 'locker')),
      what: random.pick(faults),
      seenBy: random.pick(people),
    };
  },
  setup(draft, { id }) {
    need(draft.gear, id, 'piece').shape = 'ready';
  },
  instruction: ({ piece, where, what, seenBy }, random) =>
    random.pick([
      `${piece} (${where}): ${what}. ${seenBy} saw it.`,
      `${seenBy} noticed something at the drill. The thing marked ${piece} in ${where} ${what}. Enter it in the fault book.`,
      `Fault report for ${piece} in ${where}: it ${what}, seen by ${seenBy}.`,
    ]),
  checks: ({ id, what, seenBy }) => [
    { name: 'it is defective', test: final => find(final.gear, id)?.shape === 'defective' },
    {
      name: 'the fault is in the book once',
      test(final, initial) {
        const [made, ...more] = added(initial.faults, final.faults);
        return more.length === 0 && made?.gear === id && made.what === what && made.seenBy === seenBy;
      },
    },
  ],
  allow: ({ id }) => ['/faults/+', `/gear/${id}/shape`],
});
const testAll = template('test-kind-in-locker', {
  about: 'Write down the test of everything ready in a locker of one vehicle.',
  split: 'train',
  sample({ gear, lockers }, random) {
    const locker = random.pick(lockers);
    const ids = gear.filter(each => each.locker === locker.id && each.shape === 'ready').map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { where: place(locker), ids };
  },
  instruction: ({ where }, random) =>
    random.pick([
      `I tested whatever is ready in ${where}, just now.`,
      `${where}: all pieces in shape "ready" were tested today. Note it for each.`,
      `Monthly check of the locker ${where} is done. Enter today's test, only for what is ready.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({
      name: `${id} was tested today`,
      test: (final: Station) =>
        find(final.gear, id)?.tested === today && find(final.gear, id)?.tester === 'duty officer',
    })),
  allow: ({ ids }) => ids.flatMap(id => [`/gear/${id}/tested`]).concat(ids.map(id => `/gear/${id}/tester`)),
});
const tester = template('who-tested', {
  about: 'Tell who tested the piece that a person found a fault with.',
  split: 'train',
  sample({ gear, lockers }, random) {
    const piece = random.pick(gear);
    return { id: piece.id, tag: piece.tag, where: place(need(lockers, piece.locker, 'locker')), tester: piece.tester };
  },
  instruction: ({ tag, where }, random) =>
    random.pick([
      `Who tested ${tag} last? It lies in ${where}.`,
      `The inspector asks whose signature is on the last test of ${tag} (${where}).`,
      `${where}, tag ${tag}: last tester?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ tester: name }) => name,
  shown: ({ ui }, { id }) => ui.gear === id && !ui.fault.open,
});
const back = template('back-into-service', {
  about: 'Put a piece back into service, unless it is condemned.',
  split: 'train',
  kind: 'infeasible',
  sample({ gear, lockers }, random) {
    const piece = random.pick(gear);
    return {
      id: piece.id,
      piece: `${piece.tag} ${piece.kind}`,
      where: place(need(lockers, piece.locker, 'locker')),
      condemned: random.chance(0.5),
    };
  },
  isTwin: ({ condemned }) => !condemned,
  setup(draft, { id, condemned }) {
    need(draft.gear, id, 'piece').shape = condemned ? 'condemned' : 'defective';
  },
  instruction: ({ piece, where }, random) =>
    random.pick([
      `${piece} in ${where} has been mended. Back into service with it.`,
      `We are short of gear. Return ${piece} (${where}) to service.`,
      `Set ${piece}, ${where}, to ready again.`,
    ]),
  checks: ({ id }) => [{ name: 'it is ready', test: final => find(final.gear, id)?.shape === 'ready' }],
  allow: ({ id }) => [`/gear/${id}/shape`],
  shown: ({ ui }, { id }) => ui.gear === id && !ui.fault.open,
});
const oldest = template('condemn-oldest', {
  about: 'Condemn the oldest piece of a locker.',
  split: 'train',
  sample({ gear, lockers }, random) {
    const locker = random.pick(lockers);
    const [first, second] = gear
      .filter(each => each.locker === locker.id && each.shape !== 'condemned')
      .sort((a, b) => a.year - b.year);
    if (first === undefined || second === undefined || first.year === second.year) return null;
    return { id: first.id, where: place(locker) };
  },
  instruction: ({ where }, random) =>
    random.pick([
      `Condemn the oldest piece in ${where} that is not condemned yet.`,
      `New gear arrives for ${where}. The piece that has served longest (and still counts) should be condemned.`,
      `${where}: away with the oldest one for good. Skip what is condemned.`,
    ]),
  checks: ({ id }) => [{ name: 'it is condemned', test: final => find(final.gear, id)?.shape === 'condemned' }],
  allow: ({ id }) => [`/gear/${id}/shape`],
});
const sealUp = template('seal-engine', {
  about: 'Seal every open locker of a vehicle.',
  split: 'train',
  sample({ lockers }, random) {
    const engine = random.pick(engines);
    const ids = lockers.filter(each => each.engine === engine && !each.sealed).map(({ id }) => id);
    return ids.length < 2 || ids.length > 3 ? null : { engine, ids };
  },
  instruction: ({ engine }, random) =>
    random.pick([
      `Seal every locker of ${engine} that is not sealed.`,
      `${engine} is packed for the parade; nobody should open its lockers. Put seals where there are none.`,
      `All lockers on ${engine}: sealed, please.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is sealed`, test: (final: Station) => find(final.lockers, id)?.sealed === true })),
  allow: ({ ids }) => ids.map(id => `/lockers/${id}/sealed`),
});

export const app = defineApp({
  id: 'fire-brigade',
  title: 'Volunteer fire brigade of Ostrow',
  about: 'The equipment of a fire brigade, by vehicle and locker.',
  state,
  init(random): Station {
    const lockers = engines
      .flatMap(engine => sides.map(side => ({ engine, side })))
      .map((each, index) => ({
        id: `k${index + 1}`,
        ...each,
        sealed: random.chance(0.4),
      }));
    const gear = random.shuffle(Array.from({ length: 44 }, (_, index) => index)).map((number, index) => ({
      id: `g${index + 1}`,
      tag: `OS${120 + number * 3}`,
      kind: kinds[number % kinds.length] as string,
      locker: (lockers[index % lockers.length] as { id: string }).id,
      year: random.between(1996, 2025),
      tested: random.pick(months),
      tester: random.pick(people),
      shape: random.pick(['ready', 'ready', 'ready', 'defective', 'condemned'] as const),
    }));
    return {
      lockers,
      gear,
      faults: gear
        .filter(({ shape }) => shape === 'defective')
        .map(({ id }, index) => ({
          id: `f${index + 1}`,
          gear: id,
          what: random.pick(faults),
          seenBy: random.pick(people),
        })),
      ui: { book: false, engine: null, locker: null, gear: null, fault: { ...noFault }, radio: '' },
    };
  },
  commands: [stow, sealLocker, test, report, restore, condemn, inventory, unfold, take, faultBook, jot, startFault],
  view(station) {
    const { gear, ui } = station;
    const piece = find(gear, ui.gear ?? '');
    return page('Ostrow station', [
      ui.radio !== '' && alert(ui.radio),
      tree(station),
      link('Fault book', faultBook.with({})),
      ui.book &&
        list(
          'Fault book',
          station.faults.map(each =>
            text(`${need(gear, each.gear, 'piece').tag}: ${each.what}, seen by ${each.seenBy}`),
          ),
        ),
      piece !== undefined && card(station, piece),
    ]);
  },
  templates: [restow, fault, testAll, tester, back, oldest, sealUp],
  onRefusal(draft, message) {
    draft.ui.radio = message;
  },
});
