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

const tongues = ['English', 'Italian', 'Polish', 'Dutch', 'Sign language'];
const spots = ['Rotunda', 'Lion stairs', 'Coat room', 'Rose court', 'Gate B'];
const dates = ['3 June', '4 June', '5 June', '6 June', '7 June', '8 June'];
const starts = ['10:00', '11:15', '13:30', '15:00', '16:20'];

const state = z.object({
  tours: z.array(
    z.object({
      id: z.string(),
      theme: z.string(),
      date: z.string(),
      start: z.string(),
      guide: z.string(),
      tongue: z.string(),
      spot: z.string(),
      room: z.int(),
      off: z.string(),
    }),
  ),
  parties: z.array(
    z.object({ id: z.string(), tour: z.string(), name: z.string(), heads: z.int(), lunch: z.boolean() }),
  ),
  ui: z.object({
    date: z.string(),
    tour: z.string().nullable(),
    wizard: z.int(),
    group: z.object({ name: z.string(), heads: z.string(), lunch: z.string() }),
    calling: z.boolean(),
    reason: z.string(),
    word: z.string(),
  }),
});
type Museum = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const empty = { name: '', heads: '', lunch: '' };
const reasons = ['Guide is ill', 'Gallery closed', 'Too few visitors', 'Strike'];

const bring = command('bring_party', {
  about: 'Book a party onto a tour.',
  input: z.object({ tour: z.string(), name: z.string(), heads: z.string(), lunch: z.string() }),
  run(draft, { tour, name, heads, lunch }) {
    const trip = need(draft.tours, tour, 'tour');
    if (trip.off !== '') refuse('This tour was called off.');
    if (name.trim() === '') refuse('The party needs a name.');
    if (!/^[1-9]\d?$/.test(heads)) refuse('How many heads?');
    if (!['with lunch', 'without lunch'].includes(lunch)) refuse('Lunch or no lunch?');
    if (Number(heads) > places(draft, tour)) refuse(`Only ${places(draft, tour)} places are left.`);
    draft.parties.push({
      id: nextId(draft.parties, 'g'),
      tour,
      name,
      heads: Number(heads),
      lunch: lunch === 'with lunch',
    });
    Object.assign(draft.ui, { wizard: 0, group: { ...empty }, word: `${name} is on the list.` });
  },
});
const meetAt = command('meet_at', {
  about: 'Change where a tour meets.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!spots.includes(value)) refuse('No such spot.');
    need(draft.tours, id, 'tour').spot = value;
    draft.ui.word = `Now meets at: ${value}.`;
  },
});
const changeGuide = command('change_guide', {
  about: 'Give a tour to another guide.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!guides.includes(value)) refuse('No such guide.');
    need(draft.tours, id, 'tour').guide = value;
    draft.ui.word = `${value} leads it now.`;
  },
});
const callOff = command('call_off', {
  about: 'Call a tour off, with a reason.',
  input: z.object({ id: z.string(), reason: z.string() }),
  run(draft, { id, reason }) {
    const tour = need(draft.tours, id, 'tour');
    if (tour.off !== '') refuse('It was called off before.');
    if (!reasons.includes(reason)) refuse('Give a reason.');
    tour.off = reason;
    Object.assign(draft.ui, { calling: false, word: 'The tour was called off.' });
  },
});
const reinstate = command('reinstate', {
  about: 'Let a tour take place that was called off.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const tour = need(draft.tours, id, 'tour');
    if (tour.off === '') refuse('It takes place.');
    tour.off = '';
    draft.ui.word = 'The tour takes place after all.';
  },
});
const program = query('programme', {
  about: 'The tours of a date with their parties.',
  input: z.object({ date: z.string() }),
  run: ({ tours, parties }, { date }) =>
    tours
      .filter(tour => tour.date === date)
      .map(tour => ({ ...tour, parties: parties.filter(party => party.tour === tour.id) })),
});
const leaf = gesture('leaf_to', {
  about: 'Leaf to a date of the programme.',
  input: z.object({ date: z.string() }),
  run(draft, { date }) {
    Object.assign(draft.ui, { date, tour: null, wizard: 0, calling: false, word: '' });
  },
});
const open = gesture('open_tour', {
  about: 'Open a tour.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { tour: id, wizard: 0, calling: false, reason: '', word: '', group: { ...empty } });
  },
});
const step = gesture('wizard_step', {
  about: 'Go to a step of the booking.',
  input: z.object({ wizard: z.int().min(0).max(3) }),
  run(draft, { wizard }) {
    if (wizard === 2 && draft.ui.group.name.trim() === '') refuse('The party needs a name.');
    if (wizard === 3 && draft.ui.group.lunch === '') refuse('Lunch or no lunch?');
    Object.assign(draft.ui, { wizard, word: '' });
  },
});
const note = gesture('note_group', {
  about: 'Fill in the party.',
  input: z.object({ field: z.enum(['name', 'heads', 'lunch']), value: z.string().max(50) }),
  run(draft, { field, value }) {
    draft.ui.group[field] = value;
  },
});
const calling = gesture('think_of_calling_off', {
  about: 'Open or close the question whether to call a tour off.',
  input: z.object({ calling: z.boolean() }),
  run(draft, input) {
    draft.ui.calling = input.calling;
  },
});
const giveReason = gesture('give_reason', {
  about: 'Choose the reason.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.reason = value;
  },
});

