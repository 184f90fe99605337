import {
  added,
  alert,
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
  listItem,
  need,
  nextId,
  page,
  paginate,
  refuse,
  region,
  remove,
  row,
  status,
  switchButton,
  tab,
  table,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const lines = ['Keeper', 'Defender', 'Midfielder', 'Striker'] as const;
const clubs = ['Harrow Rovers', 'Harwick Town', 'Saltash', 'Saltburn City', 'Kirkby Vale'];
const rivals = ['Toby', 'Tobias', 'Yara', 'Big Sal', 'Mina'];

const state = z.object({
  men: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      club: z.string(),
      line: z.enum(lines),
      price: z.int(),
      points: z.int(),
      owner: z.string(),
      onPitch: z.boolean(),
    }),
  ),
  offers: z.array(z.object({ id: z.string(), man: z.string(), money: z.int(), note: z.string() })),
  team: z.object({
    purse: z.int(),
    captain: z.string(),
    autoSubs: z.boolean(),
    whistle: z.boolean(),
    openBook: z.boolean(),
  }),
  ui: z.object({
    tab: z.enum(['pitch', 'market', 'offers', 'league', 'office']),
    line: z.string(),
    needle: z.string(),
    leaf: z.int(),
    man: z.string().nullable(),
    bid: z.object({ money: z.string(), note: z.string() }),
    buying: z.boolean(),
    shout: z.string(),
  }),
});
type League = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const onMan = z.object({ id: z.string() });

const armband = command('give_armband', {
  about: 'Make one of your players captain.',
  input: onMan,
  run(draft, { id }) {
    const man = need(draft.men, id, 'player');
    if (man.owner !== 'you' || !man.onPitch) refuse('The captain must be on your pitch.');
    draft.team.captain = id;
  },
});
const field = command('field_player', {
  about: 'Put one of your players on the pitch or on the bench.',
  input: z.object({ id: z.string(), onPitch: z.boolean() }),
  run(draft, { id, onPitch }) {
    const man = need(draft.men, id, 'player');
    if (man.owner !== 'you') refuse(`${man.name} is not yours.`);
    if (draft.team.captain === id && !onPitch) refuse('The captain cannot sit on the bench.');
    man.onPitch = onPitch;
  },
});
const buy = command('buy_player', {
  about: 'Buy a free player for the listed price.',
  input: onMan,
  run(draft, { id }) {
    const man = need(draft.men, id, 'player');
    if (man.owner !== 'free') refuse(`${man.name} is under contract.`);
    if (man.price > draft.team.purse)
      refuse(`${man.name} costs ${man.price} coins; the purse holds ${draft.team.purse}.`);
    draft.team.purse -= man.price;
    man.owner = 'you';
    man.onPitch = false;
    draft.ui.buying = false;
  },
});
const offer = command('make_offer', {
  about: 'Offer coins to the owner of a player.',
  input: z.object({ man: z.string(), money: z.string(), note: z.string() }),
  run(draft, { man, money, note }) {
    const wanted = need(draft.men, man, 'player');
    if (wanted.owner === 'you' || wanted.owner === 'free') refuse('There is nobody to make an offer to.');
    if (!/^[1-9]\d{0,3}$/.test(money)) refuse('How many coins?');
    draft.offers.push({ id: nextId(draft.offers, 'o'), man, money: Number(money), note });
    draft.ui.bid = { money: '', note: '' };
  },
});
const withdraw = command('withdraw_offer', {
  about: 'Withdraw an offer.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    need(draft.offers, id, 'offer');
    remove(draft.offers, id);
  },
});
const setOffice = command('set_switch', {
  about: 'Turn a rule of your team on or off.',
  input: z.object({ rule: z.enum(['autoSubs', 'whistle', 'openBook']), on: z.boolean() }),
  run(draft, { rule, on }) {
    draft.team[rule] = on;
  },
});
const scout = query('scout', {
  about: 'Players whose name or club contains a text.',
  input: z.object({ text: z.string() }),
  run: ({ men }, input) =>
    men.filter(({ name, club }) => `${name} ${club}`.toLowerCase().includes(input.text.toLowerCase())),
});
const myTeam = query('my_team', {
  about: 'Your team and its offers.',
  input: z.object({}),
  run: ({ team, offers }) => ({ team, offers }),
});
const go = gesture('go', {
  about: 'Go to a tab.',
  input: z.object({ tab: z.enum(['pitch', 'market', 'offers', 'league', 'office']) }),
  run(draft, input) {
    Object.assign(draft.ui, { tab: input.tab, man: null, buying: false, shout: '', leaf: 1 });
  },
});
const sift = gesture('sift', {
  about: 'Narrow the market down.',
  input: z.object({ by: z.enum(['line', 'needle']), value: z.string().max(40) }),
  run(draft, { by, value }) {
    draft.ui[by] = value;
    draft.ui.leaf = 1;
  },
});
const flip = gesture('flip', {
  about: 'Flip to a leaf of the market.',
  input: z.object({ leaf: z.int() }),
  run(draft, { leaf }) {
    draft.ui.leaf = leaf;
  },
});
const openMan = gesture('open_player', {
  about: 'Open the sheet of a player.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { man: id, buying: false, shout: '', bid: { money: '', note: '' } });
  },
});
const thinkBuy = gesture('think_buy', {
  about: 'Open or close the contract.',
  input: z.object({ buying: z.boolean() }),
  run(draft, { buying }) {
    draft.ui.buying = buying;
  },
});
const writeBid = gesture('write_bid', {
  about: 'Fill in an offer.',
  input: z.object({ part: z.enum(['money', 'note']), value: z.string().max(80) }),
  run(draft, { part, value }) {
    draft.ui.bid[part] = value;
  },
});

