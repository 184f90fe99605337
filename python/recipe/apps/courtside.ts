// The front desk of a tennis club: a day sheet of courts, a three-step booking wizard and a member directory.
import { added, alert, appKit, button, cell, combobox, defineApp, dialog, find, form, heading, link } from 'espalier';
import { menu, menuItem, need, nextId, page, refuse, remove, row, searchBox, table, text, textbox, z } from 'espalier';

const s = z.string();
const state = z.object({
  members: z.array(z.object({ id: s, name: s, phone: s, locker: s })),
  bookings: z.array(z.object({ id: s, court: s, day: s, slot: s, member: s, paid: z.boolean() })),
  ui: z.object({
    screen: z.enum(['sheet', 'card', 'book', 'members', 'member']),
    day: s,
    open: s,
    asking: z.boolean(),
    find: s,
    court: s,
    slot: s,
    note: s,
  }),
});
type Club = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const days = ['Thursday', 'Friday', 'Saturday', 'Sunday'];
const slots = ['08:00', '09:30', '11:00', '14:00', '16:30', '18:00', '20:00'];
const courts = ['Birch', 'Clay One', 'Clay Two', 'Hall A', 'Lakeside'];

const book = command('book_court', {
  about: 'Book a court for a member.',
  input: z.object({ day: s, court: s.min(1), slot: s.min(1), member: s }),
  run(draft, input) {
    need(draft.members, input.member, 'member');
    const same = (other: typeof input) => (['day', 'court', 'slot'] as const).every(key => other[key] === input[key]);
    if (draft.bookings.some(same)) refuse('That court is taken.');
    draft.bookings.push({ id: nextId(draft.bookings, 'b'), ...input, paid: false });
    Object.assign(draft.ui, { screen: 'sheet', court: '', slot: '', note: 'Booked.' });
  },
});
const cancel = command('cancel_booking', {
  about: 'Cancel a booking.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    remove(draft.bookings, need(draft.bookings, id, 'booking').id);
    Object.assign(draft.ui, { screen: 'sheet', open: '', asking: false, note: 'Cancelled.' });
  },
});
const pay = command('mark_paid', {
  about: 'Mark a booking as paid.',
  input: z.object({ id: s }),
  run(draft, { id }) {
    const booking = need(draft.bookings, id, 'booking');
    if (booking.paid) refuse('Paid already.');
    booking.paid = true;
  },
});
const show = gesture('show', {
  about: 'Open a screen.',
  input: z.object({ screen: state.shape.ui.shape.screen, open: s, asking: z.boolean() }),
  run: (draft, input) => void Object.assign(draft.ui, input, { note: '', court: '', slot: '', find: '' }),
});
const choose = gesture('choose', {
  about: 'Choose a day, court, time, or words to search.',
  input: z.object({ what: z.enum(['day', 'court', 'slot', 'find']), value: s.max(40) }),
  run: (draft, { what, value }) => void (draft.ui[what] = value),
});
const to = (screen: Club['ui']['screen'], open = '', asking = false) => show.with({ screen, open, asking });

