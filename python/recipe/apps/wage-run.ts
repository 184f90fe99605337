import {
  added,
  alert,
  appKit,
  button,
  cell,
  checkbox,
  combobox,
  defineApp,
  dialog,
  find,
  form,
  heading,
  link,
  list,
  navigation,
  need,
  nextId,
  page,
  refuse,
  region,
  row,
  status,
  table,
  text,
  textbox,
  z,
} from 'espalier';

const months = ['January', 'February', 'March', 'April'];
const shops = ['Bakery floor', 'Deliveries', 'Front shop', 'Office'];
const codes = ['A1', 'A2', 'B1', 'C0'];

const state = z.object({
  runs: z.array(z.object({ id: z.string(), month: z.string(), sealed: z.boolean() })),
  staff: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      unit: z.string(),
      taxCode: z.string(),
      ibanOk: z.boolean(),
      withheld: z.boolean(),
      courtOrder: z.boolean(),
    }),
  ),
  slips: z.array(
    z.object({
      id: z.string(),
      run: z.string(),
      person: z.string(),
      gross: z.int(),
      overtime: z.string(),
      premium: z.string(),
    }),
  ),
  deductions: z.array(z.object({ id: z.string(), slip: z.string(), label: z.string(), euros: z.string() })),
  ui: z.object({
    run: z.string(),
    unit: z.string(),
    slip: z.string(),
    card: z.string(),
    overtime: z.string(),
    premium: z.string(),
    label: z.string(),
    euros: z.string(),
    asking: z.boolean(),
    remark: z.string(),
  }),
});
type Payroll = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const mustBeUnsealed = (draft: Payroll, run: string) => {
  const { sealed, month } = need(draft.runs, run, 'run');
  if (sealed) refuse(`The ${month} run is sealed. Break the seal first.`);
};

const saveSlip = command('save_slip', {
  about: 'Write overtime hours and premium of a slip.',
  input: z.object({
    id: z.string(),
    overtime: z.string().regex(/^\d+$/, 'Overtime is a number of hours.'),
    premium: z.string().regex(/^\d+$/, 'The premium is an amount in euros.'),
  }),
  run(draft, { id, overtime, premium }) {
    const slip = need(draft.slips, id, 'slip');
    mustBeUnsealed(draft, slip.run);
    Object.assign(slip, { overtime, premium });
    draft.ui.remark = 'Slip recalculated.';
  },
});
const deduct = command('add_deduction', {
  about: 'Take an amount off a slip.',
  input: z.object({
    id: z.string(),
    label: z.string().trim().min(2, 'Give the deduction a label.'),
    euros: z.string().regex(/^\d+$/, 'Give whole euros.'),
  }),
  run(draft, { id, label, euros }) {
    mustBeUnsealed(draft, need(draft.slips, id, 'slip').run);
    draft.deductions.push({ id: nextId(draft.deductions, 'd'), slip: id, label, euros });
    Object.assign(draft.ui, { label: '', euros: '', remark: 'Deduction booked.' });
  },
});
const breakSeal = command('set_seal', {
  about: 'Seal a run or break its seal.',
  input: z.object({ id: z.string(), sealed: z.boolean() }),
  run(draft, { id, sealed }) {
    need(draft.runs, id, 'run').sealed = sealed;
    Object.assign(draft.ui, { asking: false, remark: sealed ? 'Sealed.' : 'The seal is broken.' });
  },
});
const withhold = command('withhold_pay', {
  about: 'Withhold the pay of a person, or release it.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const who = need(draft.staff, id, 'person');
    if (who.courtOrder && who.withheld) refuse(`Pay of ${who.name} is withheld by court order and cannot be released.`);
    who.withheld = !who.withheld;
  },
});
const recode = command('set_tax_code', {
  about: 'Set the tax code of a person.',
  input: z.object({ id: z.string(), value: z.enum(['A1', 'A2', 'B1', 'C0']) }),
  run(draft, { id, value }) {
    need(draft.staff, id, 'person').taxCode = value;
  },
});
const staffQuery = query('list_staff', {
  about: 'List people of a unit.',
  input: z.object({ unit: z.string() }),
  run: ({ staff }, { unit }) => staff.filter(it => it.unit === unit),
});
const slipQuery = query('list_slips', {
  about: 'List the slips of a month with names.',
  input: z.object({ month: z.string() }),
  run: ({ slips, runs, staff }, { month }) =>
    slips
      .filter(({ run }) => find(runs, run)?.month === month)
      .map(it => ({ ...it, month, name: find(staff, it.person)?.name ?? '' })),
});

