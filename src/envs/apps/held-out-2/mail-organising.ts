import { added, find, need, nextId } from '../../../worlds/app/table.ts';
import { signed } from '../mail/commands-messages.ts';
import { isFirst, oneSent } from '../mail/picking.ts';
import { choiceNames, choices, contactsNamed, template, type Choice, type Mail } from '../mail/state.ts';
import { newPeople, newSubjects, newTexts } from '../mail/words.ts';

const signatures = [
  'Warm regards',
  'Talk soon',
  'Many thanks and see you',
  'With kind greetings',
  'Cheers from the road',
  'Yours, as ever',
];

const retireRules = template('retire-rules', {
  about: 'Turn one mail rule off and delete another.',
  split: 'test-2',
  sample(mail, random) {
    const [off, gone] = random.sample(mail.rules, 2);
    if (off === undefined || gone === undefined) return null;
    return { off: { id: off.id, from: off.from }, gone: { id: gone.id, from: gone.from } };
  },
  setup(draft, { off }) {
    need(draft.rules, off.id, 'rule').on = true;
  },
  instruction: ({ off, gone }, random) =>
    random.pick([
      `Switch off the rule for mail from ${off.from}, and delete the one for ${gone.from}.`,
      `I have too many mail rules. The one for ${gone.from} can go. The one for ${off.from} should stay, but not be on.`,
      `Two changes to my rules, please: remove ${gone.from}, pause ${off.from}.`,
    ]),
  checks: ({ off, gone }) => [
    { id: 'is-off', name: `the rule for ${off.from} is off`, test: final => find(final.rules, off.id)?.on === false },
    {
      id: 'is-deleted',
      name: `the rule for ${gone.from} is deleted`,
      test: final => find(final.rules, gone.id) === undefined,
    },
  ],
  allow: ({ off, gone }) => [`/rules/${off.id}/on`, `/rules/${gone.id}`],
});

const writeToContact = template('write-to-contact', {
  about: 'Write to somebody whose address is in the contacts; in half of the tasks it is not there.',
  split: 'test-2',
  kind: 'infeasible',
  sample(mail, random) {
    const known = random.chance(0.5) ? random.pick(mail.contacts) : null;
    return {
      made: nextId(mail.messages, 'm'),
      contact: known?.name ?? random.pick(newPeople),
      id: known?.id ?? null,
      subject: random.pick(newSubjects),
      text: random.pick(newTexts),
    };
  },
  isTwin: ({ id }) => id !== null,
  instruction: ({ contact: name, subject, text }, random) =>
    random.pick([
      `Send ${name} a message. Use the address that is in my contacts, the subject "${subject}" and the text "${text}"`,
      `Write to ${name}, subject "${subject}", text "${text}" I don't know the address by heart, but it is among my contacts.`,
      `Please look up ${name} in the contacts and mail this: "${text}" Subject: "${subject}".`,
    ]),
  checks: ({ id, contact: name, subject, text }) => [
    {
      name: `the message goes to ${name}`,
      test(final, initial) {
        const to = addressOf(initial, id);
        return to !== null && recipientOf(final, initial) === to;
      },
    },
    oneSent(`to ${name}, "${subject}", "${text}"`, (sent, initial) => {
      const to = addressOf(initial, id);
      return to !== null && isFirst(sent, { to, subject, body: signed(initial, text) });
    }),
  ],
  allow: ({ made }) => [`/messages/${made}`],
  shown: (mail, { contact }) => isLookedUp(mail, contact),
});

function addressOf({ contacts }: Mail, id: string | null): string | null {
  return find(contacts, id ?? '')?.email ?? null;
}

/** Who gets the message that was sent or, until then, the new one that is being written. */
function recipientOf({ messages, ui }: Mail, initial: Mail): string | null {
  const [sent] = added(initial.messages, messages);
  const isNew = ui.screen === 'compose' && ui.mode === 'new';
  return sent?.to ?? (isNew ? ui.fields.to : null);
}

const contactsPerPage = 10;

/** That a name is not among the contacts shows in a search for it, or on both pages of the whole list. */
function isLookedUp({ contacts, ui }: Mail, name: string): readonly boolean[] {
  const query = ui.query.trim().toLowerCase();
  const isSearched =
    query !== '' && name.toLowerCase().includes(query) && contactsNamed(contacts, query).length <= contactsPerPage;
  return [ui.page <= 1, ui.page > 1].map(
    isPage => ui.screen === 'contacts' && (isSearched || (query === '' && isPage)),
  );
}

const keepSignature = template('keep-signature', {
  about: 'Make sure of the signature and a setting; in half of the tasks one of them is another.',
  split: 'test-2',
  kind: 'already-done',
  sample(_mail, random) {
    const [signature = '', otherSignature = ''] = random.sample(signatures, 2);
    const setting = random.pick(Object.keys(choices) as Choice[]);
    const [value = '', otherValue = ''] = random.sample<string>(choices[setting], 2);
    const missing = random.chance(0.5) ? random.pick(['signature', 'setting']) : null;
    const isSet = { signatureIsSet: missing !== 'signature', settingIsSet: missing !== 'setting' };
    return { signature, otherSignature, setting, value, otherValue, ...isSet };
  },
  isTwin: ({ signatureIsSet, settingIsSet }) => signatureIsSet === false || settingIsSet === false,
  setup({ settings }, { signature, otherSignature, setting, value, otherValue, signatureIsSet, settingIsSet }) {
    settings.signature = signatureIsSet ? signature : otherSignature;
    Object.assign(settings, { [setting]: settingIsSet ? value : otherValue });
  },
  instruction: ({ signature, setting, value }, random) =>
    random.pick([
      `Every mail I send should end with "${signature}", and "${choiceNames[setting]}" should be ${value}. Check both and fix what is not so.`,
      `Make sure that my signature line is "${signature}" and that the setting ${choiceNames[setting]} says ${value}.`,
      `Is my signature "${signature}"? It should be. And I want "${value}" for ${choiceNames[setting]}. Correct whatever differs.`,
    ]),
  checks: ({ signature, setting, value }) => [
    { id: 'signature', name: `the signature is "${signature}"`, test: final => final.settings.signature === signature },
    { id: 'setting', name: `${choiceNames[setting]} is ${value}`, test: final => final.settings[setting] === value },
  ],
  allow: ({ setting, signatureIsSet }) => [signatureIsSet ? `/settings/${setting}` : '/settings/signature'],
  // What was typed into the field of the signature hides the one that is saved.
  shown: ({ ui, settings }) => ui.screen === 'settings' && ui.fields.subject === settings.signature,
});

export const mailOrganisingTemplates = [retireRules, writeToContact, keepSignature];