function sheet({ bookings, members, ui }: Club) {
  const today = bookings.filter(({ day }) => day === ui.day);
  return table(`Sheet for ${ui.day}`, [
    combobox('Day', ui.day, { enter: choose.entering({ what: 'day' }), options: days }),
    ...slots
      .flatMap(slot => today.filter(item => item.slot === slot))
      .map(({ id, slot, court, member, paid }) =>
        row(`${slot} ${court}`, [
          cell(need(members, member, 'member').name),
          link(`${slot} ${court}`, to('card', id)),
          paid ? cell('paid') : button(`Take payment ${slot} ${court}`, pay.with({ id })),
        ]),
      ),
  ]);
}
function screenOf(club: Club) {
  const { bookings, members, ui } = club;
  const booking = find(bookings, ui.open);
  const member = find(members, ui.open);
  const hits = members.filter(({ name }) => name.toLowerCase().includes(ui.find.toLowerCase()));
  if (booking && ui.asking)
    return dialog('Cancel this booking?', [
      text(`${booking.court}, ${booking.day} ${booking.slot}`),
      button('Yes, free the court', cancel.with({ id: booking.id })),
      button('Keep it', to('card', booking.id)),
    ]);
  if (ui.screen === 'card' && booking)
    return form('Booking', [
      heading(`${booking.court}, ${booking.day} ${booking.slot}`),
      link(need(members, booking.member, 'member').name, to('member', booking.member)),
      text(booking.paid ? 'Fee: paid' : 'Fee: open'),
      button('Cancel booking…', to('card', booking.id, true)),
    ]);
  if (ui.screen === 'member' && member)
    return form(member.name, [text(`Mobile ${member.phone}`), text(`Locker ${member.locker}`)]);
  if (ui.screen === 'members')
    return searchBox('Member directory', [
      textbox('Name contains', ui.find, { enter: choose.entering({ what: 'find' }) }),
      ui.find === '' && text('Type a name to look somebody up.'),
      ...(ui.find === '' ? [] : hits.map(({ id, name }) => link(name, to('member', id)))),
    ]);
  if (ui.screen === 'book' && ui.court === '')
    return form(
      'Book a court, step 1 of 3',
      courts.map(value => button(value, choose.with({ what: 'court', value }))),
    );
  if (ui.screen === 'book' && ui.slot === '')
    return form(
      'Book a court, step 2 of 3',
      slots
        .filter(slot =>
          bookings.every(other => other.day !== ui.day || other.court !== ui.court || other.slot !== slot),
        )
        .map(value => button(`${ui.day} ${value}`, choose.with({ what: 'slot', value }))),
    );
  if (ui.screen === 'book')
    return form(
      `Book a court, step 3 of 3: who plays ${ui.court}, ${ui.day} ${ui.slot}?`,
      members.map(({ id, name }) =>
        button(name, book.with({ day: ui.day, court: ui.court, slot: ui.slot, member: id })),
      ),
    );
  return sheet(club);
}

const pick = (at: number, forms: string[]) => forms[at % forms.length] ?? '';
const firsts = 'Ana,Bodo,Celia,Dirk,Elin,Farid,Greta,Hugo,Iris,Jonas,Kaja,Leo,Mona,Nils,Olga,Pavel,Rosa'.split(',');
const lasts = 'Ruiz,Lind,Marsh,Novak,Quist,Hale,Brandt,Costa,Ferri,Oduya,Stone,Winter,Yilmaz,Zeller'.split(',');
type Dice = { pick<T>(items: readonly T[]): T; between(low: number, high: number): number };
const whose = ({ bookings, members }: Club, random: Dice) => {
  const { id, court, day, slot, member } = random.pick(bookings);
  return { id, court, day, slot, who: member, name: need(members, member, 'member').name, at: random.between(0, 5) };
};

