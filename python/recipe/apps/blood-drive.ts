import {
  appKit,
  button,
  cell,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  need,
  page,
  refuse,
  region,
  row,
  searchBox,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const groups = ['0 neg', '0 pos', 'A neg', 'A pos', 'B neg', 'B pos', 'AB neg', 'AB pos'];
const evenings = ['Tuesday', 'Wednesday', 'Thursday'];
const times = ['16:00', '16:20', '16:40', '17:00', '17:20', '17:40'];
const hurdles = ['Low iron', 'New tattoo', 'Travelled', 'On antibiotics'];

const state = z.object({
  donors: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      group: z.string(),
      weeks: z.int(),
      phone: z.string(),
      hurdle: z.string(),
      invited: z.boolean(),
    }),
  ),
  couches: z.array(
    z.object({ id: z.string(), evening: z.string(), time: z.string(), couch: z.string(), donor: z.string() }),
  ),
  fridge: z.array(z.object({ id: z.string(), group: z.string(), bags: z.int(), appeal: z.boolean() })),
  ui: z.object({
    part: z.enum(['couches', 'donors', 'fridge']),
    evening: z.string(),
    couch: z.string().nullable(),
    donor: z.string().nullable(),
    group: z.string(),
    needle: z.string(),
    turningAway: z.boolean(),
    hurdle: z.string(),
    hint: z.string(),
  }),
});
type Drive = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const lay = command('lay_down', {
  about: 'Give a free couch to a donor.',
  input: z.object({ couch: z.string(), donor: z.string() }),
  run(draft, { couch, donor }) {
    const place = need(draft.couches, couch, 'couch');
    const giver = need(draft.donors, donor, 'donor');
    if (place.donor !== '') refuse('That couch is taken.');
    if (giver.hurdle !== '') refuse(`${giver.name} was turned away: ${giver.hurdle}.`);
    if (giver.weeks < 8) refuse(`${giver.name} gave ${giver.weeks} weeks ago. It must be eight.`);
    place.donor = donor;
    draft.ui.needle = '';
  },
});
const getUp = command('get_up', {
  about: 'Free a couch.',
  input: z.object({ couch: z.string() }),
  run(draft, { couch }) {
    const place = need(draft.couches, couch, 'couch');
    if (place.donor === '') refuse('Nobody has that couch.');
    place.donor = '';
  },
});
const turnAway = command('turn_away', {
  about: 'Turn a donor away for a hurdle.',
  input: z.object({ donor: z.string(), hurdle: z.string() }),
  run(draft, { donor, hurdle }) {
    if (!hurdles.includes(hurdle)) refuse('Name the hurdle.');
    need(draft.donors, donor, 'donor').hurdle = hurdle;
    draft.ui.turningAway = false;
  },
});
const welcome = command('welcome_back', {
  about: 'Let a donor give again who was turned away.',
  input: z.object({ donor: z.string() }),
  run(draft, { donor }) {
    const giver = need(draft.donors, donor, 'donor');
    if (giver.hurdle === '') refuse('Nothing is in the way.');
    giver.hurdle = '';
  },
});
const invite = command('invite', {
  about: 'Invite a donor by post card.',
  input: z.object({ donor: z.string() }),
  run(draft, { donor }) {
    const giver = need(draft.donors, donor, 'donor');
    if (giver.hurdle !== '') refuse('Turned away donors get no card.');
    giver.invited = true;
  },
});
const appeal = command('appeal', {
  about: 'Start or stop the appeal for a blood group.',
  input: z.object({ id: z.string(), on: z.boolean() }),
  run(draft, { id, on }) {
    need(draft.fridge, id, 'drawer').appeal = on;
  },
});
const seekDonors = query('seek_donors', {
  about: 'Donors whose name contains a text.',
  input: z.object({ text: z.string() }),
  run: ({ donors }, input) => donors.filter(({ name }) => name.toLowerCase().includes(input.text.toLowerCase())),
});
const couchPlan = query('couch_plan', {
  about: 'The couches of an evening, with names, and the fridge.',
  input: z.object({ evening: z.string() }),
  run: ({ couches, donors, fridge }, { evening }) => ({
    fridge,
    couches: couches
      .filter(each => each.evening === evening)
      .map(each => ({
        ...each,
        name: find(donors, each.donor)?.name ?? 'free',
        phone: find(donors, each.donor)?.phone ?? '',
      })),
  }),
});
const walk = gesture('walk_to', {
  about: 'Go to the couches, the donors or the fridge.',
  input: z.object({ part: z.enum(['couches', 'donors', 'fridge']) }),
  run(draft, { part }) {
    Object.assign(draft.ui, { part, couch: null, donor: null, turningAway: false, needle: '', hint: '' });
  },
});
const evening = gesture('pick_evening', {
  about: 'Look at one evening.',
  input: z.object({ evening: z.string() }),
  run(draft, input) {
    draft.ui.evening = input.evening;
  },
});
const openCouch = gesture('open_couch', {
  about: 'Open a couch, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { couch: id, needle: '', hint: '' });
  },
});
const openDonor = gesture('open_donor', {
  about: 'Open the card of a donor, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { part: 'donors', couch: null, donor: id, turningAway: false, hurdle: '', hint: '' });
  },
});
const seek = gesture('seek', {
  about: 'Type a name.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.needle = value;
  },
});
const ofGroup = gesture('of_group', {
  about: 'Show donors of one blood group.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.group = value;
  },
});
const consider = gesture('consider_turning_away', {
  about: 'Open or close the question about a hurdle.',
  input: z.object({ on: z.boolean() }),
  run(draft, { on }) {
    draft.ui.turningAway = on;
  },
});
const chooseHurdle = gesture('choose_hurdle', {
  about: 'Choose the hurdle.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    draft.ui.hurdle = value;
  },
});

