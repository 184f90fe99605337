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
  need,
  nextId,
  page,
  refuse,
  region,
  status,
  tab,
  text,
  textbox,
  z,
} from 'espalier';

const plans = ['Paw basic', 'Paw plus', 'Whole animal'];
const cures = ['Dental cleaning', 'X-ray', 'Stitches', 'Vaccination', 'Blood test'];

const state = z.object({
  pets: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      keeper: z.string(),
      breed: z.string(),
      chip: z.string(),
      plan: z.string(),
      lapsed: z.boolean(),
    }),
  ),
  bills: z.array(z.object({ id: z.string(), pet: z.string(), cure: z.string(), euros: z.int(), sent: z.boolean() })),
  ui: z.object({
    needle: z.string(),
    pet: z.string().nullable(),
    side: z.enum(['cover', 'bills', 'write']),
    bill: z.object({ cure: z.string(), euros: z.string() }),
    growl: z.string(),
  }),
});
type Portal = z.infer<typeof state>;
const { command, gesture, query, template } = appKit(state);

const setPlan = command('set_plan', {
  about: 'Change the plan of an animal.',
  input: z.object({ id: z.string(), value: z.string() }),
  run(draft, { id, value }) {
    if (!plans.includes(value)) refuse('No such plan.');
    need(draft.pets, id, 'animal').plan = value;
  },
});
const sendBill = command('send_bill', {
  about: 'Send a bill to the insurer.',
  input: z.object({ id: z.string() }),
  run(draft, { id }) {
    const bill = need(draft.bills, id, 'bill');
    const pet = need(draft.pets, bill.pet, 'animal');
    if (pet.lapsed) refuse(`The cover of ${pet.name} has lapsed. The insurer takes no bills.`);
    if (bill.sent) refuse('It was sent.');
    bill.sent = true;
  },
});
const writeBill = command('write_bill', {
  about: 'Write a new bill for an animal.',
  input: z.object({ pet: z.string(), cure: z.string(), euros: z.string() }),
  run(draft, { pet, cure, euros }) {
    need(draft.pets, pet, 'animal');
    if (!cures.includes(cure)) refuse('What was done?');
    if (!/^[1-9]\d{0,3}$/.test(euros)) refuse('How much?');
    draft.bills.push({ id: nextId(draft.bills, 'b'), pet, cure, euros: Number(euros), sent: false });
    Object.assign(draft.ui, { side: 'bills', bill: { cure: '', euros: '' } });
  },
});
const findPets = query('find_animals', {
  about: 'Animals whose name or keeper contains a text, with bills.',
  input: z.object({ text: z.string() }),
  run: (portal, input) =>
    matching(portal, input.text).map(pet => ({ ...pet, bills: portal.bills.filter(bill => bill.pet === pet.id) })),
});
const sniff = gesture('sniff', {
  about: 'Type a name.',
  input: z.object({ value: z.string().max(40) }),
  run(draft, { value }) {
    draft.ui.needle = value;
  },
});
const open = gesture('open_animal', {
  about: 'Open an animal, or the waiting room.',
  input: z.object({ id: z.string().nullable() }),
  run(draft, { id }) {
    Object.assign(draft.ui, { pet: id, side: 'cover', bill: { cure: '', euros: '' }, growl: '' });
  },
});
const turn = gesture('turn_card', {
  about: 'Turn the card.',
  input: z.object({ side: z.enum(['cover', 'bills', 'write']) }),
  run(draft, { side }) {
    Object.assign(draft.ui, { side, growl: '' });
  },
});
const jot = gesture('jot_bill', {
  about: 'Fill in a bill.',
  input: z.object({ field: z.enum(['cure', 'euros']), value: z.string().max(20) }),
  run(draft, { field, value }) {
    draft.ui.bill[field] = value;
  },
});

function matching({ pets }: Portal, needle: string): Portal['pets'] {
  return pets.filter(({ name, keeper }) => `${name} of ${keeper}`.toLowerCase().includes(needle.toLowerCase()));
}
const tell = ({ name, keeper }: Portal['pets'][number]) => `${name} of ${keeper}`;

