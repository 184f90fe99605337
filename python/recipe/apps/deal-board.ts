// A sales pipeline: a board with a column for each stage, a sheet for each deal, the team and a dialog for new deals.
import {
  added,
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
} from 'espalier';
import {
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  switchButton,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const stages = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won'] as const;
const deal = z.object({
  id: z.string(),
  company: z.string(),
  value: z.int(),
  stage: z.enum(stages),
  owner: z.string(),
  hot: z.boolean(),
});
const state = z.object({
  deals: z.array(deal),
  reps: z.array(z.object({ id: z.string(), name: z.string(), territory: z.string(), extension: z.string() })),
  ui: z.object({
    screen: z.enum(['board', 'team', 'new']),
    open: z.string(),
    company: z.string(),
    amount: z.string(),
    notice: z.string(),
  }),
});
type Pipeline = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const moveDeal = command('move_deal', {
  about: 'Move a deal to another stage.',
  input: z.object({ id: z.string(), stage: z.enum(stages) }),
  run: (draft, { id, stage }) => void Object.assign(need(draft.deals, id, 'deal'), { stage }),
});
const assign = command('assign_deal', {
  about: 'Give a deal to a sales rep.',
  input: z.object({ id: z.string(), value: z.string() }),
  run: (draft, { id, value }) => void Object.assign(need(draft.deals, id, 'deal'), { owner: value }),
});
const flag = command('flag_deal', {
  about: 'Mark a deal as hot, or take the mark away.',
  input: z.object({ id: z.string(), hot: z.boolean() }),
  run: (draft, { id, hot }) => void Object.assign(need(draft.deals, id, 'deal'), { hot }),
});
const create = command('create_deal', {
  about: 'Put a new lead on the board.',
  input: z.object({ company: z.string().trim().min(1, 'which company?'), amount: z.string() }),
  run(draft, { company, amount }) {
    if (!/^\d+$/.test(amount)) refuse('The amount is a whole number.');
    const made = { company, value: Number(amount), stage: 'Lead' as const, owner: 'nobody', hot: false };
    draft.deals.push({ id: nextId(draft.deals, 'd'), ...made });
    draft.ui = { screen: 'board', open: '', company: '', amount: '', notice: `${company} is on the board.` };
  },
});
const listDeals = query('list_deals', { about: 'List all deals.', input: z.object({}), run: ({ deals }) => deals });
const show = gesture('show', {
  about: 'Go to a screen.',
  input: z.object({ screen: z.enum(['board', 'team', 'new']), open: z.string() }),
  run: (draft, { screen, open }) => void Object.assign(draft.ui, { screen, open, notice: '' }),
});
const type = gesture('type_text', {
  about: 'Type into a field.',
  input: z.object({ field: z.enum(['company', 'amount']), value: z.string().max(60) }),
  run: (draft, { field, value }) => void Object.assign(draft.ui, { [field]: value }),
});

const board = ({ deals }: Pipeline) =>
  stages.map(stage => {
    const cards = deals.filter(it => it.stage === stage);
    return region(`${stage} (${cards.length})`, [
      list(
        stage,
        cards.map(({ id, company, hot }) =>
          listItem(company, [
            link(company, show.with({ screen: 'board', open: id })),
            switchButton(`Hot: ${company}`, hot, flag.with({ id, hot: !hot })),
          ]),
        ),
      ),
    ]);
  });

const sheet = ({ reps }: Pipeline, { id, company, value, stage, owner }: z.infer<typeof deal>) =>
  region('Deal sheet', [
    link('Close sheet', show.with({ screen: 'board', open: '' })),
    heading(company),
    text(`Worth: ${value} EUR`),
    status(`Stage: ${stage}`),
    combobox('Rep in charge', owner, { enter: assign.entering({ id }), options: reps.map(({ name }) => name) }),
    ...stages.filter(it => it !== stage).map(it => button(`Move to ${it}`, moveDeal.with({ id, stage: it }))),
  ]);

const team = ({ reps }: Pipeline) =>
  table(
    'Who covers what',
    reps.map(({ name, territory, extension }) =>
      row(name, [cell(name), cell(`covers ${territory}`), cell(`ext. ${extension}`)]),
    ),
  );

const first = 'Alder Birk Cobalt Dunmore Evergreen Falke Granit Hollin Ister Juno Kestrel'.split(' ');
const last = 'Foods Logistics Optics Textiles Marine Print'.split(' ');
const people = 'Mara Lindt|Joel Braga|Sunniva Dahl|Piotr Zielak|Amira Nasser|Gus Tolland'.split('|');
const territories = 'Scandinavia|the Alps|Iberia|the Baltics|the British Isles|Benelux'.split('|');
const newcomers = 'Nordlicht Cables|Tamarind Press|Quill and Sons|Orchard Robotics|Pelican Tiles|Vantage Bikes'.split(
  '|',
);
const say = (turn: number, ...forms: string[]): string => forms[turn % forms.length] ?? '';

const advance = template('move-deal', {
  about: 'Move a named deal to a stage.',
  split: 'train',
  sample({ deals }, random) {
    const { id, company, stage } = random.pick(deals);
    return { id, company, to: random.pick(stages.filter(it => it !== stage)), turn: random.between(0, 6) };
  },
  instruction: ({ company, to, turn }) =>
    say(
      turn,
      `Move ${company} to ${to}.`,
      `${company} → ${to}`,
      `I just got off the phone with ${company}, they belong in the ${to} column now. Could you fix the board?`,
      `Please put the ${company} deal into the stage "${to}".`,
      `Our board is out of date: ${company} is really at ${to}.`,
      `Since this morning ${company} counts as ${to}; make the pipeline say so.`,
      `Could somebody drag ${company} over to ${to}? Thanks!`,
    ),
  checks: ({ id, company, to }) => [{ name: `${company} is at ${to}`, test: end => find(end.deals, id)?.stage === to }],
  allow: ({ id }) => [`/deals/${id}/stage`],
});

const byTerritory = template('assign-by-territory', {
  about: 'Give a deal to the rep that covers a territory.',
  split: 'train',
  sample({ deals, reps }, random) {
    const { id, company } = random.pick(deals);
    const { name, territory } = random.pick(reps);
    return { id, company, name, territory, turn: random.between(0, 5) };
  },
  setup(draft, { id, name }) {
    const other = draft.reps.find(it => it.name !== name);
    if (other !== undefined) need(draft.deals, id, 'deal').owner = other.name;
  },
  instruction: ({ company, territory, turn }) =>
    say(
      turn,
      `Give ${company} to whoever covers ${territory}.`,
      `${company} moved their head office, so the rep for ${territory} should take the deal over.`,
      `Please look up in the team list who does ${territory} and put them in charge of ${company}.`,
      `Reassign ${company}: rep of ${territory}`,
      `Who covers ${territory}? That person gets the ${company} deal from now on.`,
      `It makes more sense if ${company} is looked after by our colleague for ${territory}. Change that for me?`,
    ),
  checks: ({ id, company, name }) => [
    { name: `${name} has ${company}`, test: end => find(end.deals, id)?.owner === name },
  ],
  allow: ({ id }) => [`/deals/${id}/owner`],
});

const worth = template('deal-worth', {
  about: 'Say what a deal is worth.',
  split: 'train',
  sample({ deals }, random) {
    const { id, company } = random.pick(deals);
    return { id, company, turn: random.between(0, 5) };
  },
  instruction: ({ company, turn }) =>
    say(
      turn,
      `How much is the ${company} deal worth?`,
      `${company}: value in EUR?`,
      `I need a number for my forecast: what are we hoping to get from ${company}?`,
      `Could you tell me the amount on the sheet of ${company}, please?`,
      `What would we earn if ${company} signed? Just the figure.`,
      `Before I call ${company} I want to know how big the deal is, in euros.`,
    ),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { deals }) => String(need(deals, id, 'deal').value),
  shown: ({ ui }, { id }) => ui.open === id,
});

