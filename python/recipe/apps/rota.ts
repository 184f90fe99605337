// The shift rota of a café: days of shifts, staff with skills and hours, leave requests to decide, shift hand-overs.
import { alert, appKit, button, cell, combobox, defineApp, find, heading, link, list, listItem, need } from 'espalier';
import { page, radio, refuse, region, row, status, tab, table, text, textbox, toolbar, z } from 'espalier';

const s = z.string();
const state = z.object({
  staff: z.array(z.object({ id: s, name: s, skill: s, hours: z.int(), door: s })),
  shifts: z.array(z.object({ id: s, day: s, part: s, task: s, who: s, note: s })),
  leave: z.array(z.object({ id: s, who: s, dates: s, verdict: z.enum(['waiting', 'granted', 'refused']) })),
  ui: z.object({ board: s, day: s, shift: s, person: s, note: s, word: s, read: z.boolean(), knew: z.boolean() }),
});
type Rota = z.infer<typeof state>;
const { command, gesture, template } = appKit(state);
const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const parts = ['early', 'midday', 'late'];

const hand = command('hand_over', {
  about: 'Hand a shift over to somebody.',
  input: z.object({ id: s, value: s }),
  run(draft, { id, value }) {
    if (!draft.staff.some(({ name }) => name === value)) refuse(`${value} does not work here.`);
    need(draft.shifts, id, 'shift').who = value;
    draft.ui.knew = draft.ui.read;
  },
});
const remark = command('leave_note', {
  about: 'Leave a note on a shift.',
  input: z.object({ id: s, note: s.trim().min(1, 'The note is empty.') }),
  run(draft, { id, note }) {
    need(draft.shifts, id, 'shift').note = note;
    draft.ui.note = '';
  },
});
const decide = command('decide_leave', {
  about: 'Grant or refuse a request for leave.',
  input: z.object({ id: s, verdict: z.enum(['granted', 'refused']) }),
  run(draft, { id, verdict }) {
    const request = need(draft.leave, id, 'request');
    if (request.verdict !== 'waiting') refuse('Decided already.');
    request.verdict = verdict;
  },
});
const turn = gesture('turn', {
  about: 'Turn to a board, a day, a shift or a person.',
  input: z.object({ board: s, shift: s, person: s }),
  run(draft, input) {
    Object.assign(draft.ui, input, { note: '', word: '' });
    if (input.board === 'team' && input.person === '') draft.ui.read = true;
  },
});
const pickDay = gesture('pick_day', {
  about: 'Show another day.',
  input: z.object({ day: s }),
  run: (draft, { day }) => void Object.assign(draft.ui, { day, shift: '' }),
});
const scribble = gesture('scribble', {
  about: 'Write a note.',
  input: z.object({ value: s.max(60) }),
  run: (draft, { value }) => void (draft.ui.note = value),
});
const to = (board: string, shift = '', person = '') => turn.with({ board, shift, person });

function board({ staff, shifts, leave, ui }: Rota) {
  const shift = find(shifts, ui.shift);
  const person = find(staff, ui.person);
  if (shift)
    return region(`${shift.day}, ${shift.part} shift`, [
      heading(`${shift.task} (${shift.day} ${shift.part})`),
      combobox('Worked by', shift.who, { enter: hand.entering({ id: shift.id }), options: staff.map(one => one.name) }),
      text(shift.note === '' ? 'no note' : `note: ${shift.note}`),
      textbox('Note for this shift', ui.note, { enter: scribble.entering({}) }),
      button('Stick note', remark.with({ id: shift.id, note: ui.note })),
    ]);
  if (person) return region(person.name, [text(`${person.hours} hours this month`), text(`Door code ${person.door}`)]);
  if (ui.board === 'team')
    return table(
      'Team',
      staff.map(({ id, name, skill }) => row(name, [link(name, to('team', '', id)), cell(skill)])),
    );
  if (ui.board === 'leave')
    return list(
      'Leave',
      leave.map(({ id, who, dates, verdict }) =>
        listItem(
          `${who}, ${dates}`,
          verdict === 'waiting'
            ? [
                button(`Grant ${who} ${dates}`, decide.with({ id, verdict: 'granted' })),
                button(`Refuse ${who} ${dates}`, decide.with({ id, verdict: 'refused' })),
              ]
            : [status(verdict)],
        ),
      ),
    );
  return region('Week', [
    ...week.map(day => radio(day, day === ui.day, pickDay.with({ day }))),
    list(
      `Shifts on ${ui.day}`,
      shifts
        .filter(({ day }) => day === ui.day)
        .map(({ id, part, task, who }) => link(`${part}: ${task}, ${who}`, to('week', id))),
    ),
  ]);
}

