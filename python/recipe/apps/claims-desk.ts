import {
  added,
  alert,
  appKit,
  banner,
  button,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  need,
  nextId,
  page,
  paginate,
  radio,
  refuse,
  region,
  remove,
  searchBox,
  status,
  text,
  textbox,
  toolbar,
  z,
} from 'espalier';

const perils = ['Burst pipe', 'Storm', 'Burglary', 'Kitchen fire', 'Broken glass', 'Hail'];
const stands = ['Open', 'Settled', 'Declined'] as const;
const adjusters = ['Unassigned', 'M. Thorne', 'M. Thornton', 'B. Quist', 'A. Delacroix', 'R. Iyer'];
const grounds = ['Not covered', 'Reported too late', 'Below the excess', 'Wear and tear'];

const state = z.object({
  claims: z.array(
    z.object({
      id: z.string(),
      ref: z.string(),
      insured: z.string(),
      peril: z.string(),
      euros: z.int(),
      stand: z.enum(stands),
      ground: z.string(),
      adjuster: z.string(),
      policy: z.string(),
      urgent: z.boolean(),
    }),
  ),
  policies: z.array(
    z.object({ id: z.string(), code: z.string(), excess: z.int(), lapsed: z.boolean(), broker: z.string() }),
  ),
  letters: z.array(z.object({ id: z.string(), claim: z.string(), by: z.string(), body: z.string() })),
  drafts: z.array(z.object({ id: z.string(), claim: z.string(), body: z.string() })),
  ui: z.object({
    needle: z.string(),
    stand: z.string(),
    sheet: z.int(),
    claim: z.string().nullable(),
    policy: z.string().nullable(),
    popup: z.enum(['none', 'decline', 'more']),
    ground: z.string(),
    reply: z.string(),
    why: z.string(),
  }),
});
type Desk = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const idOnly = z.object({ id: z.string() });

const handTo = command('hand_to', {
  about: 'Hand a claim to an adjuster.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!adjusters.includes(value)) refuse('Nobody of that name works here.');
    need(draft.claims, id, 'claim').adjuster = value;
  },
});
const flag = command('flag_urgent', {
  about: 'Mark a claim as urgent, or not.',
  input: z.object({ id: z.string(), urgent: z.boolean() }),
  run(draft, { id, urgent }) {
    need(draft.claims, id, 'claim').urgent = urgent;
  },
});
const settle = command('settle_claim', {
  about: 'Settle an open claim in full.',
  input: idOnly,
  run(draft, { id }) {
    const claim = need(draft.claims, id, 'claim');
    if (claim.stand !== 'Open') refuse(`${claim.ref} is not open.`);
    if (need(draft.policies, claim.policy, 'policy').lapsed)
      refuse(`The policy behind ${claim.ref} has lapsed. Nothing can be paid.`);
    claim.stand = 'Settled';
  },
});
const decline = command('decline_claim', {
  about: 'Decline an open claim, with the ground.',
  input: z.object({ id: z.string(), ground: z.string() }),
  run(draft, { id, ground }) {
    const claim = need(draft.claims, id, 'claim');
    if (claim.stand !== 'Open') refuse(`${claim.ref} is not open.`);
    if (!grounds.includes(ground)) refuse('Choose a ground.');
    Object.assign(claim, { stand: 'Declined', ground });
    draft.ui.popup = 'none';
  },
});
const reopen = command('reopen_claim', {
  about: 'Open a claim again that was settled or declined.',
  input: idOnly,
  run(draft, { id }) {
    const claim = need(draft.claims, id, 'claim');
    if (claim.stand === 'Open') refuse('It is open.');
    Object.assign(claim, { stand: 'Open', ground: '' });
    draft.ui.popup = 'none';
  },
});
const post = command('post_letter', {
  about: 'Send a letter to the insured. A half-written letter must be torn up first.',
  input: z.object({ claim: z.string(), body: z.string().trim().min(1, 'The letter is empty.') }),
  run(draft, { claim, body }) {
    need(draft.claims, claim, 'claim');
    if (draft.drafts.some(each => each.claim === claim)) refuse('A half-written letter is in the way.');
    draft.letters.push({ id: nextId(draft.letters, 'l'), claim, by: 'desk', body });
    draft.ui.reply = '';
  },
});
const tearUp = command('tear_up_draft', {
  about: 'Throw a half-written letter away.',
  input: idOnly,
  run(draft, { id }) {
    need(draft.drafts, id, 'draft');
    remove(draft.drafts, id);
  },
});
const listClaims = query('find_claims', {
  about: 'Claims whose reference, insured or peril contains a text, with their policies.',
  input: z.object({ text: z.string() }),
  run: (desk, input) =>
    hits(desk, input.text, 'All').map(claim => ({ ...claim, contract: need(desk.policies, claim.policy, 'policy') })),
});
const look = gesture('look_for', {
  about: 'Type into the finder.',
  input: z.object({ value: z.string().max(60) }),
  run(draft, { value }) {
    Object.assign(draft.ui, { needle: value, sheet: 1, why: '' });
  },
});
const narrow = gesture('narrow', {
  about: 'Show only claims of one standing.',
  input: z.object({ value: z.string() }),
  run(draft, { value }) {
    Object.assign(draft.ui, { stand: value, sheet: 1 });
  },
});
const sheet = gesture('turn_sheet', {
  about: 'Turn to a sheet of the list.',
  input: z.object({ sheet: z.int() }),
  run(draft, input) {
    draft.ui.sheet = input.sheet;
  },
});
const openClaim = gesture('open_claim', {
  about: 'Open a claim, or go back to the pile.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { claim: id, policy: null, popup: 'none', ground: '', reply: '', why: '' });
  },
});
const openPolicy = gesture('open_policy', {
  about: 'Open the policy of a claim, or close it.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    draft.ui.policy = id;
  },
});
const popUp = gesture('pop_up', {
  about: 'Open or close a popup.',
  input: z.object({ popup: z.enum(['none', 'decline', 'more']) }),
  run(draft, { popup }) {
    draft.ui.popup = popup;
  },
});
const chooseGround = gesture('choose_ground', {
  about: 'Choose why a claim is declined.',
  input: z.object({ ground: z.string() }),
  run(draft, { ground }) {
    draft.ui.ground = ground;
  },
});
const write = gesture('write_reply', {
  about: 'Write the letter.',
  input: z.object({ value: z.string().max(200) }),
  run(draft, { value }) {
    draft.ui.reply = value;
  },
});