const clear = { slip: '', card: '', asking: false, remark: '', label: '', euros: '' };
const pickRun = gesture('pick_run', {
  about: 'Open the run of a month.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, clear, { run: id }),
});
const pickUnit = gesture('pick_unit', {
  about: 'Choose whose slips are listed.',
  input: z.object({ value: z.string() }),
  run: (draft, { value }) => void Object.assign(draft.ui, clear, { unit: value }),
});
const openSlip = gesture('open_slip', {
  about: 'Open a slip.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const { overtime, premium } = need(draft.slips, id, 'slip');
    Object.assign(draft.ui, clear, { slip: id, overtime, premium });
  },
});
const openCard = gesture('open_card', {
  about: 'Open the personal file of somebody.',
  input: z.object({ id: z.string() }),
  run: (draft, { id }) => void Object.assign(draft.ui, clear, { card: id }),
});
const back = gesture('back', {
  about: 'Back to the slips.',
  input: z.object({}),
  run: draft => void Object.assign(draft.ui, clear),
});
const ask = gesture('ask', {
  about: 'Ask before the seal is broken.',
  input: z.object({ asking: z.boolean() }),
  run: (draft, { asking }) => void (draft.ui.asking = asking),
});
const key = gesture('key_in', {
  about: 'Fill a field.',
  input: z.object({ field: z.enum(['overtime', 'premium', 'label', 'euros']), value: z.string().max(40) }),
  run: (draft, { field, value }) => void (draft.ui[field] = value),
});

function slipView({ slips, staff, deductions, ui }: Payroll) {
  const slip = need(slips, ui.slip, 'slip');
  const name = find(staff, slip.person)?.name ?? '';
  return region(`Slip of ${name}`, [
    link('All slips', back.with({})),
    heading(`${name}, gross ${slip.gross} €`),
    form('Variable pay', [
      textbox('Overtime hours', ui.overtime, { enter: key.entering({ field: 'overtime' }) }),
      textbox('Premium in €', ui.premium, { enter: key.entering({ field: 'premium' }) }),
      button('Recalculate', saveSlip.with({ id: slip.id, overtime: ui.overtime, premium: ui.premium })),
    ]),
    list(
      'Deductions',
      deductions.filter(it => it.slip === slip.id).map(it => text(`${it.label}: ${it.euros} €`)),
    ),
    form('One-off deduction', [
      textbox('What for', ui.label, { enter: key.entering({ field: 'label' }) }),
      textbox('Euros', ui.euros, { enter: key.entering({ field: 'euros' }) }),
      button('Book deduction', deduct.with({ id: slip.id, label: ui.label, euros: ui.euros })),
    ]),
    link(`Personal file of ${name}`, openCard.with({ id: slip.person })),
  ]);
}

function cardView({ staff, ui }: Payroll) {
  const who = need(staff, ui.card, 'person');
  return region('Personal file', [
    link('All slips', back.with({})),
    heading(who.name),
    text(`${who.unit}. Bank account ${who.ibanOk ? 'verified' : 'not verified'}.`),
    who.courtOrder && text('There is a court order on this file.'),
    combobox('Tax code', who.taxCode, { enter: recode.entering({ id: who.id }), options: codes }),
    checkbox('Withhold pay', who.withheld, withhold.with({ id: who.id })),
  ]);
}