function places({ tours, parties }: Museum, id: string): number {
  return parties
    .filter(({ tour }) => tour === id)
    .reduce((left, { heads }) => left - heads, need(tours, id, 'tour').room);
}
function called({ theme, date, start }: Museum['tours'][number]): string {
  return `${theme}, ${date}, ${start}`;
}
function booking({ ui }: Museum, tour: Museum['tours'][number]) {
  const { wizard, group } = ui;
  return form(`Booking, step ${wizard} of 3`, [
    heading(called(tour)),
    wizard === 1 && textbox('Name of the party', group.name, { enter: note.entering({ field: 'name' }) }),
    wizard === 1 && textbox('Heads', group.heads, { enter: note.entering({ field: 'heads' }) }),
    wizard === 2 &&
      combobox('Museum café', group.lunch, {
        enter: note.entering({ field: 'lunch' }),
        options: ['with lunch', 'without lunch'],
      }),
    wizard === 3 && text(`${group.name}, ${group.heads} heads, ${group.lunch}`),
    wizard < 3 && button('Onwards', step.with({ wizard: wizard + 1 })),
    wizard === 3 && button('Put on the list', bring.with({ tour: tour.id, ...group })),
    wizard > 1 && button('Backwards', step.with({ wizard: wizard - 1 })),
    link('Leave the booking', step.with({ wizard: 0 })),
  ]);
}
function sheet(museum: Museum, tour: Museum['tours'][number]) {
  const { ui, parties } = museum;
  const { id, tongue, guide, spot, off } = tour;
  if (ui.calling)
    return dialog(`Call off ${called(tour)}?`, [
      combobox('Because', ui.reason, { enter: giveReason.entering({}), options: reasons }),
      button('Call it off', callOff.with({ id, reason: ui.reason })),
      button('Leave it on', calling.with({ calling: false })),
    ]);
  if (ui.wizard > 0) return booking(museum, tour);
  return region(called(tour), [
    heading(called(tour)),
    text(`in ${tongue}`),
    status(off === '' ? `${places(museum, id)} places left` : `Called off: ${off}`),
    combobox('Led by', guide, { enter: changeGuide.entering({ id }), options: guides }),
    combobox('Meets at', spot, { enter: meetAt.entering({ id }), options: spots }),
    list(
      'Parties',
      parties
        .filter(party => party.tour === id)
        .map(({ name, heads, lunch }) => text(`${name}: ${heads} heads${lunch ? ', lunch' : ''}`)),
    ),
    off === '' && button('Bring a party', step.with({ wizard: 1 })),
    off === '' && button('Call off…', calling.with({ calling: true })),
    off !== '' && button('Let it take place', reinstate.with({ id })),
    link(`All of ${tour.date}`, open.with({ id: null })),
  ]);
}

const guides = ['Benedikt Rau', 'Benita Rauch', 'Colm Daly', 'Sofia Conti', 'Sofie Kant', 'Wanda Lis'];
const themes = ['Bronze and bone', 'Bronze mirrors', 'Painted ships', 'Painted saints', 'Night birds', 'Birds of clay'];
const groups = [
  'Class 4b',
  'Class 4c',
  'Rowing club',
  'Chess club',
  'Nurses of ward 7',
  'Ward family',
  'Choir of St Anne',
  'St Anne school',
  'Brass band',
  'Brassworks Ltd',
  'Retired judges',
  'Young judges',
];
const guests = [
  'Beekeepers of Lund',
  'Harbour pilots',
  'The Fenwicks',
  'Evening class',
  'Tram drivers',
  'Quilting circle',
  'Cousins Abt',
];