function hits({ claims }: Desk, needle: string, stand: string): Desk['claims'] {
  const lower = needle.toLowerCase();
  return claims.filter(
    claim =>
      (stand === 'All' || claim.stand === stand) &&
      `${claim.ref} ${claim.insured} ${claim.peril} ${claim.adjuster}`.toLowerCase().includes(lower),
  );
}
function pile(desk: Desk) {
  const { needle, stand, sheet: at } = desk.ui;
  const shown = paginate(hits(desk, needle, stand), at, 7);
  return region('The pile', [
    searchBox('Finder', [
      textbox('Name, peril or reference', needle, { enter: look.entering({}) }),
      combobox('Standing', stand, { enter: narrow.entering({}), options: ['All', ...stands] }),
    ]),
    list(
      `${shown.total} claims, sheet ${shown.page} of ${shown.pages}`,
      shown.items.map(({ id, ref, insured, peril, euros, stand: now, urgent, adjuster }) =>
        listItem(ref, [
          link(`${insured}: ${peril}`, openClaim.with({ id })),
          text(`${ref}, €${euros}, ${now}, ${adjuster}${urgent ? ', urgent' : ''}`),
        ]),
      ),
    ),
    shown.page > 1 && button('Earlier sheet', sheet.with({ sheet: shown.page - 1 })),
    shown.page < shown.pages && button('Later sheet', sheet.with({ sheet: shown.page + 1 })),
  ]);
}
function file({ policies, letters, drafts, ui }: Desk, claim: Desk['claims'][number]) {
  const { id, ref, insured, peril, euros, stand, ground, adjuster, urgent } = claim;
  const contract = need(policies, claim.policy, 'policy');
  if (ui.popup === 'decline')
    return dialog(`Decline ${ref}`, [
      ...grounds.map(each => radio(each, ui.ground === each, chooseGround.with({ ground: each }))),
      button('Decline for good', decline.with({ id, ground: ui.ground })),
      button('Keep it open', popUp.with({ popup: 'none' })),
    ]);
  if (ui.policy === contract.id)
    return region(`Policy ${contract.code}`, [
      text(`Excess €${contract.excess}`),
      text(`Broker: ${contract.broker}`),
      status(contract.lapsed ? 'Lapsed' : 'In force'),
      link(`Back to ${ref}`, openPolicy.with({ id: null })),
    ]);
  const half = drafts.find(each => each.claim === id);
  return region('File', [
    heading(`${ref} ${insured}`),
    text(`${peril}, €${euros}`),
    status(ground === '' ? stand : `${stand}: ${ground}`),
    link(`Policy ${contract.code}`, openPolicy.with({ id: contract.id })),
    combobox('In the hands of', adjuster, { enter: handTo.entering({ id }), options: adjusters }),
    checkbox('Urgent', urgent, flag.with({ id, urgent: !urgent })),
    toolbar('Decision', [
      stand === 'Open' && button('Settle in full', settle.with({ id })),
      stand === 'Open' && button('Decline…', popUp.with({ popup: 'decline' })),
      stand !== 'Open' && button('More', popUp.with({ popup: ui.popup === 'more' ? 'none' : 'more' })),
    ]),
    ui.popup === 'more' && stand !== 'Open' && menu('More', [menuItem('Take the decision back', reopen.with({ id }))]),
    list(
      'Letters',
      letters.filter(each => each.claim === id).map(({ by, body }) => text(`${by}: ${body}`)),
    ),
    half !== undefined && alert(`Half-written: ${half.body}`),
    half !== undefined && button('Tear it up', tearUp.with({ id: half.id })),
    half === undefined && textbox('Letter to the insured', ui.reply, { enter: write.entering({}) }),
    half === undefined && button('Post', post.with({ claim: id, body: ui.reply })),
    link('Back to the pile', openClaim.with({ id: null })),
  ]);
}

