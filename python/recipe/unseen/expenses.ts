import {
  added,
  alert,
  appKit,
  banner,
  button,
  cell,
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
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

// Travel expenses of a company, seen by the person in accounting who approves them.
const stages = ['Submitted', 'Approved', 'Rejected', 'Paid out'];
const centres = ['4100 Sales', '4200 Research', '4300 Facilities', '4400 Legal', '4500 Training'];
const kinds = [
  'Train ticket',
  'Hotel',
  'Taxi',
  'Client dinner',
  'Conference fee',
  'Flight',
  'Parking',
  'Office chair',
  'Visa',
];
const people = [
  'Amara Diallo',
  'Bruno Keller',
  'Chen Wei',
  'Dagny Strand',
  'Emil Novak',
  'Fatou Sarr',
  'Greta Holm',
  'Hugo Pires',
];
const state = z.object({
  claims: z.array(
    z.object({
      id: z.string(),
      no: z.string(),
      who: z.string(),
      what: z.string(),
      cents: z.int(),
      centre: z.string(),
      stage: z.string(),
      note: z.string(),
    }),
  ),
  staff: z.array(z.object({ id: z.string(), name: z.string(), centre: z.string(), iban: z.string() })),
  ui: z.object({
    screen: z.string(),
    box: z.string(),
    claim: z.string(),
    person: z.string(),
    refusing: z.boolean(),
    why: z.string(),
    what: z.string(),
    amount: z.string(),
    who: z.string(),
    banner: z.string(),
  }),
});
type Books = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);
const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const approve = command('approve_claim', {
  about: 'Approve a submitted claim.',
  input: z.object({ claim: z.string() }),
  run(draft, { claim }) {
    const it = need(draft.claims, claim, 'claim');
    if (it.stage !== 'Submitted') refuse('Only submitted claims can be approved.');
    it.stage = 'Approved';
    draft.ui.banner = `${it.no} approved`;
  },
});
const reject = command('reject_claim', {
  about: 'Reject a submitted claim with an explanation.',
  input: z.object({ claim: z.string(), why: z.string().trim().min(3, 'Explain it in a few words.') }),
  run(draft, { claim, why }) {
    const it = need(draft.claims, claim, 'claim');
    if (it.stage !== 'Submitted') refuse('Only submitted claims can be rejected.');
    Object.assign(it, { stage: 'Rejected', note: why });
    Object.assign(draft.ui, { refusing: false, why: '', banner: `${it.no} rejected` });
  },
});
const payOut = command('pay_out', {
  about: 'Pay an approved claim.',
  input: z.object({ claim: z.string() }),
  run(draft, { claim }) {
    const it = need(draft.claims, claim, 'claim');
    if (it.stage !== 'Approved') refuse('Only approved claims are paid.');
    it.stage = 'Paid out';
    draft.ui.banner = `${it.no} paid`;
  },
});
const charge = command('charge_to', {
  about: 'Charge a claim to another cost centre.',
  input: z.object({ claim: z.string(), value: z.string() }),
  run(draft, { claim, value }) {
    if (!centres.includes(value)) refuse('No such cost centre.');
    need(draft.claims, claim, 'claim').centre = value;
  },
});
const submit = command('submit_claim', {
  about: 'Submit a claim for somebody.',
  input: z.object({ who: z.string(), what: z.string(), amount: z.string() }),
  run(draft, { who, what, amount }) {
    const person = draft.staff.find(({ name }) => name === who) ?? refuse('For whom?');
    if (!kinds.includes(what)) refuse('For what?');
    if (!/^\d{1,4}\.\d\d$/.test(amount.trim())) refuse('Write the amount like 12.50.');
    const no = `EX-${Math.max(...draft.claims.map(it => Number(it.no.slice(3)))) + 1}`;
    draft.claims.push({
      id: nextId(draft.claims, 'x'),
      no,
      who,
      what,
      cents: Math.round(Number(amount.trim()) * 100),
      centre: person.centre,
      stage: 'Submitted',
      note: '',
    });
    Object.assign(draft.ui, {
      screen: 'claims',
      box: 'Submitted',
      who: '',
      what: '',
      amount: '',
      banner: `${no} submitted`,
    });
  },
});
const listClaims = query('list_claims', {
  about: 'List the claims of a stage.',
  input: z.object({ stage: z.string() }),
  run: ({ claims }, { stage }) => claims.filter(it => it.stage === stage),
});
const visit = gesture('visit', {
  about: 'Go to a screen.',
  input: z.object({ screen: z.string(), box: z.string(), claim: z.string(), person: z.string() }),
  run(draft, input) {
    Object.assign(draft.ui, input, { refusing: false, why: '', what: '', amount: '', who: '', banner: '' });
  },
});
const refusing = gesture('start_rejection', {
  about: 'Open or close the rejection.',
  input: z.object({ open: z.boolean() }),
  run(draft, { open }) {
    Object.assign(draft.ui, { refusing: open, why: '' });
  },
});
const write = gesture('write', {
  about: 'Fill in a field.',
  input: z.object({ field: z.enum(['why', 'what', 'amount', 'who']), value: z.string().max(100) }),
  run(draft, { field, value }) {
    draft.ui[field] = value;
  },
});
const to = (screen: string, more: { box?: string; claim?: string; person?: string } = {}) =>
  visit.with({ screen, box: 'Submitted', claim: '', person: '', ...more });