function runView({ runs, staff, slips, ui }: Payroll) {
  const run = need(runs, ui.run, 'run');
  const shown = slips.filter(it => it.run === run.id && find(staff, it.person)?.unit === ui.unit);
  return region(`${run.month} run`, [
    status(run.sealed ? 'Sealed' : 'Open for changes'),
    run.sealed
      ? button('Break seal', ask.with({ asking: true }))
      : button('Seal run', breakSeal.with({ id: run.id, sealed: true })),
    combobox('Unit', ui.unit, { enter: pickUnit.entering({}), options: shops }),
    table(
      `Slips, ${ui.unit}`,
      shown.map(it => {
        const who = need(staff, it.person, 'person');
        return row(who.name, [
          link(who.name, openSlip.with({ id: it.id })),
          cell(`overtime ${it.overtime} h`),
          cell(`premium ${it.premium} €`),
          cell(who.ibanOk ? 'account verified' : 'account not verified'),
          cell(who.withheld ? 'withheld' : 'to be paid'),
          button(`File of ${who.name}`, openCard.with({ id: who.id })),
        ]);
      }),
    ),
  ]);
}

type Draw = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
function anySlip({ slips, runs, staff }: Payroll, random: Draw) {
  const slip = random.pick(slips);
  return {
    id: slip.id,
    run: slip.run,
    month: find(runs, slip.run)?.month ?? '',
    who: find(staff, slip.person)?.name ?? '',
  };
}
const unseal = (draft: Payroll) => {
  for (const run of draft.runs) run.sealed = run.month === 'January';
};

const overtime = template('enter-overtime', {
  about: 'Enter overtime hours of a person in the run of a month.',
  split: 'train',
  sample(payroll, random) {
    const it = anySlip(payroll, random);
    return it.month === 'January' ? null : { ...it, hours: `${random.between(31, 58)}` };
  },
  setup: unseal,
  instruction: ({ who, month, hours }, random) =>
    random.pick([
      `${who}, ${month}: ${hours} hours of overtime.`,
      `Put ${hours} h overtime on the ${month} slip of ${who}.`,
      `The time sheets came late. In ${month} ${who} did ${hours} overtime hours; please enter them in that month's run.`,
      `overtme of ${who} for ${month} should read ${hours}`,
    ]),
  checks: ({ id, hours }) => [
    { name: 'overtime is entered', test: final => find(final.slips, id)?.overtime === hours },
  ],
  allow: ({ id }) => [`/slips/${id}/overtime`],
});

const sealedPremium = template('premium-in-sealed-run', {
  about: 'Write a premium into a run that is sealed: the seal has to be broken.',
  split: 'train',
  sample(payroll, random) {
    return { ...anySlip(payroll, random), premium: `${random.between(11, 48)}5` };
  },
  setup(draft, { run }) {
    unseal(draft);
    need(draft.runs, run, 'run').sealed = true;
  },
  instruction: ({ who, month, premium }, random) =>
    random.pick([
      `${who} was promised a premium of ${premium} € for ${month}. That run is sealed already: break the seal and enter it.`,
      `Set the ${month} premium of ${who} to ${premium}. You may unseal the run for it and leave it open.`,
      `We forgot ${who} in ${month}: premium ${premium} €. Open the run again if you must; I'll seal it myself.`,
    ]),
  checks: ({ id, run, premium }) => [
    { name: 'the run is open', test: final => find(final.runs, run)?.sealed === false },
    { name: 'the premium is entered', test: final => find(final.slips, id)?.premium === premium },
  ],
  allow: ({ id, run }) => [`/slips/${id}/premium`, `/runs/${run}/sealed`],
});

const holdUnverified = template('withhold-unverified', {
  about: 'Withhold the pay of everybody of a unit whose account is not verified.',
  split: 'train',
  sample({ staff }, random) {
    const unit = random.pick(shops);
    const own = random.shuffle(staff.filter(it => it.unit === unit)).map(({ id }) => id);
    return { unit, ids: own.slice(0, 2), rest: own.slice(2) };
  },
  setup(draft, { ids, rest }) {
    for (const id of ids) Object.assign(need(draft.staff, id, 'person'), { ibanOk: false, withheld: false });
    for (const id of rest) Object.assign(need(draft.staff, id, 'person'), { ibanOk: true });
  },
  instruction: ({ unit }, random) =>
    random.pick([
      `${unit}: withhold pay for everyone whose bank account isn't verified.`,
      `The bank sends money back when an account was never verified. Please withhold the pay of such people in the unit ${unit}.`,
      `Go through ${unit} and tick "withhold" wherever the account is not verified yet. Nobody else.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} is withheld`, test: final => find(final.staff, id)?.withheld === true })),
  allow: ({ ids }) => ids.map(id => `/staff/${id}/withheld`),
});