function manSheet({ team, ui }: League, man: League['men'][number]) {
  const { id, name, club, line, price, points, owner, onPitch } = man;
  if (ui.buying)
    return dialog(`Contract for ${name}`, [
      text(`Price ${price} coins, purse ${team.purse} coins`),
      button('Sign', buy.with({ id })),
      button('Walk away', thinkBuy.with({ buying: false })),
    ]);
  return region(name, [
    heading(name),
    text(`${line}, ${club}`),
    text(`${points} points, listed at ${price} coins`),
    status(owner === 'you' ? 'Yours' : owner === 'free' ? 'Free agent' : `Owned by ${owner}`),
    owner === 'free' && button('Sign up…', thinkBuy.with({ buying: true })),
    owner === 'you' && button(onPitch ? 'To the bench' : 'Onto the pitch', field.with({ id, onPitch: !onPitch })),
    owner === 'you' && onPitch && team.captain !== id && button('Hand over the armband', armband.with({ id })),
    owner !== 'you' &&
      owner !== 'free' &&
      textbox('Coins', ui.bid.money, { enter: writeBid.entering({ part: 'money' }) }),
    owner !== 'you' &&
      owner !== 'free' &&
      textbox('Sweet words', ui.bid.note, { enter: writeBid.entering({ part: 'note' }) }),
    owner !== 'you' && owner !== 'free' && button(`Slip it to ${owner}`, offer.with({ man: id, ...ui.bid })),
  ]);
}
function pitch({ men, team }: League) {
  const mine = men.filter(({ owner }) => owner === 'you');
  const named = ({ id, name, club }: League['men'][number]) =>
    link(`${name} (${club})${id === team.captain ? ', captain' : ''}`, openMan.with({ id }));
  return region('Match day', [
    ...lines.map(line => list(`${line}s`, mine.filter(man => man.onPitch && man.line === line).map(named))),
    list(
      'Bench',
      mine.filter(({ onPitch }) => !onPitch).map(man => listItem(man.line, [named(man)])),
    ),
  ]);
}
function market({ men, ui }: League) {
  const lower = ui.needle.toLowerCase();
  const fitting = men.filter(
    ({ owner, line, name, club }) =>
      owner !== 'you' &&
      (ui.line === 'Any line' || line === ui.line) &&
      `${name} ${club}`.toLowerCase().includes(lower),
  );
  const shown = paginate(fitting, ui.leaf, 8);
  return region('Market', [
    toolbar('Sieve', [
      combobox('Line', ui.line, { enter: sift.entering({ by: 'line' }), options: ['Any line', ...lines] }),
      textbox('Player or club', ui.needle, { enter: sift.entering({ by: 'needle' }) }),
    ]),
    table(
      `${shown.total} players`,
      shown.items.map(({ id, name, club, line, price, points, owner }) =>
        row(name, [
          link(`${name} (${club})`, openMan.with({ id })),
          cell(line),
          cell(`${price} coins`),
          cell(`${points} points`),
          cell(owner === 'free' ? 'free' : `with ${owner}`),
        ]),
      ),
    ),
    shown.page > 1 && button('Flip back', flip.with({ leaf: shown.page - 1 })),
    shown.page < shown.pages && button('Flip on', flip.with({ leaf: shown.page + 1 })),
  ]);
}