const handOver = template('hand-over', {
  about: 'Give a claim to an adjuster.',
  split: 'train',
  sample({ claims }, random) {
    const { id, insured, peril, adjuster } = random.pick(claims);
    return { id, insured, peril, to: random.pick(adjusters.slice(1).filter(each => each !== adjuster)) };
  },
  instruction: ({ insured, peril, to }, random) =>
    random.pick([
      `${to} takes the ${peril} claim of ${insured}.`,
      `From today on the file of ${insured} (${peril}) is in the hands of ${to}.`,
      `${insured} asked for somebody else to look at the matter: ${peril}. ${to} agreed. Hand it over pls.`,
    ]),
  checks: ({ id, to }) => [{ name: `${to} has it`, test: final => find(final.claims, id)?.adjuster === to }],
  allow: ({ id }) => [`/claims/${id}/adjuster`],
});
const sayNo = template('decline-with-ground', {
  about: 'Decline a claim for a ground.',
  split: 'train',
  sample({ claims }, random) {
    const { id, insured, peril } = random.pick(claims);
    return { id, insured, peril, ground: random.pick(grounds) };
  },
  setup(draft, { id }) {
    Object.assign(need(draft.claims, id, 'claim'), { stand: 'Open', ground: '' });
  },
  instruction: ({ insured, peril, ground }, random) =>
    random.pick([
      `No money for ${insured}, ${peril}. The ground: ${ground}.`,
      `Decline what ${insured} reported under ${peril}, as "${ground}".`,
      `The expert was there and says "${ground}". So ${insured} gets nothing for the ${peril} claim; close the file accordingly.`,
    ]),
  checks: ({ id, ground }) => [
    { name: 'it is declined', test: final => find(final.claims, id)?.stand === 'Declined' },
    { name: `because: ${ground}`, test: final => find(final.claims, id)?.ground === ground },
  ],
  allow: ({ id }) => [`/claims/${id}/stand`, `/claims/${id}/ground`],
});
const pay = template('settle-unless-lapsed', {
  about: 'Settle a claim, which cannot be done when the policy lapsed.',
  split: 'train',
  kind: 'infeasible',
  sample({ claims }, random) {
    const { id, insured, peril, policy } = random.pick(claims);
    return { id, insured, peril, policy, lapsed: random.chance(0.5) };
  },
  isTwin: ({ lapsed }) => !lapsed,
  setup(draft, { id, policy, lapsed }) {
    Object.assign(need(draft.claims, id, 'claim'), { stand: 'Open', ground: '' });
    need(draft.policies, policy, 'policy').lapsed = lapsed;
  },
  instruction: ({ insured, peril }, random) =>
    random.pick([
      `Pay ${insured} for the ${peril}.`,
      `Settle the ${peril} claim of ${insured} in full.`,
      `${insured} has waited long enough. Let them have the whole sum for the ${peril}.`,
    ]),
  checks: ({ id }) => [{ name: 'it is settled', test: final => find(final.claims, id)?.stand === 'Settled' }],
  allow: ({ id }) => [`/claims/${id}/stand`],
  shown: ({ ui }, { id, policy }) => ui.claim === id && (ui.policy === policy || ui.why !== ''),
});
const whoseBroker = template('broker-of-claim', {
  about: 'Name the broker behind a claim.',
  split: 'train',
  sample({ claims, policies }, random) {
    const { insured, peril, policy } = random.pick(claims);
    return { insured, peril, policy, broker: need(policies, policy, 'policy').broker };
  },
  instruction: ({ insured, peril }, random) =>
    random.pick([
      `Which broker sold the policy behind the ${peril} claim of ${insured}?`,
      `I want to complain to the broker about ${insured} (${peril}). Who is it?`,
      `${insured}, ${peril}: broker?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ broker }) => broker,
  shown: ({ ui }, { policy }) => ui.policy === policy,
});
const dearest = template('dearest-open', {
  about: 'Mark the dearest open claim of a peril as urgent.',
  split: 'train',
  sample({ claims }, random) {
    const peril = random.pick(perils);
    const [first, second] = claims
      .filter(claim => claim.peril === peril && claim.stand === 'Open')
      .sort((a, b) => b.euros - a.euros);
    return first === undefined || second === undefined || first.euros === second.euros ? null : { peril, id: first.id };
  },
  setup(draft, { id }) {
    need(draft.claims, id, 'claim').urgent = false;
  },
  instruction: ({ peril }, random) =>
    random.pick([
      `Of the open claims for ${peril}, make the dearest one urgent.`,
      `The reinsurer asks about "${peril}". Whichever of those is still open and costs us most has to be marked urgent.`,
      `${peril}: flag the highest sum that is still open.`,
    ]),
  checks: ({ id }) => [{ name: 'it is urgent', test: final => find(final.claims, id)?.urgent === true }],
  allow: ({ id }) => [`/claims/${id}/urgent`],
});
const lines = [
  'Please send us the invoice.',
  'An expert will call you.',
  'We need photographs.',
  'Your file is complete.',
  'Please keep the broken parts.',
];
const writeTo = template('write-to-insured', {
  about: 'Send a letter where a half-written one is in the way.',
  split: 'train',
  sample({ claims }, random) {
    const { id, insured, peril } = random.pick(claims);
    return { id, insured, peril, body: random.pick(lines), blocked: random.chance(0.6) };
  },
  setup(draft, { id, blocked }) {
    draft.drafts = draft.drafts.filter(({ claim }) => claim !== id);
    if (blocked) draft.drafts.push({ id: 'd90', claim: id, body: 'Dear customer, we regret' });
  },
  instruction: ({ insured, peril, body }, random) =>
    random.pick([
      `Write to ${insured} about the ${peril} claim: "${body}" If something half-written lies there, it can go.`,
      `${insured} (${peril}) should get a letter that reads "${body}" and nothing else. Old drafts may be thrown away.`,
      `Post this to ${insured}, ${peril}: "${body}" Tear up any unfinished letter.`,
    ]),
  checks: ({ id, body, blocked }) => [
    ...(blocked
      ? [{ name: 'the half-written letter is gone', test: (final: Desk) => find(final.drafts, 'd90') === undefined }]
      : []),
    {
      name: 'one letter went out',
      test(final, initial) {
        const [made, ...more] = added(initial.letters, final.letters);
        return more.length === 0 && made?.claim === id && made.body === body && made.by === 'desk';
      },
    },
  ],
  allow: ({ blocked }) => (blocked ? ['/letters/+', '/drafts/d90'] : ['/letters/+']),
});
const takeBack = template('take-decision-back', {
  about: 'Open a declined claim again.',
  split: 'train',
  sample({ claims }, random) {
    const { id, insured, peril } = random.pick(claims);
    return { id, insured, peril, ground: random.pick(grounds) };
  },
  setup(draft, { id, ground }) {
    Object.assign(need(draft.claims, id, 'claim'), { stand: 'Declined', ground });
  },
  instruction: ({ insured, peril }, random) =>
    random.pick([
      `${insured} appealed and won: the ${peril} claim is open again.`,
      `It was wrong to decline ${insured}'s ${peril} claim. Undo that.`,
      `Undo the decision on ${insured}, ${peril}.`,
    ]),
  checks: ({ id }) => [
    { name: 'it is open', test: final => find(final.claims, id)?.stand === 'Open' },
    { name: 'no ground is left', test: final => find(final.claims, id)?.ground === '' },
  ],
  allow: ({ id }) => [`/claims/${id}/stand`, `/claims/${id}/ground`],
});