function grid({ couches, donors, ui }: Drive) {
  const opened = find(couches, ui.couch ?? '');
  if (opened !== undefined) {
    const giver = find(donors, opened.donor);
    const lower = ui.needle.toLowerCase();
    const fitting = ui.needle.length < 2 ? [] : donors.filter(({ name }) => name.toLowerCase().includes(lower));
    return region(`${opened.couch}, ${opened.evening} ${opened.time}`, [
      heading(`${opened.couch}, ${opened.evening} ${opened.time}`),
      giver !== undefined && link(giver.name, openDonor.with({ id: giver.id })),
      giver !== undefined && button('Free this couch', getUp.with({ couch: opened.id })),
      giver === undefined && textbox('Who lies here?', ui.needle, { enter: seek.entering({}) }),
      giver === undefined &&
        list(
          'Found',
          fitting.map(each => button(`${each.name}, ${each.group}`, lay.with({ couch: opened.id, donor: each.id }))),
        ),
      link('Back to the plan', openCouch.with({ id: null })),
    ]);
  }
  return region('Couches', [
    toolbar(
      'Evenings',
      evenings.map(each => tab(each, evening.with({ evening: each }), each === ui.evening ? ['selected'] : undefined)),
    ),
    table(
      `Plan of ${ui.evening}`,
      times.map(time =>
        row(
          time,
          couches
            .filter(each => each.evening === ui.evening && each.time === time)
            .map(each =>
              link(
                `${each.couch} ${time}: ${find(donors, each.donor)?.name ?? 'free'}`,
                openCouch.with({ id: each.id }),
              ),
            ),
        ),
      ),
    ),
  ]);
}
function people({ donors, ui }: Drive) {
  const opened = find(donors, ui.donor ?? '');
  if (opened !== undefined && ui.turningAway)
    return dialog(`Turn ${opened.name} away`, [
      combobox('Hurdle', ui.hurdle, { enter: chooseHurdle.entering({}), options: hurdles }),
      button('Turn away kindly', turnAway.with({ donor: opened.id, hurdle: ui.hurdle })),
      button('Not today', consider.with({ on: false })),
    ]);
  if (opened !== undefined)
    return region(opened.name, [
      heading(opened.name),
      text(`Blood group ${opened.group}`),
      text(`Last gave ${opened.weeks} weeks ago`),
      text(`Telephone ${opened.phone}`),
      status(opened.hurdle === '' ? 'May give' : `Turned away: ${opened.hurdle}`),
      opened.hurdle === '' && button('Turn away…', consider.with({ on: true })),
      opened.hurdle !== '' && button('Welcome back', welcome.with({ donor: opened.id })),
      !opened.invited && button('Send a card', invite.with({ donor: opened.id })),
      link('All donors', openDonor.with({ id: null })),
    ]);
  const lower = ui.needle.toLowerCase();
  const fitting = donors.filter(
    ({ name, group }) => (ui.group === 'any' || group === ui.group) && name.toLowerCase().includes(lower),
  );
  return region('Donors', [
    searchBox('Sift', [
      textbox('Name', ui.needle, { enter: seek.entering({}) }),
      combobox('Blood group', ui.group, { enter: ofGroup.entering({}), options: ['any', ...groups] }),
    ]),
    table(
      fitting.length > 10 ? `First 10 of ${fitting.length}` : `${fitting.length} donors`,
      fitting
        .slice(0, 10)
        .map(({ id, name, group, hurdle, invited }) =>
          row(name, [
            link(name, openDonor.with({ id })),
            cell(group),
            cell(hurdle === '' ? 'may give' : hurdle),
            invited ? cell('card sent') : button(`Send ${name} a card`, invite.with({ donor: id })),
          ]),
        ),
    ),
  ]);
}