const tell = (man: { name: string; club: string }) => `${man.name} (${man.club})`;
const captain = template('new-captain', {
  about: 'Hand the armband to a player on the pitch.',
  split: 'train',
  sample({ men, team }, random) {
    const man = random.pick(men.filter(({ owner, onPitch, id }) => owner === 'you' && onPitch && id !== team.captain));
    return { id: man.id, who: tell(man) };
  },
  instruction: ({ who }, random) =>
    random.pick([
      `Captain: ${who}.`,
      `I have a feeling about ${who} this weekend, so that one wears the armband.`,
      `Change the captain of my team to ${who}, please.`,
    ]),
  checks: ({ id, who }) => [{ name: `${who} is captain`, test: final => final.team.captain === id }],
  allow: () => ['/team/captain'],
});
const substitute = template('substitute', {
  about: 'Bench one player and field another.',
  split: 'train',
  sample({ men, team }, random) {
    const mine = men.filter(({ owner }) => owner === 'you');
    const off = random.pick(mine.filter(({ onPitch, id }) => onPitch && id !== team.captain));
    const bench = mine.filter(({ onPitch }) => !onPitch);
    if (bench.length === 0) return null;
    const on = random.pick(bench);
    return { off: off.id, on: on.id, offName: tell(off), onName: tell(on) };
  },
  instruction: ({ offName, onName }, random) =>
    random.pick([
      `${offName} off, ${onName} on.`,
      `${offName} twisted an ankle. Bench that one and let ${onName} play.`,
      `Swap ${offName} for ${onName} in my line-up.`,
    ]),
  checks: ({ off, on, offName, onName }) => [
    { name: `${offName} is on the bench`, test: final => find(final.men, off)?.onPitch === false },
    { name: `${onName} plays`, test: final => find(final.men, on)?.onPitch === true },
  ],
  allow: ({ off, on }) => [`/men/${off}/onPitch`, `/men/${on}/onPitch`],
});
const signing = template('sign-free-agent', {
  about: 'Sign a free agent, if the purse allows it.',
  split: 'train',
  kind: 'infeasible',
  sample({ men }, random) {
    const man = random.pick(men.filter(({ owner }) => owner === 'free'));
    const rich = random.chance(0.5);
    return {
      id: man.id,
      who: tell(man),
      rich,
      purse: rich ? man.price + random.between(0, 30) : man.price - random.between(1, 9),
      price: man.price,
    };
  },
  isTwin: ({ rich }) => rich,
  setup(draft, { purse }) {
    draft.team.purse = purse;
  },
  instruction: ({ who }, random) =>
    random.pick([
      `Sign ${who}.`,
      `${who} is a free agent, isn't that great? Get that contract done for me.`,
      `Buy ${who} before Toby does. Pay what is listed.`,
    ]),
  checks: ({ id, purse, price }) => [
    { name: 'the player is yours', test: final => find(final.men, id)?.owner === 'you' },
    { name: 'the price was paid', test: final => final.team.purse === purse - price },
  ],
  allow: ({ id }) => [`/men/${id}/owner`, '/team/purse'],
  shown: ({ ui }, { id }) => ui.man === id && (ui.buying || ui.shout !== ''),
});
const bargain = template('cheapest-on-line', {
  about: 'Sign the cheapest free agent of a line.',
  split: 'train',
  sample({ men }, random) {
    const line = random.pick(lines);
    const [first, second] = men
      .filter(man => man.owner === 'free' && man.line === line)
      .sort((a, b) => a.price - b.price);
    if (first === undefined || second === undefined || first.price === second.price) return null;
    return { id: first.id, line, price: first.price };
  },
  setup(draft) {
    draft.team.purse = 95;
  },
  instruction: ({ line }, random) =>
    random.pick([
      `We need one more ${line}. Take the cheapest free agent.`,
      `Sign whichever free ${line} costs the fewest coins.`,
      `A ${line} for little money, please: the lowest price among those without an owner.`,
    ]),
  checks: ({ id, price }) => [
    { name: 'the player is yours', test: final => find(final.men, id)?.owner === 'you' },
    { name: 'the price was paid', test: final => final.team.purse === 95 - price },
  ],
  allow: ({ id }) => [`/men/${id}/owner`, '/team/purse'],
});
const notes = ['pretty please', 'final offer', 'for old times', 'plus a pizza'];
const bidFor = template('make-offer', {
  about: 'Offer coins for a player of a rival.',
  split: 'train',
  sample({ men }, random) {
    const man = random.pick(men.filter(({ owner }) => rivals.includes(owner)));
    return { id: man.id, who: tell(man), money: `${random.between(20, 180)}`, note: random.pick(notes) };
  },
  instruction: ({ who, money, note }, random) =>
    random.pick([
      `Offer ${money} coins for ${who} and add "${note}".`,
      `I want ${who}. Try it with ${money} coins, and the sweet words "${note}".`,
      `Bid: ${who}, ${money}, "${note}"`,
    ]),
  checks: ({ id, money, note }) => [
    {
      name: 'one offer was made, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.offers, final.offers);
        return more.length === 0 && made?.man === id && made.money === Number(money) && made.note === note;
      },
    },
  ],
  allow: () => ['/offers/+'],
});
const pullOut = template('withdraw-offers-over', {
  about: 'Withdraw every offer above a sum.',
  split: 'train',
  sample({ offers }, random) {
    const limit = random.pick([90, 110, 120, 135, 150]);
    const ids = offers.filter(({ money }) => money > limit).map(({ id }) => id);
    return ids.length < 1 || ids.length > 3 ? null : { limit, ids };
  },
  instruction: ({ limit }, random) =>
    random.pick([
      `Withdraw all my offers above ${limit} coins.`,
      `I was too generous. Whatever I offered for more than ${limit} coins, take it back.`,
      `No offer of mine may be over ${limit}. Cancel those that are.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is withdrawn`, test: (final: League) => find(final.offers, id) === undefined })),
  allow: ({ ids }) => ids.map(id => `/offers/${id}`),
});
const owner = template('owner-of-top-scorer', {
  about: 'Name the owner of the best striker of a club.',
  split: 'train',
  sample({ men }, random) {
    const club = random.pick(clubs);
    const [first, second] = men
      .filter(man => man.club === club && man.owner !== 'you')
      .sort((a, b) => b.points - a.points);
    if (first === undefined || second === undefined || first.points === second.points || first.owner === 'free')
      return null;
    return { club, id: first.id, owner: first.owner };
  },
  instruction: ({ club }, random) =>
    random.pick([
      `My own players aside, who owns the player of ${club} with the most points?`,
      `Look at the market: which manager has the best scorer of ${club}?`,
      `${club}: most points on the market, whose is it?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ owner: name }) => name,
  shown: ({ ui }, { club, id }) =>
    ui.man === id || (ui.tab === 'market' && ui.man === null && ui.needle === club && ui.leaf === 1),
});
const rules = {
  autoSubs: 'Automatic substitutions',
  whistle: 'Wake me at kick-off',
  openBook: 'Rivals may see my purse',
} as const;
const rule = template('rule-of-team', {
  about: 'Turn a rule of the team on or off; it may be so already.',
  split: 'train',
  kind: 'already-done',
  sample: (_, random) => ({
    rule: random.pick(['autoSubs', 'whistle', 'openBook'] as const),
    on: random.chance(0.5),
    change: random.chance(0.5),
  }),
  isTwin: ({ change }) => change,
  setup(draft, { rule: which, on, change }) {
    draft.team[which] = change ? !on : on;
  },
  instruction: ({ rule: which, on }, random) =>
    random.pick([
      `"${rules[which]}" should be ${on ? 'on' : 'off'}.`,
      `Look into the office and see to it that "${rules[which]}" is switched ${on ? 'on' : 'off'}.`,
      `I am not sure about my settings. ${rules[which]}: I want that ${on ? 'on' : 'off'}.`,
    ]),
  checks: ({ rule: which, on }) => [{ name: `${which} is ${on}`, test: final => final.team[which] === on }],
  allow: ({ rule: which }) => [`/team/${which}`],
  shown: ({ ui }) => ui.tab === 'office',
});

const first = ['Ade', 'Ben', 'Cai', 'Dag', 'Eli', 'Fin', 'Gil', 'Huw', 'Ian', 'Jem'];
const last = ['Nolan', 'Noland', 'Ruiz', 'Ruis', 'Stone'];

export const app = defineApp({
  id: 'fantasy-football',
  title: 'Sunday Gaffer',
  about: 'A fantasy football league: your team, the market and your offers.',
  state,
  init(random): League {
    const names = random.shuffle(first.flatMap(a => last.map(b => `${a} ${b}`))).slice(0, 50);
    const men = names.map((name, index) => ({
      id: `m${index + 1}`,
      name,
      club: random.pick(clubs),
      line: lines[index % 4] as (typeof lines)[number],
      price: random.between(20, 90),
      points: random.between(4, 140),
      owner: index < 18 ? 'you' : random.chance(0.4) ? 'free' : random.pick(rivals),
      onPitch: index < 13,
    }));
    return {
      men,
      offers: random
        .sample(
          men.filter(({ owner: of }) => rivals.includes(of)),
          8,
        )
        .map(({ id }, index) => ({
          id: `o${index + 1}`,
          man: id,
          money: random.between(30, 180),
          note: random.pick(notes),
        })),
      team: {
        purse: random.between(20, 60),
        captain: `m${random.between(1, 13)}`,
        autoSubs: random.chance(0.5),
        whistle: random.chance(0.5),
        openBook: random.chance(0.5),
      },
      ui: {
        tab: 'pitch',
        line: 'Any line',
        needle: '',
        leaf: 1,
        man: null,
        bid: { money: '', note: '' },
        buying: false,
        shout: '',
      },
    };
  },
  commands: [
    armband,
    field,
    buy,
    offer,
    withdraw,
    setOffice,
    scout,
    myTeam,
    go,
    sift,
    flip,
    openMan,
    thinkBuy,
    writeBid,
  ],
  view(league) {
    const { men, offers, team, ui } = league;
    const man = find(men, ui.man ?? '');
    const tabs = {
      pitch: 'Match day',
      market: 'Market',
      offers: 'My offers',
      league: 'Standings',
      office: 'Office',
    } as const;
    return page('Sunday Gaffer', [
      toolbar(
        'Tabs',
        (['pitch', 'market', 'offers', 'league', 'office'] as const).map(each =>
          tab(tabs[each], go.with({ tab: each }), each === ui.tab ? ['selected'] : undefined),
        ),
      ),
      ui.shout !== '' && alert(ui.shout),
      man !== undefined && manSheet(league, man),
      man === undefined && ui.tab === 'pitch' && pitch(league),
      man === undefined && ui.tab === 'market' && market(league),
      man === undefined &&
        ui.tab === 'offers' &&
        table(
          'Offers on the table',
          offers.map(({ id, man: whom, money, note }) => {
            const { name, owner: of } = need(men, whom, 'player');
            return row(name, [
              cell(`${money} coins to ${of}`),
              cell(note),
              button(`Take back ${name}`, withdraw.with({ id })),
            ]);
          }),
          { shuffle: true },
        ),
      man === undefined &&
        ui.tab === 'league' &&
        list(
          'Standings',
          ['you', ...rivals].map(name =>
            text(
              `${name}: ${men.filter(each => each.owner === name).reduce((sum, each) => sum + each.points, 0)} points`,
            ),
          ),
        ),
      man === undefined &&
        ui.tab === 'office' &&
        region('Office', [
          text(`Purse: ${team.purse} coins`),
          ...(['autoSubs', 'whistle', 'openBook'] as const).map(each =>
            switchButton(rules[each], team[each], setOffice.with({ rule: each, on: !team[each] })),
          ),
        ]),
    ]);
  },
  templates: [captain, substitute, signing, bargain, bidFor, pullOut, owner, rule],
  onRefusal(draft, message) {
    draft.ui.shout = message;
  },
});