const newLead = template('new-lead', {
  about: 'Add a lead with a company and an amount.',
  split: 'train',
  sample: (_, random) => ({
    company: random.pick(newcomers),
    amount: String(random.between(20, 400) * 50),
    turn: random.between(0, 5),
  }),
  instruction: ({ company, amount, turn }) =>
    say(
      turn,
      `New lead: ${company}, ${amount} EUR.`,
      `Please add ${company} to the pipeline with an amount of ${amount}.`,
      `Met the people of ${company} at the fair, they would spend about ${amount}. Put them on the board?`,
      `Create a deal for ${company} worth ${amount}.`,
      `We have ${amount} euros to win at ${company}, but the board knows nothing of it yet. Enter it.`,
      `So that I don't forget: ${company} wants an offer, ${amount} all in. Make a card for it.`,
    ),
  checks: ({ company, amount }) => [
    {
      name: `one new lead, ${company} for ${amount}`,
      test(end, start) {
        const [made, ...more] = added(start.deals, end.deals);
        if (made === undefined || more.length > 0 || made.stage !== 'Lead' || made.owner !== 'nobody') return false;
        return made.company === company && made.value === Number(amount) && !made.hot;
      },
    },
  ],
  allow: () => ['/deals/+'],
});

const hotAndWon = template('flag-one-win-other', {
  about: 'Mark one deal as hot and move another to Won.',
  split: 'train',
  sample({ deals }, random) {
    const [one, two] = random.sample(
      deals.filter(it => !it.hot && it.stage !== 'Won'),
      2,
    );
    if (one === undefined || two === undefined) return null;
    return { one: one.id, hot: one.company, two: two.id, won: two.company, turn: random.between(0, 5) };
  },
  instruction: ({ hot, won, turn }) =>
    say(
      turn,
      `Flag ${hot} as hot, and move ${won} to Won.`,
      `${won} signed! Put it under Won. And ${hot} is getting warm, switch its hot mark on.`,
      `Two things: ${hot} is hot now; ${won} is won.`,
      `Please mark ${hot} as a hot deal. Also, the contract with ${won} came back, so that one goes to Won.`,
      `Won: ${won}. Hot: ${hot}. Update the board.`,
      `Could you set ${won} to Won and turn on "Hot" for ${hot}?`,
    ),
  checks: ({ one, two }) => [
    { name: 'the first is hot', test: end => find(end.deals, one)?.hot === true },
    { name: 'the second is won', test: end => find(end.deals, two)?.stage === 'Won' },
  ],
  allow: ({ one, two }) => [`/deals/${one}/hot`, `/deals/${two}/stage`],
});