const one = (f: number, forms: string[]) => forms[f % forms.length] ?? '';
const firsts = 'Ayla,Bram,Cosima,Dean,Edda,Flo,Gus,Hedi,Ilja,Juno,Kim,Lars,Mirza,Nell,Otis,Pia,Remy,Uma'.split(',');
const skills = ['latte art', 'baking', 'till', 'first aid', 'dish machine', 'keys', 'orders', 'terrace'];
const tasks = ['bar', 'kitchen', 'counter'];
const notes = (
  'Bring the spare keys|Milk comes at seven|Terrace is closed|School class at ten|Clean the grinder|' +
  'Cash box is low|Plumber at noon|Use up the plums|Try the new oven|Count the cups|Band plays tonight'
).split('|');
const spans = '2 to 6 May,9 May,12 to 14 May,19 to 30 May,1 June,5 to 8 June,20 June,24 to 28 June,3 July'.split(',');

const swap = template('hand-over-shift', {
  about: 'Hand a shift to a colleague.',
  split: 'train',
  sample({ shifts, staff }, random) {
    const [{ id, day, part, task, who }, { name }] = [random.pick(shifts), random.pick(staff)];
    return who === name ? null : { id, day, part, task, who, name, f: random.between(0, 5) };
  },
  instruction: ({ day, part, task, who, name, f }) =>
    one(f, [
      `${name} takes the ${part} ${task} shift on ${day}.`,
      `${who} can't come on ${day}, so ${name} does the ${part} shift at the ${task} instead.`,
      `${day} ${part} ${task}: ${who} -> ${name}`,
      `Could you give the ${task} shift (${day}, ${part}) to ${name}?`,
      `${name} and ${who} have agreed that ${name} works ${task} on ${day} ${part}. Put it into the rota.`,
      `Please swap ${who} for ${name} in the ${part} ${task} shift of ${day}.`,
    ]),
  checks: ({ id, name }) => [{ name: 'the shift is handed over', test: final => find(final.shifts, id)?.who === name }],
  allow: ({ id }) => [`/shifts/${id}/who`],
});
const bySkill = template('shift-by-skill', {
  about: 'Give a shift to the one with a skill.',
  split: 'train',
  sample({ shifts, staff }, random) {
    const [{ id, day, part, task, who }, { name, skill }] = [random.pick(shifts), random.pick(staff)];
    return who === name ? null : { id, day, part, task, skill, name, f: random.between(0, 5) };
  },
  instruction: ({ day, part, task, skill, f }) =>
    one(f, [
      `Put the person who knows ${skill} on the ${part} ${task} shift on ${day}.`,
      `For ${day}, ${part}, ${task}: we need whoever has "${skill}" as a skill.`,
      `Who of us can do ${skill}? That person should work ${task} on ${day}, ${part}.`,
      `${day} ${part} ${task} = our ${skill} person`,
      `There'll be an inspection on ${day}, so let the one with ${skill} have the ${part} shift at the ${task}.`,
      `Please find the colleague listed with ${skill} and hand them the ${part} ${task} shift of ${day}.`,
    ]),
  checks: ({ id, name }) => [
    { name: 'the right person works', test: final => find(final.shifts, id)?.who === name },
    { name: 'the team list was read first', test: final => final.ui.knew },
  ],
  allow: ({ id }) => [`/shifts/${id}/who`],
});
const noteIt = template('note-on-shift', {
  about: 'Leave a note on a shift.',
  split: 'train',
  sample({ shifts }, random) {
    const { id, day, part, task } = random.pick(shifts);
    return { id, day, part, task, note: random.pick(notes), f: random.between(0, 5) };
  },
  instruction: ({ day, part, task, note, f }) =>
    one(f, [
      `Note for ${day} ${part}, ${task}: "${note}"`,
      `Whoever works ${task} on ${day} (${part}) should know: "${note}".`,
      `Stick "${note}" onto the ${part} ${task} shift on ${day}.`,
      `I keep forgetting to tell the ${part} ${task} people of ${day} this: "${note}". Leave them a note?`,
      `Please leave the note "${note}" with the ${task} shift, ${day} ${part}.`,
      `${day}, ${task}, ${part}. "${note}". As a note, thanks!`,
    ]),
  checks: ({ id, note }) => [{ name: 'the note is there', test: final => find(final.shifts, id)?.note === note }],
  allow: ({ id }) => [`/shifts/${id}/note`],
});
const rule = template('decide-leave', {
  about: 'Decide about leave.',
  split: 'train',
  sample: ({ leave }, random) => ({ ...random.pick(leave), yes: random.chance(0.6), f: random.between(0, 5) }),
  setup: (draft, { id }) => void (need(draft.leave, id, 'request').verdict = 'waiting'),
  instruction: ({ who, dates, yes, f }) =>
    one(f, [
      `${yes ? 'Grant' : 'Refuse'} the leave of ${who}, ${dates}.`,
      yes ? `${who} may take ${dates} off.` : `Sorry, but ${who} can't be away ${dates}. Turn it down.`,
      `leave ${who} ${dates}: ${yes ? 'yes' : 'no'}`,
      `${who} asked for ${dates}. ${yes ? 'Fine with me, approve it.' : 'We are too few then, say no.'}`,
      `About the holiday request (${dates}) of ${who}: please ${yes ? 'accept' : 'decline'} it.`,
      yes ? `Make ${who} happy and approve ${dates}.` : `I need everybody ${dates}, so ${who} gets a refusal.`,
    ]),
  checks: ({ id, yes }) => [
    { name: 'the verdict is right', test: final => find(final.leave, id)?.verdict === (yes ? 'granted' : 'refused') },
  ],
  allow: ({ id }) => [`/leave/${id}/verdict`],
});
const doorCode = template('code-of-shift', {
  about: 'Say the door code of who works a shift.',
  split: 'train',
  sample: ({ shifts }, random) => ({ ...random.pick(shifts), f: random.between(0, 5) }),
  instruction: ({ day, part, task, f }) =>
    one(f, [
      `What's the door code of whoever works ${task} on ${day} ${part}?`,
      `The alarm went off during the ${part} ${task} shift on ${day}. Which door code does that colleague have?`,
      `door code, ${day} ${part} ${task}`,
      `Look up who does ${task} on ${day}, ${part}, and give me their door code.`,
      `I have to renew a code: the one of the person in the ${part} ${task} shift of ${day}. What is it?`,
      `Please tell me the code for the door that the ${day} ${part} ${task} person uses.`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ who }, { staff }) => staff.find(({ name }) => name === who)?.door ?? '',
  shown: ({ ui, staff }, { day, who }) => [
    ui.board === 'week' && ui.day === day,
    ui.person !== '' && find(staff, ui.person)?.name === who,
  ],
});