const insuredNames = [
  'Hedda Storm',
  'Hedwig Sturm',
  'Paul Glaser',
  'Paula Glasner',
  'Ola Berg',
  'Ole Bergman',
  'Ines Prat',
  'Inga Pratt',
  'Theo Marsh',
  'Thea Marshall',
];
const brokers = [
  'Lantern & Co',
  'Harbour Brokers',
  'Finch Advice',
  'Old Oak Cover',
  'Meridian Desk',
  'Tully Brothers',
  'North Gate',
  'Sable & Daughters',
];

export const app = defineApp({
  id: 'claims-desk',
  title: 'Alder Mutual claims desk',
  about: 'Claims of an insurer, their policies and letters.',
  state,
  init(random): Desk {
    const pairs = random.shuffle(
      insuredNames.flatMap(insured => random.sample(perils, 4).map(peril => ({ insured, peril }))),
    );
    return {
      claims: pairs.map(({ insured, peril }, index) => {
        const stand = random.pick(['Open', 'Open', 'Settled', 'Declined'] as const);
        return {
          id: `c${index + 1}`,
          ref: `AM-${3100 + index * 7}`,
          insured,
          peril,
          euros: random.between(90, 9000),
          stand,
          ground: stand === 'Declined' ? random.pick(grounds) : '',
          adjuster: random.pick(adjusters),
          policy: `y${index + 1}`,
          urgent: random.chance(0.2),
        };
      }),
      policies: pairs.map((_, index) => ({
        id: `y${index + 1}`,
        code: `HH ${random.between(10, 99)}-${500 + index}`,
        excess: random.pick([100, 150, 200, 300, 500]),
        lapsed: random.chance(0.2),
        broker: random.pick(brokers),
      })),
      letters: random
        .sample(
          pairs.map((_, index) => `c${index + 1}`),
          12,
        )
        .map((claim, index) => ({
          id: `l${index + 1}`,
          claim,
          by: 'insured',
          body: random.pick(['When do you pay?', 'Photographs enclosed.', 'The plumber was here.', 'I moved house.']),
        })),
      drafts: [],
      ui: {
        needle: '',
        stand: 'All',
        sheet: 1,
        claim: null,
        policy: null,
        popup: 'none',
        ground: '',
        reply: '',
        why: '',
      },
    };
  },
  commands: [
    handTo,
    flag,
    settle,
    decline,
    reopen,
    post,
    tearUp,
    listClaims,
    look,
    narrow,
    sheet,
    openClaim,
    openPolicy,
    popUp,
    chooseGround,
    write,
  ],
  view(desk) {
    const claim = find(desk.claims, desk.ui.claim ?? '');
    return page('Claims', [
      banner('Alder Mutual', [text(`${desk.claims.filter(({ stand }) => stand === 'Open').length} claims are open`)]),
      desk.ui.why !== '' && alert(desk.ui.why),
      claim === undefined ? pile(desk) : file(desk, claim),
    ]);
  },
  templates: [handOver, sayNo, pay, whoseBroker, dearest, writeTo, takeBack],
  onRefusal(draft, message) {
    draft.ui.why = message;
  },
});