const book = template('book-deduction', {
  about: 'Book a deduction on a slip.',
  split: 'train',
  sample(payroll, random) {
    const it = anySlip(payroll, random);
    const label = random.pick(['canteen card', 'lost key', 'parking', 'union fee', 'work shoes', 'train ticket']);
    return it.month === 'January' ? null : { ...it, label, euros: `${random.between(14, 79)}` };
  },
  setup: unseal,
  instruction: ({ who, month, label, euros }, random) =>
    random.pick([
      `Take ${euros} € for "${label}" off the ${month} pay of ${who}.`,
      `One-off deduction, ${month} run. Person: ${who}. What for: ${label}. Amount: ${euros}`,
      `${who} still owes us ${euros} euros (${label}). Book that as a deduction in ${month}.`,
    ]),
  checks: ({ id, label, euros }) => [
    {
      name: 'one deduction was booked, as asked',
      test(final, initial) {
        const made = added(initial.deductions, final.deductions);
        return made.length === 1 && made[0]?.slip === id && made[0].label === label && made[0].euros === euros;
      },
    },
  ],
  allow: () => ['/deductions/+'],
});

const howMuch = template('how-much-gross', {
  about: 'Say the gross pay of a person in a month.',
  split: 'train',
  sample: anySlip,
  instruction: ({ who, month }, random) =>
    random.pick([
      `What was the gross pay of ${who} in ${month}? Just the number.`,
      `${who} asks for the ${month} gross amount in euros. Which number do I give?`,
      `gross of ${who}, ${month}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ id }, { slips }) => `${need(slips, id, 'slip').gross}`,
  shown: ({ ui }, { id }) => ui.slip === id,
});

const most = template('most-overtime', {
  about: 'Set the tax code of the person with the most overtime of a unit in a month.',
  split: 'train',
  sample({ runs, slips, staff }, random) {
    const run = need(runs, 'r3', 'run');
    const unit = random.pick(shops);
    const own = slips.filter(it => it.run === run.id && find(staff, it.person)?.unit === unit);
    const top = own.sort((one, other) => Number(other.overtime) - Number(one.overtime))[0];
    if (top === undefined || own.filter(it => it.overtime === top.overtime).length > 1) return null;
    const old = need(staff, top.person, 'person').taxCode;
    return { month: run.month, unit, id: top.person, code: random.pick(codes.filter(it => it !== old)) };
  },
  instruction: ({ month, unit, code }, random) =>
    random.pick([
      `Whoever of ${unit} had the most overtime in ${month} moves to tax code ${code}.`,
      `Look at the ${month} run for ${unit}. The person with the highest overtime needs the tax code ${code}; change it in the personal file.`,
      `Tax code ${code} for the one with most overtime hours (${unit}, ${month}), please.`,
    ]),
  checks: ({ id, code }) => [{ name: 'the code is set', test: final => find(final.staff, id)?.taxCode === code }],
  allow: ({ id }) => [`/staff/${id}/taxCode`],
});

const release = template('release-pay', {
  about: 'Release withheld pay; a court order forbids it.',
  split: 'train',
  kind: 'infeasible',
  isTwin: ({ free }) => free,
  sample({ staff }, random) {
    const { id, name, unit } = random.pick(staff);
    return { id, name, unit, free: random.chance(0.5) };
  },
  setup: (draft, { id, free }) =>
    void Object.assign(need(draft.staff, id, 'person'), { withheld: true, courtOrder: !free }),
  instruction: ({ name, unit }, random) =>
    random.pick([
      `Release the withheld pay of ${name} (${unit}).`,
      `${name} from ${unit} called: the pay should no longer be withheld. Change that if it can be changed.`,
      `stop withholding pay for ${name}, unit ${unit}`,
    ]),
  checks: ({ id }) => [{ name: 'pay is released', test: final => find(final.staff, id)?.withheld === false }],
  allow: ({ id }) => [`/staff/${id}/withheld`],
  shown: ({ ui }, { id }) => ui.card === id,
});

const codeAlready = template('tax-code-as-asked', {
  about: 'Set a tax code that may be set already.',
  split: 'train',
  kind: 'already-done',
  isTwin: ({ wrong }) => wrong,
  sample({ staff }, random) {
    const { id, name, unit, taxCode } = random.pick(staff);
    const wrong = random.chance(0.5);
    return { id, name, unit, wrong, code: wrong ? random.pick(codes.filter(it => it !== taxCode)) : taxCode };
  },
  instruction: ({ name, unit, code }, random) =>
    random.pick([
      `Tax code of ${name} in ${unit}: ${code}.`,
      `The tax office wrote: ${name} (${unit}) has code ${code}. Make sure the file says so.`,
      `See that ${name}, who works in ${unit}, is on tax code ${code}.`,
    ]),
  checks: ({ id, code }) => [{ name: 'the code is set', test: final => find(final.staff, id)?.taxCode === code }],
  allow: ({ id }) => [`/staff/${id}/taxCode`],
  shown: ({ ui }, { id }) => ui.card === id,
});

const firsts = ['Mara', 'Timo', 'Silke', 'Arno', 'Jette', 'Karim', 'Paula', 'Viktor'];
const lasts = ['Brandt', 'Brandl', 'Osterkamp', 'Yilmaz', 'Weidner', 'Weide'];

export const app = defineApp({
  id: 'wage-run',
  title: 'Wage run',
  about: 'Monthly payroll of a bakery company: runs, slips, deductions and personal files.',
  state,
  init(random) {
    const names = random.sample(
      firsts.flatMap(first => lasts.map(last => `${first} ${last}`)),
      20,
    );
    const staff = names.map((name, index) => ({
      id: `p${index + 1}`,
      name,
      unit: shops[index % 4] ?? 'Office',
      taxCode: random.pick(codes),
      ibanOk: random.chance(0.7),
      withheld: random.chance(0.2),
      courtOrder: false,
    }));
    const runs = months.slice(0, 3).map((month, index) => ({ id: `r${index + 1}`, month, sealed: index < 2 }));
    return {
      runs,
      staff,
      slips: runs.flatMap((run, turn) =>
        staff.map((who, index) => ({
          id: `s${turn * 20 + index + 1}`,
          run: run.id,
          person: who.id,
          gross: random.between(1900, 4400),
          overtime: `${random.between(0, 30)}`,
          premium: `${random.between(0, 4) * 25}`,
        })),
      ),
      deductions: [{ id: 'd1', slip: 's3', label: 'canteen card', euros: '20' }],
      ui: {
        run: 'r3',
        unit: 'Office',
        slip: '',
        card: '',
        overtime: '',
        premium: '',
        label: '',
        euros: '',
        asking: false,
        remark: '',
      },
    };
  },
  commands: [
    saveSlip,
    deduct,
    breakSeal,
    withhold,
    recode,
    staffQuery,
    slipQuery,
    pickRun,
    pickUnit,
    openSlip,
    openCard,
    back,
    ask,
    key,
  ],
  view(payroll) {
    const { ui, runs } = payroll;
    if (ui.asking)
      return page('Wage run', [
        dialog(`Break the seal of ${find(runs, ui.run)?.month ?? ''}?`, [
          text('Slips can be changed afterwards, and the bank file becomes invalid.'),
          button('Break it', breakSeal.with({ id: ui.run, sealed: false })),
          button('Keep sealed', ask.with({ asking: false })),
        ]),
      ]);
    return page('Wage run', [
      navigation(
        'Runs',
        runs.map(({ id, month }) => link(`${month}`, pickRun.with({ id }), id === ui.run ? ['selected'] : [])),
      ),
      ui.remark !== '' && alert(ui.remark),
      ui.slip !== '' ? slipView(payroll) : ui.card !== '' ? cardView(payroll) : runView(payroll),
    ]);
  },
  templates: [overtime, sealedPremium, holdUnverified, book, howMuch, most, release, codeAlready],
  onRefusal(draft, message) {
    draft.ui.remark = message;
  },
});