export const app = defineApp({
  id: 'rota',
  title: 'Café rota',
  about: 'The shift rota of a café.',
  state,
  init(random) {
    const staff = random.sample(firsts, 8).map((name, at) => ({
      id: `p${at + 1}`,
      name,
      skill: skills[at] ?? '',
      hours: at * 9 + 40,
      door: `${random.between(1000, 9999)}`,
    }));
    const slots = week.flatMap(day => parts.flatMap(part => tasks.map(task => ({ day, part, task }))));
    const shifts = slots.map((slot, at) => ({ id: `s${at + 1}`, ...slot, who: random.pick(staff).name, note: '' }));
    const leave = random
      .sample(spans, 8)
      .map((dates, at) => ({ id: `l${at + 1}`, who: random.pick(staff).name, dates, verdict: 'waiting' as const }));
    const ui = { board: 'week', day: 'Mon', shift: '', person: '', note: '', word: '', read: false, knew: false };
    return { staff: random.shuffle(staff), shifts, leave, ui };
  },
  commands: [hand, remark, decide, turn, pickDay, scribble],
  view: rota =>
    page('Café rota', [
      toolbar('Boards', [tab('Week', to('week')), tab('Team', to('team')), tab('Leave', to('leave'))]),
      rota.ui.word !== '' && alert(rota.ui.word),
      board(rota),
    ]),
  templates: [swap, bySkill, noteIt, rule, doorCode],
  onRefusal: (draft, message) => void (draft.ui.word = message),
});