const bookFor = template('book-court', {
  about: 'Book a court.',
  split: 'train',
  sample({ bookings, members }, random) {
    const [court, day, slot] = [random.pick(courts), random.pick(days), random.pick(slots)];
    if (bookings.some(item => item.court === court && item.day === day && item.slot === slot)) return null;
    const { id, name } = random.pick(members);
    return { id, name, court, day, slot, at: random.between(0, 5) };
  },
  instruction: ({ name, court, day, slot, at }) =>
    pick(at, [
      `${court}, ${day} ${slot}, for ${name}.`,
      `${name} is on the phone and wants to play on ${court} on ${day} at ${slot}. Put that in, please.`,
      `Reserve ${court} for ${name}: ${day}, ${slot}.`,
      `Could we get ${name} onto ${court} this ${day}? The ${slot} slot.`,
      `New booking -> member ${name}, ${day}, ${slot}, court ${court}`,
      `Since ${name} has practice on ${day}, ${court} has to be booked in that name at ${slot}.`,
    ]),
  checks: ({ id, court, day, slot }) => [
    {
      name: 'one booking was made',
      test(final, initial) {
        const [made, ...more] = added(initial.bookings, final.bookings);
        if (made?.court !== court || made.paid || more.length > 0) return false;
        return made.day === day && made.slot === slot && made.member === id;
      },
    },
  ],
  allow: () => ['/bookings/+'],
});
const cancelIt = template('cancel-booking', {
  about: 'Cancel a booking.',
  split: 'train',
  sample: whose,
  instruction: ({ name, court, day, slot, at }) =>
    pick(at, [
      `Cancel ${court} on ${day} at ${slot}.`,
      `${name} is ill and cannot play ${court} on ${day}, ${slot}. Free the court.`,
      `Please take the ${day} ${slot} booking of ${name} off ${court}.`,
      `${day}: ${court} ${slot} won't be needed any more, ${name} just called.`,
      `free up ${court}, ${day} ${slot}`,
      `We have to water ${court} on ${day} at ${slot}, so the booking there must go.`,
    ]),
  checks: ({ id }) => [{ name: 'the booking is gone', test: final => !find(final.bookings, id) }],
  allow: ({ id }) => [`/bookings/${id}`],
});
const paidNow = template('take-payment', {
  about: 'Mark a booking as paid.',
  split: 'train',
  sample: whose,
  setup: (draft, { id }) => void (need(draft.bookings, id, 'booking').paid = false),
  instruction: ({ name, court, day, slot, at }) =>
    pick(at, [
      `${name} has paid for ${day} ${slot}, ${court}.`,
      `Got cash from ${name} for ${court} on ${day} (${slot}). Tick it off?`,
      `Take payment: ${day}, ${slot}, ${court}.`,
      `The fee for ${court} at ${slot} on ${day} came in today, note that please.`,
      `Mark ${court}, ${day} ${slot}, as paid`,
      `So that nobody asks ${name} again: ${day} ${slot} on ${court} is settled, record it.`,
    ]),
  checks: ({ id }) => [{ name: 'it is paid', test: final => find(final.bookings, id)?.paid === true }],
  allow: ({ id }) => [`/bookings/${id}/paid`],
});
const whoToCall = template('phone-of-booker', {
  about: 'Say the phone number of who booked a court.',
  split: 'train',
  sample: whose,
  instruction: ({ court, day, slot, at }) =>
    pick(at, [
      `Which number do I call to reach whoever has ${court} on ${day} at ${slot}?`,
      `Somebody left a racket on ${court} after ${day} ${slot}. What's the mobile of that player?`,
      `Phone of the member playing ${court}, ${day} ${slot}?`,
      `Find out who booked ${court} for ${day}, ${slot}, and give me their mobile number.`,
      `I need to ring the ${slot} people of ${court} (${day}). Number please.`,
      `Mobile number, ${day} ${slot} ${court} booking`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ who }, { members }) => find(members, who)?.phone ?? '',
  shown: ({ ui }, { id, who }) => [ui.screen === 'card' && ui.open === id, ui.screen === 'member' && ui.open === who],
});

export const app = defineApp({
  id: 'courtside',
  title: 'Courtside',
  about: 'The front desk of a tennis club.',
  state,
  init(random) {
    const names = random.sample(
      firsts.flatMap(first => lasts.map(last => `${first} ${last}`)),
      12,
    );
    const members = names.map((name, at) => ({
      id: `m${at + 1}`,
      name,
      phone: `07${random.between(1000000, 9999999)}`,
      locker: `${at * 7 + 3}`,
    }));
    const places = days.flatMap(day => courts.flatMap(court => slots.map(slot => ({ day, court, slot }))));
    const bookings = random
      .sample(places, 26)
      .map((place, at) => ({ id: `b${at + 1}`, ...place, member: random.pick(members).id, paid: random.chance(0.4) }));
    const blank = { open: '', asking: false, find: '', court: '', slot: '', note: '' };
    return { members, bookings, ui: { screen: 'sheet' as const, day: 'Thursday', ...blank } };
  },
  commands: [book, cancel, pay, show, choose],
  view: club =>
    page('Courtside', [
      menu('Desk', [menuItem('Sheet', to('sheet')), menuItem('Book', to('book')), menuItem('Members', to('members'))]),
      club.ui.note !== '' && alert(club.ui.note),
      screenOf(club),
    ]),
  templates: [bookFor, cancelIt, paidNow, whoToCall],
  onRefusal: (draft, message) => void (draft.ui.note = message),
});