const slotOf = ({ couch, evening: on, time }: Drive['couches'][number]) => `${couch}, ${on} ${time}`;
const book = template('book-couch', {
  about: 'Give a couch to a donor, unless it is too early for them.',
  split: 'train',
  kind: 'infeasible',
  sample({ donors, couches }, random) {
    const free = couches.filter(({ donor }) => donor === '');
    if (free.length === 0) return null;
    const place = random.pick(free);
    const giver = random.pick(donors);
    return {
      couch: place.id,
      slot: slotOf(place),
      donor: giver.id,
      name: giver.name,
      early: random.chance(0.5),
      few: random.between(2, 7),
    };
  },
  isTwin: ({ early }) => !early,
  setup(draft, { donor, early, few }) {
    Object.assign(need(draft.donors, donor, 'donor'), { hurdle: '', weeks: early ? few : few + 9 });
  },
  instruction: ({ slot, name }, random) =>
    random.pick([
      `${name} would like to come: ${slot}.`,
      `Put ${name} down for ${slot}.`,
      `I talked ${name} into giving blood again. The free couch (${slot}) would suit; please take it for them.`,
    ]),
  checks: ({ couch, donor }) => [
    { name: 'the couch is theirs', test: final => find(final.couches, couch)?.donor === donor },
  ],
  allow: ({ couch }) => [`/couches/${couch}/donor`],
  shown: ({ ui }, { donor }) => ui.donor === donor || ui.hint.includes('must be eight'),
});
const free = template('free-couch', {
  about: 'Free the couch of a donor on an evening.',
  split: 'train',
  sample({ donors, couches }, random) {
    const place = random.pick(couches.filter(({ donor }) => donor !== ''));
    return { couch: place.id, slot: slotOf(place), name: need(donors, place.donor, 'donor').name };
  },
  instruction: ({ slot, name }, random) =>
    random.pick([
      `${name} cannot make it: ${slot} is free again.`,
      `Take ${name} off the plan (${slot}).`,
      `Fever! ${name} cancelled. Free the place, it was ${slot}.`,
    ]),
  checks: ({ couch }) => [{ name: 'the couch is free', test: final => find(final.couches, couch)?.donor === '' }],
  allow: ({ couch }) => [`/couches/${couch}/donor`],
});
const hurdle = template('turn-donor-away', {
  about: 'Turn a donor away for a hurdle.',
  split: 'train',
  sample({ donors }, random) {
    const giver = random.pick(donors);
    return { donor: giver.id, name: giver.name, hurdle: random.pick(hurdles) };
  },
  setup(draft, { donor }) {
    need(draft.donors, donor, 'donor').hurdle = '';
  },
  instruction: ({ name, hurdle: why }, random) =>
    random.pick([
      `${name} may not give for now. ${why}.`,
      `Turn ${name} away: ${why}.`,
      `The nurse spoke with ${name} and noted "${why}". Their card has to say so.`,
    ]),
  checks: ({ donor, hurdle: why }) => [
    { name: `turned away: ${why}`, test: final => find(final.donors, donor)?.hurdle === why },
  ],
  allow: ({ donor }) => [`/donors/${donor}/hurdle`],
});
const again = template('welcome-donor-back', {
  about: 'Make sure a donor may give; maybe nothing is in the way.',
  split: 'train',
  kind: 'already-done',
  sample({ donors }, random) {
    const giver = random.pick(donors);
    return { donor: giver.id, name: giver.name, hurdle: random.pick(hurdles), change: random.chance(0.5) };
  },
  isTwin: ({ change }) => change,
  setup(draft, { donor, hurdle: why, change }) {
    need(draft.donors, donor, 'donor').hurdle = change ? why : '';
  },
  instruction: ({ name }, random) =>
    random.pick([
      `${name} is fit. Make sure nothing on the card stands against giving.`,
      `The doctor cleared ${name}; if they are still turned away, lift that.`,
      `${name} should be allowed to give. Check it, please.`,
    ]),
  checks: ({ donor }) => [{ name: 'the donor may give', test: final => find(final.donors, donor)?.hurdle === '' }],
  allow: ({ donor }) => [`/donors/${donor}/hurdle`],
  shown: ({ ui }, { donor }) => ui.donor === donor,
});
const phone = template('phone-of-couch', {
  about: 'Tell the telephone of whoever has a couch.',
  split: 'train',
  sample({ donors, couches }, random) {
    const place = random.pick(couches.filter(({ donor }) => donor !== ''));
    return { slot: slotOf(place), donor: place.donor, phone: need(donors, place.donor, 'donor').phone };
  },
  instruction: ({ slot }, random) =>
    random.pick([
      `Which number do I ring to reach the donor of ${slot}?`,
      `Somebody left a scarf on ${slot}. What is that donor's telephone number?`,
      `Telephone, ${slot}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ phone: number }) => number,
  shown: ({ ui }, { donor }) => ui.donor === donor && !ui.turningAway,
});
const cards = template('cards-to-group', {
  about: 'Send a card to every donor of a group who may give and has none.',
  split: 'train',
  sample({ donors }, random) {
    const group = random.pick(groups);
    const ids = donors.filter(each => each.group === group && each.hurdle === '' && !each.invited).map(({ id }) => id);
    return ids.length < 2 || ids.length > 4 ? null : { group, ids };
  },
  instruction: ({ group }, random) =>
    random.pick([
      `Send a card to everybody with ${group} who may give and has not had one.`,
      `We run short of ${group}. All donors of that group get a card, except those who are turned away or have theirs already.`,
      `Cards for ${group}, whoever may give.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} has a card`, test: (final: Drive) => find(final.donors, id)?.invited === true })),
  allow: ({ ids }) => ids.map(id => `/donors/${id}/invited`),
});

const first = ['Alma', 'Almut', 'Bert', 'Berta', 'Cleo', 'Dora', 'Edda', 'Ezra'];
const last = ['Winter', 'Winters', 'Abel', 'Abeln', 'Moss'];

export const app = defineApp({
  id: 'blood-drive',
  title: 'Blood drive at the town hall',
  about: 'Donors, couches and the fridge of a blood donation drive.',
  state,
  init(random): Drive {
    const donors = random.shuffle(first.flatMap(a => last.map(b => `${a} ${b}`))).map((name, index) => ({
      id: `d${index + 1}`,
      name,
      group: groups[index % groups.length] as string,
      weeks: random.between(2, 40),
      phone: `0${random.between(310, 399)} ${random.between(1000, 9999)}`,
      hurdle: random.chance(0.25) ? random.pick(hurdles) : '',
      invited: random.chance(0.3),
    }));
    return {
      donors,
      couches: evenings
        .flatMap(on => times.flatMap(time => ['Red couch', 'Blue couch', 'Cot'].map(couch => ({ on, time, couch }))))
        .map(({ on, time, couch }, index) => ({
          id: `c${index + 1}`,
          evening: on,
          time,
          couch,
          donor: random.chance(0.55) ? random.pick(donors).id : '',
        })),
      fridge: groups.map((group, index) => ({
        id: `g${index + 1}`,
        group,
        bags: random.between(0, 40),
        appeal: random.chance(0.3),
      })),
      ui: {
        part: 'couches',
        evening: 'Tuesday',
        couch: null,
        donor: null,
        group: 'any',
        needle: '',
        turningAway: false,
        hurdle: '',
        hint: '',
      },
    };
  },
  commands: [
    lay,
    getUp,
    turnAway,
    welcome,
    invite,
    appeal,
    seekDonors,
    couchPlan,
    walk,
    evening,
    openCouch,
    openDonor,
    seek,
    ofGroup,
    consider,
    chooseHurdle,
  ],
  view: drive =>
    page('Blood drive', [
      toolbar('Hall', [
        button('Couches', walk.with({ part: 'couches' })),
        button('Donors', walk.with({ part: 'donors' })),
        button('Fridge', walk.with({ part: 'fridge' })),
      ]),
      drive.ui.hint !== '' && status(drive.ui.hint),
      drive.ui.part === 'couches' && grid(drive),
      drive.ui.part === 'donors' && people(drive),
      drive.ui.part === 'fridge' &&
        table(
          'Fridge',
          drive.fridge.map(({ id, group, bags, appeal: on }) =>
            row(group, [cell(`${bags} bags`), switchButton(`Appeal for ${group}`, on, appeal.with({ id, on: !on }))]),
          ),
        ),
    ]),
  templates: [book, free, hurdle, again, phone, cards],
  onRefusal(draft, message) {
    draft.ui.hint = message;
  },
});