function body({ claims, staff, ui }: Books) {
  if (ui.screen === 'claims') {
    const inBox = claims.filter(({ stage }) => stage === ui.box).sort((one, two) => one.no.localeCompare(two.no));
    return [
      navigation(
        'Boxes',
        stages.map(box =>
          link(
            `${box} (${claims.filter(({ stage }) => stage === box).length})`,
            to('claims', { box }),
            box === ui.box ? ['current'] : [],
          ),
        ),
      ),
      table(
        ui.box,
        inBox.map(it =>
          row(it.no, [
            cell(it.no),
            cell(it.who),
            cell(it.what),
            cell(`€ ${money(it.cents)}`),
            button(`Review ${it.no}`, to('claim', { claim: it.id, box: ui.box })),
          ]),
        ),
      ),
    ];
  }
  if (ui.screen === 'staff')
    return [
      heading('Staff'),
      list(
        'People',
        staff.map(it => listItem(it.name, [link(it.name, to('person', { person: it.id }))])),
      ),
    ];
  if (ui.screen === 'person') {
    const it = need(staff, ui.person, 'person');
    return [
      heading(it.name),
      text(`Home cost centre: ${it.centre}`),
      text(`IBAN ends in ${it.iban}`),
      text(`${claims.filter(({ who }) => who === it.name).length} claims so far`),
    ];
  }
  if (ui.screen === 'new')
    return [
      form('Submit on behalf of a colleague', [
        combobox('Who', ui.who, { enter: write.entering({ field: 'who' }), options: staff.map(({ name }) => name) }),
        combobox('What', ui.what, { enter: write.entering({ field: 'what' }), options: kinds }),
        textbox('Amount in €', ui.amount, { enter: write.entering({ field: 'amount' }) }),
        button('Submit', submit.with({ who: ui.who, what: ui.what, amount: ui.amount })),
      ]),
    ];
  const it = need(claims, ui.claim, 'claim');
  if (ui.refusing)
    return [
      dialog(`Reject ${it.no}`, [
        textbox('Explanation for the employee', ui.why, { enter: write.entering({ field: 'why' }) }),
        button('Send rejection', reject.with({ claim: it.id, why: ui.why })),
        button('Never mind', refusing.with({ open: false })),
      ]),
    ];
  return [
    heading(`${it.no}: ${it.what}`),
    text(`Claimant: ${it.who}`),
    text(`Amount: € ${money(it.cents)}`),
    status(it.stage),
    it.note !== '' && text(`Explanation: ${it.note}`),
    combobox('Charged to', it.centre, { enter: charge.entering({ claim: it.id }), options: centres }),
    it.stage === 'Submitted' && button('Approve', approve.with({ claim: it.id })),
    it.stage === 'Submitted' && button('Reject…', refusing.with({ open: true })),
    it.stage === 'Approved' && button('Pay out now', payOut.with({ claim: it.id })),
  ];
}