export const app = defineApp({
  id: 'deal-board',
  title: 'Deal board',
  about: 'The sales pipeline of a small firm.',
  state,
  init: random => ({
    deals: random
      .sample(
        first.flatMap(a => last.map(b => `${a} ${b}`)),
        16,
      )
      .map((company, at) => ({
        id: `d${at + 1}`,
        company,
        value: random.between(30, 900) * 100,
        stage: random.pick(stages),
        owner: random.pick(people.slice(0, 6)),
        hot: random.chance(0.2),
      })),
    reps: random.shuffle(territories).map((territory, at) => ({
      id: `r${at + 1}`,
      name: people[at] ?? '',
      territory,
      extension: String(random.between(200, 899)),
    })),
    ui: { screen: 'board' as const, open: '', company: '', amount: '', notice: '' },
  }),
  commands: [moveDeal, assign, flag, create, listDeals, show, type],
  view(it) {
    const opened = find(it.deals, it.ui.open);
    if (it.ui.screen === 'new')
      return page('Deal board', [
        dialog('New deal', [
          it.ui.notice !== '' && status(it.ui.notice),
          textbox('Company', it.ui.company, { enter: type.entering({ field: 'company' }) }),
          textbox('Amount in EUR', it.ui.amount, { enter: type.entering({ field: 'amount' }) }),
          button('Put on board', create.with({ company: it.ui.company, amount: it.ui.amount })),
          button('Cancel', show.with({ screen: 'board', open: '' })),
        ]),
      ]);
    return page('Deal board', [
      navigation('Views', [
        link('Pipeline', show.with({ screen: 'board', open: '' })),
        link('Team', show.with({ screen: 'team', open: '' })),
        button('New deal', show.with({ screen: 'new', open: '' })),
      ]),
      it.ui.notice !== '' && status(it.ui.notice),
      ...(it.ui.screen === 'team' ? [team(it)] : opened === undefined ? board(it) : [sheet(it, opened)]),
    ]);
  },
  templates: [advance, byTerritory, worth, newLead, hotAndWon],
  onRefusal(draft, message) {
    draft.ui.notice = message;
  },
});