const bookParty = template('book-party', {
  about: 'Book a party onto a tour; sometimes there are too few places.',
  split: 'train',
  kind: 'infeasible',
  sample(museum, random) {
    const tour = random.pick(museum.tours.filter(({ off }) => off === ''));
    const fits = random.chance(0.5);
    const left = random.between(4, 15);
    const heads = fits ? random.between(2, left) : random.between(left + 1, left + 12);
    return { id: tour.id, tour: called(tour), party: random.pick(guests), heads: `${heads}`, left, fits };
  },
  isTwin: ({ fits }) => fits,
  setup(draft, { id, left }) {
    const tour = need(draft.tours, id, 'tour');
    tour.room += left - places(draft, id);
  },
  instruction: ({ tour, party, heads }, random) =>
    random.pick([
      `Put ${party} on the list of the tour ${tour}: ${heads} heads, without lunch.`,
      `${party} (${heads} people) would like to join "${tour}". They will eat elsewhere.`,
      `${heads} visitors, party name ${party}, for ${tour}. No lunch for them.`,
    ]),
  checks: ({ id, party, heads }) => [
    {
      name: 'one party was added, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.parties, final.parties);
        return (
          more.length === 0 && made?.tour === id && made.name === party && made.heads === Number(heads) && !made.lunch
        );
      },
    },
  ],
  allow: () => ['/parties/+'],
  shown: ({ ui }, { id }) => ui.tour === id && ui.wizard === 0 && !ui.calling,
});
const moveSpot = template('move-meeting-spot', {
  about: 'Change where a tour meets.',
  split: 'train',
  sample({ tours }, random) {
    const tour = random.pick(tours);
    return { id: tour.id, tour: called(tour), spot: random.pick(spots.filter(spot => spot !== tour.spot)) };
  },
  instruction: ({ tour, spot }, random) =>
    random.pick([
      `Visitors of "${tour}" should gather here from now on: ${spot}.`,
      `${tour} meets at ${spot}.`,
      `The usual place is full of scaffolding. Let the tour ${tour} start from ${spot} insted.`,
    ]),
  checks: ({ id, spot }) => [{ name: `it meets at ${spot}`, test: final => find(final.tours, id)?.spot === spot }],
  allow: ({ id }) => [`/tours/${id}/spot`],
});
const takeOver = template('take-over-tours', {
  about: 'Give all tours of a guide on one date to another guide.',
  split: 'train',
  sample({ tours }, random) {
    const [ill, stand] = random.sample(guides, 2) as [string, string];
    const date = random.pick(dates);
    const ids = tours.filter(tour => tour.date === date && tour.guide === ill).map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { ill, stand, date, ids };
  },
  instruction: ({ ill, stand, date }, random) =>
    random.pick([
      `${ill} is ill on ${date}. ${stand} leads all of their tours that day.`,
      `On ${date}, every tour of ${ill} goes to ${stand}.`,
      `${stand} will stand in for ${ill} on ${date}, for each tour. Other days stay as they are.`,
    ]),
  checks: ({ ids, stand }) =>
    ids.map(id => ({ name: `${stand} leads ${id}`, test: (final: Museum) => find(final.tours, id)?.guide === stand })),
  allow: ({ ids }) => ids.map(id => `/tours/${id}/guide`),
});
const cancel = template('call-tour-off', {
  about: 'Call a tour off for a reason.',
  split: 'train',
  sample({ tours }, random) {
    const tour = random.pick(tours.filter(({ off }) => off === ''));
    return { id: tour.id, tour: called(tour), reason: random.pick(reasons) };
  },
  instruction: ({ tour, reason }, random) =>
    random.pick([
      `Call off ${tour}. ${reason}.`,
      `The tour ${tour} will not happen. As the reason put "${reason}".`,
      `Bad news: ${reason}. That hits ${tour}, which has to be called off.`,
    ]),
  checks: ({ id, reason }) => [{ name: `off: ${reason}`, test: final => find(final.tours, id)?.off === reason }],
  allow: ({ id }) => [`/tours/${id}/off`],
});
const biggest = template('largest-party', {
  about: 'Name the largest party of a tour.',
  split: 'train',
  sample({ tours, parties }, random) {
    const tour = random.pick(tours);
    const [first, second] = parties.filter(party => party.tour === tour.id).sort((a, b) => b.heads - a.heads);
    if (first === undefined || second === undefined || first.heads === second.heads) return null;
    return { id: tour.id, tour: called(tour), name: first.name };
  },
  instruction: ({ tour }, random) =>
    random.pick([
      `Which party on ${tour} brings the most heads?`,
      `The café wants to know the name of the biggest group on the tour ${tour}.`,
      `Largest party, ${tour}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ name }) => name,
  shown: ({ ui }, { id }) => ui.tour === id && ui.wizard === 0 && !ui.calling,
});
const onAgain = template('reinstate-tour', {
  about: 'Let the tour of a day take place that was called off for a reason.',
  split: 'train',
  sample({ tours }, random) {
    const tour = random.pick(tours);
    return { id: tour.id, date: tour.date, reason: random.pick(reasons) };
  },
  setup(draft, { id, date, reason }) {
    for (const tour of draft.tours) if (tour.date === date && tour.off === reason) tour.off = '';
    need(draft.tours, id, 'tour').off = reason;
  },
  instruction: ({ date, reason }, random) =>
    random.pick([
      `On ${date} a tour was called off with the reason "${reason}". It can take place after all.`,
      `"${reason}" is no longer true. Put the tour of ${date} back on that was cancelled for it.`,
      `${date}: undo the cancellation that says "${reason}".`,
    ]),
  checks: ({ id }) => [{ name: 'it takes place', test: final => find(final.tours, id)?.off === '' }],
  allow: ({ id }) => [`/tours/${id}/off`],
});
const lateTongue = template('last-in-language', {
  about: 'Move the last tour of a date in a language to a spot.',
  split: 'train',
  sample({ tours }, random) {
    const date = random.pick(dates);
    const tongue = random.pick(tongues);
    const fitting = tours
      .filter(tour => tour.date === date && tour.tongue === tongue)
      .sort((a, b) => (a.start < b.start ? 1 : -1));
    const [last, before] = fitting;
    if (last === undefined || before === undefined) return null;
    return { id: last.id, date, tongue, spot: random.pick(spots.filter(spot => spot !== last.spot)) };
  },
  instruction: ({ date, tongue, spot }, random) =>
    random.pick([
      `The last tour in ${tongue} on ${date} meets at ${spot}.`,
      `There are several tours in ${tongue} on ${date}. Whichever starts latest should gather at ${spot}.`,
      `${date}, ${tongue}, the latest start: meeting place ${spot}.`,
    ]),
  checks: ({ id, spot }) => [{ name: `it meets at ${spot}`, test: final => find(final.tours, id)?.spot === spot }],
  allow: ({ id }) => [`/tours/${id}/spot`],
});

export const app = defineApp({
  id: 'museum-tours',
  title: 'Museum of the Strait: guided tours',
  about: 'The programme of guided tours of a museum, and the parties on them.',
  state,
  init(random): Museum {
    const tours = random
      .shuffle(dates.flatMap(date => starts.map(start => ({ date, start }))))
      .map(({ date, start }, index) => ({
        id: `t${index + 1}`,
        theme: random.pick(themes),
        date,
        start,
        guide: random.pick(guides),
        tongue: random.pick(tongues),
        spot: random.pick(spots),
        room: random.between(30, 48),
        off: random.chance(0.15) ? random.pick(reasons) : '',
      }));
    const parties = tours.flatMap(({ id }) =>
      random.sample(groups, random.between(0, 3)).map(name => ({
        tour: id,
        name,
        heads: random.between(2, 9),
        lunch: random.chance(0.4),
      })),
    );
    return {
      tours,
      parties: parties.map((party, index) => ({ id: `g${index + 1}`, ...party })),
      ui: { date: '3 June', tour: null, wizard: 0, group: { ...empty }, calling: false, reason: '', word: '' },
    };
  },
  commands: [bring, meetAt, changeGuide, callOff, reinstate, program, leaf, open, step, note, calling, giveReason],
  view(museum) {
    const { tours, ui } = museum;
    const tour = find(tours, ui.tour ?? '');
    const day = tours.filter(({ date }) => date === ui.date).sort((a, b) => (a.start < b.start ? -1 : 1));
    return page('Guided tours', [
      ui.word !== '' && status(ui.word),
      tour !== undefined
        ? sheet(museum, tour)
        : region(`Programme of ${ui.date}`, [
            navigation(
              'June',
              dates.map(date => link(date, leaf.with({ date }), date === ui.date ? ['selected'] : undefined)),
            ),
            list(
              ui.date,
              day.map(each =>
                listItem(each.start, [
                  link(called(each), open.with({ id: each.id })),
                  text(`${each.tongue}, led by ${each.guide}${each.off === '' ? '' : `, called off: ${each.off}`}`),
                ]),
              ),
            ),
          ]),
    ]);
  },
  templates: [bookParty, moveSpot, takeOver, cancel, biggest, onAgain, lateTongue],
  onRefusal(draft, message) {
    draft.ui.word = message;
  },
});