const lone = (claims: Books['claims'], stage: string) => claims.filter(it => it.stage === stage);
const approveTask = template('approve-claim', {
  about: 'Approve a claim by its number.',
  split: 'test',
  sample({ claims }, random) {
    const { id, no } = random.pick(lone(claims, 'Submitted'));
    return { id, no };
  },
  instruction: ({ no }) => `${no} looks fine to me, approve it`,
  checks: ({ id }) => [{ name: 'the claim is approved', test: final => find(final.claims, id)?.stage === 'Approved' }],
  allow: ({ id }) => [`/claims/${id}/stage`],
});
const rejectTask = template('reject-claim', {
  about: 'Reject what somebody claimed for something, with an explanation.',
  split: 'test',
  sample({ claims }, random) {
    const { id, who, what } = random.pick(lone(claims, 'Submitted'));
    if (lone(claims, 'Submitted').some(it => it.id !== id && it.who === who && it.what === what)) return null;
    return {
      id,
      who,
      what,
      why: random.pick([
        'The receipt is missing',
        'This is above the limit',
        'Private trip',
        'Please use the company card',
        'Claimed twice',
        'Too late for this quarter',
      ]),
    };
  },
  instruction: ({ who, what, why }) => `Reject ${who}'s submitted claim for "${what}". Tell them: ${why}`,
  checks: ({ id, why }) => [
    { name: 'the claim is rejected', test: final => find(final.claims, id)?.stage === 'Rejected' },
    { name: 'with that explanation', test: final => find(final.claims, id)?.note === why },
  ],
  allow: ({ id }) => [`/claims/${id}/stage`, `/claims/${id}/note`],
});
const homeTask = template('charge-home-centre', {
  about: 'Charge a claim to the home cost centre of the claimant.',
  split: 'test',
  sample({ claims, staff }, random) {
    const it = random.pick(lone(claims, 'Submitted'));
    const home = staff.find(({ name }) => name === it.who);
    return home === undefined
      ? null
      : { id: it.id, no: it.no, person: home.id, wrong: random.pick(centres.filter(centre => centre !== home.centre)) };
  },
  setup(draft, { id, wrong }) {
    need(draft.claims, id, 'claim').centre = wrong;
  },
  instruction: ({ no }) =>
    `${no} in the submitted box was charged to the wrong cost centre. It belongs to the home cost centre of whoever made the claim; staff pages say which that is.`,
  checks: ({ id, person }) => [
    {
      name: 'the cost centre is right',
      test: (final, initial) => find(final.claims, id)?.centre === find(initial.staff, person)?.centre,
    },
  ],
  allow: ({ id }) => [`/claims/${id}/centre`],
});
const payTask = template('pay-biggest', {
  about: 'Pay the biggest approved claim.',
  split: 'test',
  sample({ claims }, random) {
    return { id: random.pick(lone(claims, 'Approved')).id, extra: random.between(1000, 90000) };
  },
  setup(draft, { id, extra }) {
    need(draft.claims, id, 'claim').cents = Math.max(...draft.claims.map(({ cents }) => cents)) + extra;
  },
  instruction: () => 'There is money for one more payment today: pay out the largest of the approved claims.',
  checks: ({ id }) => [{ name: 'the claim is paid', test: final => find(final.claims, id)?.stage === 'Paid out' }],
  allow: ({ id }) => [`/claims/${id}/stage`],
});
const submitTask = template('submit-for-colleague', {
  about: 'Submit a claim for a colleague.',
  split: 'test',
  sample({ staff }, random) {
    return { who: random.pick(staff).name, what: random.pick(kinds), amount: money(random.between(500, 80000)) };
  },
  instruction: ({ who, what, amount }) =>
    `${who} is on sick leave and sent me a receipt: ${what}, ${amount} euros. Can you hand it in for them?`,
  checks: ({ who, what, amount }) => [
    {
      name: 'one claim was submitted',
      test(final, initial) {
        const [made, ...more] = added(initial.claims, final.claims);
        const no = Math.max(...initial.claims.map(it => Number(it.no.slice(3)))) + 1;
        return (
          made?.who === who &&
          made.what === what &&
          money(made.cents) === amount &&
          made.stage === 'Submitted' &&
          made.note === '' &&
          made.no === `EX-${no}` &&
          made.centre === initial.staff.find(({ name }) => name === who)?.centre &&
          more.length === 0
        );
      },
    },
  ],
  allow: () => ['/claims/+'],
});
const ibanQuestion = template('iban-ending', {
  about: 'Say how the IBAN of the claimant of a claim ends.',
  split: 'test',
  sample({ claims, staff }, random) {
    const it = random.pick(claims);
    return { no: it.no, person: staff.find(({ name }) => name === it.who)?.id ?? '' };
  },
  instruction: ({ no }) => `The bank is asking about ${no}. What are the last four digits of that person's IBAN?`,
  checks: () => [],
  allow: () => [],
  answer: ({ person }, { staff }) => need(staff, person, 'person').iban,
  shown: ({ ui }, { person }) => ui.screen === 'person' && ui.person === person,
});

export const app = defineApp({
  id: 'expenses',
  title: 'Expense desk',
  about: 'Expense claims of employees: review, approve, reject and pay.',
  state,
  init(random) {
    const first = random.between(2000, 8000);
    const endings = random.sample(
      Array.from({ length: 9000 }, (_, index) => String(1000 + index)),
      people.length,
    );
    const staff = random.shuffle(people).map((name, index) => ({
      id: `e${index + 1}`,
      name,
      centre: random.pick(centres),
      iban: endings[index] as string,
    }));
    return {
      staff,
      claims: random.shuffle(Array.from({ length: 32 }, (_, index) => index)).map((offset, index) => {
        const { name, centre } = random.pick(staff);
        const stage = stages[[0, 1, 0, 1, 1, 2, 3, 0][index % 8] as number] as string;
        return {
          id: `x${index + 1}`,
          no: `EX-${first + offset}`,
          who: name,
          what: random.pick(kinds),
          cents: random.between(800, 120000),
          centre,
          stage,
          note: stage === 'Rejected' ? 'No receipt' : '',
        };
      }),
      ui: {
        screen: 'claims',
        box: 'Submitted',
        claim: '',
        person: '',
        refusing: false,
        why: '',
        what: '',
        amount: '',
        who: '',
        banner: '',
      },
    };
  },
  commands: [approve, reject, payOut, charge, submit, listClaims, visit, refusing, write],
  view: books =>
    page('Expense desk', [
      banner('Expense desk', [
        button('Claims', to('claims')),
        button('Staff', to('staff')),
        button('Hand in', to('new')),
      ]),
      books.ui.banner !== '' && alert(books.ui.banner),
      ...body(books),
    ]),
  templates: [approveTask, rejectTask, homeTask, payTask, submitTask, ibanQuestion],
  onRefusal(draft, message) {
    draft.ui.banner = message;
  },
});