const plan = template('change-plan', {
  about: 'Change the plan of an animal.',
  split: 'train',
  sample({ pets }, random) {
    const pet = random.pick(pets);
    return {
      id: pet.id,
      pet: tell(pet),
      keeper: pet.keeper,
      plan: random.pick(plans.filter(each => each !== pet.plan)),
    };
  },
  instruction: ({ pet, plan: to }, random) =>
    random.pick([
      `${pet}: ${to} from now on.`,
      `Move ${pet} to the plan ${to}, please.`,
      `The keeper wants other cover. ${pet} should have ${to}.`,
    ]),
  checks: ({ id, plan: to }) => [{ name: `the plan is ${to}`, test: final => find(final.pets, id)?.plan === to }],
  allow: ({ id }) => [`/pets/${id}/plan`],
});
const newBill = template('new-bill', {
  about: 'Write a bill for an animal.',
  split: 'train',
  sample({ pets }, random) {
    const pet = random.pick(pets);
    return {
      id: pet.id,
      pet: tell(pet),
      keeper: pet.keeper,
      cure: random.pick(cures),
      euros: `${random.between(20, 480)}`,
    };
  },
  instruction: ({ pet, cure, euros }, random) =>
    random.pick([
      `Bill for ${pet}: ${cure}, €${euros}.`,
      `${pet} was here for this: ${cure}. That makes ${euros} euros; write the bill but do not send it.`,
      `Write up ${cure} at ${euros} for ${pet}.`,
    ]),
  checks: ({ id, cure, euros }) => [
    {
      name: 'one bill was written, as asked',
      test(final, initial) {
        const [made, ...more] = added(initial.bills, final.bills);
        return (
          more.length === 0 && made?.pet === id && made.cure === cure && made.euros === Number(euros) && !made.sent
        );
      },
    },
  ],
  allow: () => ['/bills/+'],
});
const send = template('send-a-bill', {
  about: 'Send a bill, unless the cover lapsed.',
  split: 'train',
  kind: 'infeasible',
  sample({ pets, bills }, random) {
    const bill = random.pick(bills);
    const pet = need(pets, bill.pet, 'animal');
    return {
      id: bill.id,
      owner: pet.id,
      pet: tell(pet),
      keeper: pet.keeper,
      cure: bill.cure,
      euros: bill.euros,
      lapsed: random.chance(0.5),
    };
  },
  isTwin: ({ lapsed }) => !lapsed,
  setup(draft, { id, owner, lapsed }) {
    need(draft.bills, id, 'bill').sent = false;
    need(draft.pets, owner, 'animal').lapsed = lapsed;
  },
  instruction: ({ pet, cure, euros }, random) =>
    random.pick([
      `Send the insurer the bill of ${pet}, ${cure} €${euros}.`,
      `${pet}: the ${cure} for €${euros} can go to the insurer.`,
      `Let the insurer have the ${cure} bill (€${euros}) for ${pet}.`,
    ]),
  checks: ({ id }) => [{ name: 'it was sent', test: final => find(final.bills, id)?.sent === true }],
  allow: ({ id }) => [`/bills/${id}/sent`],
  shown: ({ ui }, { owner }) => ui.pet === owner && (ui.side === 'cover' || ui.growl !== ''),
});
const chip = template('chip-of-animal', {
  about: 'Tell the chip number of an animal.',
  split: 'train',
  sample({ pets }, random) {
    const pet = random.pick(pets);
    return { id: pet.id, pet: tell(pet), keeper: pet.keeper, chip: pet.chip };
  },
  instruction: ({ pet }, random) =>
    random.pick([
      `Chip number of ${pet}?`,
      `The shelter found a stray and asks what chip ${pet} carries.`,
      `Which number is on the chip of ${pet}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ chip: number }) => number,
  shown: ({ ui }, { id }) => ui.pet === id && ui.side === 'cover',
});
const sendAll = template('send-all-bills', {
  about: 'Send every unsent bill of an animal.',
  split: 'train',
  sample({ pets, bills }, random) {
    const pet = random.pick(pets.filter(({ lapsed }) => !lapsed));
    const ids = bills.filter(bill => bill.pet === pet.id && !bill.sent).map(({ id }) => id);
    return ids.length < 2 ? null : { pet: tell(pet), keeper: pet.keeper, ids };
  },
  instruction: ({ pet }, random) =>
    random.pick([
      `Send all open bills of ${pet}.`,
      `Whatever was not sent yet for ${pet} goes to the insurer today.`,
      `${pet}: every unsent bill, off to the insurer.`,
    ]),
  checks: ({ ids }) =>
    ids.map(id => ({ name: `${id} was sent`, test: (final: Portal) => find(final.bills, id)?.sent === true })),
  allow: ({ ids }) => ids.map(id => `/bills/${id}/sent`),
});

export const app = defineApp({
  id: 'pet-cover',
  title: 'Furred & Insured',
  about: 'The portal where a vet sends bills to a pet insurer.',
  state,
  init(random): Portal {
    const keepers = ['Noor Bakker', 'Nora Bakker', 'Hal Dunn', 'Hale Dunning', 'Ivy Sloan', 'Ivo Sloane'];
    const pets = random
      .shuffle(['Muffin', 'Muff', 'Rex', 'Roxy', 'Socks'].flatMap(name => keepers.map(keeper => ({ name, keeper }))))
      .slice(0, 24)
      .map((each, index) => ({
        id: `a${index + 1}`,
        ...each,
        breed: random.pick(['beagle', 'tabby', 'lop rabbit', 'poodle', 'ferret']),
        chip: `${random.between(100, 999)}-${random.between(1000, 9999)}`,
        plan: random.pick(plans),
        lapsed: random.chance(0.2),
      }));
    const bills = pets.flatMap(({ id }) =>
      random
        .sample(cures, random.between(1, 3))
        .map(cure => ({ pet: id, cure, euros: random.between(25, 600), sent: random.chance(0.3) })),
    );
    return {
      pets,
      bills: bills.map((bill, index) => ({ id: `b${index + 1}`, ...bill })),
      ui: { needle: '', pet: null, side: 'cover', bill: { cure: '', euros: '' }, growl: '' },
    };
  },
  commands: [setPlan, sendBill, writeBill, findPets, sniff, open, turn, jot],
  view(portal) {
    const { pets, bills, ui } = portal;
    const pet = find(pets, ui.pet ?? '');
    if (pet === undefined) {
      const found = matching(portal, ui.needle);
      return page('Waiting room', [
        textbox('Animal or keeper', ui.needle, { enter: sniff.entering({}) }),
        list(
          `${Math.min(found.length, 9)} of ${found.length} animals`,
          found.slice(0, 9).map(each => link(tell(each), open.with({ id: each.id }))),
        ),
      ]);
    }
    const { id, breed, chip: number, plan: now, lapsed } = pet;
    return page(tell(pet), [
      link('Waiting room', open.with({ id: null })),
      heading(tell(pet)),
      ui.growl !== '' && alert(ui.growl),
      tab('Cover', turn.with({ side: 'cover' }), ui.side === 'cover' ? ['selected'] : undefined),
      tab('Bills', turn.with({ side: 'bills' }), ui.side === 'bills' ? ['selected'] : undefined),
      tab('Write a bill', turn.with({ side: 'write' }), ui.side === 'write' ? ['selected'] : undefined),
      ui.side === 'cover' &&
        region('Cover', [
          text(`${breed}, chip ${number}`),
          status(lapsed ? 'Cover lapsed' : 'Covered'),
          combobox('Plan', now, { enter: setPlan.entering({ id }), options: plans }),
        ]),
      ui.side === 'bills' &&
        list(
          'Bills',
          bills
            .filter(bill => bill.pet === id)
            .map(bill =>
              bill.sent
                ? text(`${bill.cure}, €${bill.euros}, sent`)
                : button(`Send ${bill.cure}, €${bill.euros}`, sendBill.with({ id: bill.id })),
            ),
        ),
      ui.side === 'write' &&
        form('New bill', [
          combobox('What was done', ui.bill.cure, { enter: jot.entering({ field: 'cure' }), options: cures }),
          textbox('Euros', ui.bill.euros, { enter: jot.entering({ field: 'euros' }) }),
          button('Write it', writeBill.with({ pet: id, ...ui.bill })),
        ]),
    ]);
  },
  templates: [plan, newBill, send, chip, sendAll],
  onRefusal(draft, message) {
    draft.ui.growl = message;
  },
});
