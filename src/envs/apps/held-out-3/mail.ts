import { find, need } from '../../../worlds/app/table.ts';
import { distant, messageIs, pickOne } from '../mail/picking.ts';
import { colours, folderNames, listed, template, type Mail } from '../mail/state.ts';
import { companies, newLabels } from '../mail/words.ts';

/** Unseen skill: no training task edits a label. */
const renameLabel = template('rename-and-recolour', {
  about: 'Give a label another name and another colour.',
  split: 'test-3',
  sample(mail, random) {
    const { id, name: old, colour: before } = random.pick(mail.labels);
    const taken = new Set(mail.labels.map(({ name }) => name));
    const name = random.pick(newLabels.filter(known => !taken.has(known)));
    return { id, old, name, colour: random.pick(colours.filter(known => known !== before)) };
  },
  instruction: ({ old, name, colour }, random) =>
    random.pick([
      `My label ${old} should be called "${name}" from now on, and it should be ${colour}.`,
      `Edit the label ${old}: new name "${name}", colour ${colour}.`,
      `Turn the label ${old} into "${name}" and make it ${colour}. The messages keep it.`,
    ]),
  checks: ({ id, name, colour }) => [
    { id: 'name', name: `the label is called ${name}`, test: final => find(final.labels, id)?.name === name },
    { id: 'colour', name: `its colour is ${colour}`, test: final => find(final.labels, id)?.colour === colour },
  ],
  allow: ({ id }) => [`/labels/${id}/name`, `/labels/${id}/colour`],
});

/** Unseen skill: no training task edits a contact. */
const changedJob = template('changed-job', {
  about: 'Change the company and the address of a contact.',
  split: 'test-3',
  sample(mail, random) {
    const { id, name, company: before } = random.pick(mail.contacts);
    const company = random.pick(companies.filter(known => known !== before));
    const host = `${company.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
    return { id, name, company, email: `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@${host}` };
  },
  instruction: ({ name, company, email }, random) =>
    random.pick([
      `${name} works for "${company}" now and can be reached at ${email}. Update the contact.`,
      `Please change two things in my contacts for ${name}: the company is "${company}", the address ${email}.`,
      `New job for ${name}: company "${company}", email ${email}. The phone number stays.`,
    ]),
  checks: ({ id, name, company, email }) => [
    {
      id: 'company',
      name: `the company of ${name} is ${company}`,
      test: final => find(final.contacts, id)?.company === company,
    },
    { id: 'email', name: `the address is ${email}`, test: final => find(final.contacts, id)?.email === email },
  ],
  allow: ({ id }) => [`/contacts/${id}/company`, `/contacts/${id}/email`],
});

/** New composition: labelling and archiving are taught, not together. */
const fileUnderLabel = template('file-under-label', {
  about: 'Put a label on a message and archive it.',
  split: 'test-3',
  sample(mail, random) {
    const found = pickOne(
      distant(mail).filter(item => item.labels.length === 0),
      random,
    );
    const label = random.pick(mail.labels);
    return found && { id: found.id, subject: found.subject, sender: found.sender, label: label.id, name: label.name };
  },
  instruction: ({ subject, sender, name }, random) =>
    random.pick([
      `File "${subject}" from ${sender} away: it gets the label ${name} and goes to the archive.`,
      `Label the message "${subject}" as ${name}, then archive it.`,
      `I am done with "${subject}" by ${sender}. Keep it in the archive, with the label ${name} so that I can find it.`,
    ]),
  checks: ({ id, subject, label, name }) => [
    {
      id: 'label',
      ...messageIs(
        id,
        `the only label of "${subject}" is ${name}`,
        ({ labels }) => labels.length === 1 && labels[0] === label,
      ),
    },
    { id: 'archived', ...messageIs(id, `"${subject}" is archived`, ({ folder }) => folder === 'archive') },
  ],
  allow: ({ id }) => [`/messages/${id}/labels`, `/messages/${id}/folder`],
});

const kinds = { Starred: 'starred', 'With attachment': 'with an attachment' } as const;

/** New composition: folders and filters are taught, counting what a filter leaves is not. */
const countInFolder = template('count-in-folder', {
  about: 'Tell how many messages of a kind are in a folder.',
  split: 'test-3',
  sample(mail, random) {
    const folder = random.pick(['inbox', 'archive', 'sent'] as const);
    const show = random.pick(['Starred', 'With attachment'] as const);
    const found = listed(mail.messages, { folder, show, order: 'Newest first', label: null, query: '' });
    return found.length < 2 ? null : { folder, show };
  },
  instruction: ({ folder, show }, random) =>
    random.pick([
      `How many messages ${kinds[show]} are in ${folderNames[folder]}? Answer with the number.`,
      `Count the messages in the folder ${folderNames[folder]} that are ${kinds[show]}, and tell me how many there are.`,
      `Look into ${folderNames[folder]}: what is the number of messages ${kinds[show]}?`,
    ]),
  checks: () => [],
  allow: () => [],
  answer: ({ folder, show }, { messages }) =>
    String(listed(messages, { folder, show, order: 'Newest first', label: null, query: '' }).length),
  shown({ ui }, { folder, show }) {
    const isNarrowed = ui.folder === folder && ui.show === show && ui.label === null && ui.query === '';
    return ui.screen === 'mail' && ui.dialog === null && isNarrowed;
  },
});

/** Unseen skill: no training task turns a rule on or off. */
const rulesAreSet = template('rules-are-set', {
  about: 'Make sure that one rule is on and another is off; in half of the tasks one of them is not so.',
  split: 'test-3',
  kind: 'already-done',
  sample(mail, random) {
    const [on, off] = random.sample(mail.rules, 2);
    if (on === undefined || off === undefined) return null;
    const wrong = random.chance(0.5) ? random.pick(['on', 'off'] as const) : null;
    return { on: { id: on.id, from: on.from }, off: { id: off.id, from: off.from }, wrong };
  },
  isTwin: ({ wrong }) => wrong !== null,
  setup(draft, { on, off, wrong }) {
    need(draft.rules, on.id, 'rule').on = wrong !== 'on';
    need(draft.rules, off.id, 'rule').on = wrong === 'off';
  },
  instruction: ({ on, off }, random) =>
    random.pick([
      `The rule for ${on.from} has to be on and the one for ${off.from} off. Check, and correct it if it is not so.`,
      `Make sure that mail from ${on.from} is sorted by its rule, and that the rule for ${off.from} is switched off.`,
      `Is the rule for ${off.from} off, and the rule for ${on.from} on? That is how I want them.`,
    ]),
  checks: ({ on, off }) => [
    { id: 'is-on', name: `the rule for ${on.from} is on`, test: final => find(final.rules, on.id)?.on === true },
    { id: 'is-off', name: `the rule for ${off.from} is off`, test: final => find(final.rules, off.id)?.on === false },
  ],
  allow: ({ on, off, wrong }) => [`/rules/${wrong === 'on' ? on.id : off.id}/on`],
  shown: ({ ui }: Mail) => ui.screen === 'rules',
});

/** Unseen skill: no training task edits a label. */
const recolourMissing = template('recolour-missing-label', {
  about: 'Change the colour of a label that in half of the tasks does not exist.',
  split: 'test-3',
  kind: 'infeasible',
  sample(mail, random) {
    const known = random.chance(0.5) ? random.pick(mail.labels) : null;
    const taken = new Set(mail.labels.map(({ name }) => name));
    const name = known?.name ?? random.pick(newLabels.filter(other => !taken.has(other)));
    return {
      id: known?.id ?? null,
      name,
      colour: random.pick(colours.filter(other => other !== known?.colour)),
    };
  },
  isTwin: ({ id }) => id !== null,
  instruction: ({ name, colour }, random) =>
    random.pick([
      `Make my label ${name} ${colour}.`,
      `The label ${name} should get another colour: ${colour}.`,
      `Please change the colour of the label ${name} to ${colour}, its name stays.`,
    ]),
  checks: ({ id, name, colour }) => [
    { id: 'colour', name: `${name} is ${colour}`, test: final => find(final.labels, id ?? '')?.colour === colour },
  ],
  allow: ({ id }) => (id === null ? [] : [`/labels/${id}/colour`]),
  shown: ({ ui }: Mail) => ui.screen === 'labels' && ui.dialog === null,
});

export const mailThirdSet = [renameLabel, changedJob, fileUnderLabel, countInFolder, rulesAreSet, recolourMissing];
