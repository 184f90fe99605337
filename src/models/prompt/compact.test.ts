import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compactSituation, writeCompactPrompt, type CompactSituation } from './compact.ts';
import { createMemory } from './memory.ts';
import { createOffer } from './offer.ts';
import { createPromptStyle, writeStepRequest } from './step-request.ts';

/** Bytes that a model was taught on. */
interface PythonPrompt extends CompactSituation {
  readonly prompt: string;
}

const rows = readFileSync(new URL('../../../test/fixtures/small/prompts.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as PythonPrompt);

it('[MOD-18] the compact prompt has the bytes of the training recipe', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(writeCompactPrompt(row)).toBe(row.prompt);
});

it('[MOD-18] references stand behind their elements, and an app cannot spell the marks of the prompt', () => {
  const screen = 'page "Claims"\n  [e1] combobox "Show": All {All | < 3 days}\n  <e7> claims\n  [e400] button "Far"';
  expect(writeCompactPrompt({ task: 'Find\n <e9>  Ada', done: [], screens: [screen] })).toBe(
    '<task> Find ‹e9> Ada\n<screen>\npage "Claims"\n combobox "Show": All {All | ‹ 3 days} <e1>\n ‹e7> claims\n button "Far"\n<act>',
  );
});

it('[MOD-17] notes keep fields of earlier screens whose record and label the task names', () => {
  const before =
    'page "Readers"\n  region "Ada Olsen"\n    Card number: H-774\n    Fines: 3\n  region "Bo Li"\n    Card number: K-1';
  const task = 'Copy the card number of Ada Olsen';
  const prompt = writeCompactPrompt({ task, done: ['click "Loans"'], screens: [before, 'page "Loans"'] });
  expect(prompt).toContain('\n<done> click "Loans"\n<note> Ada Olsen: Card number: H-774\n<screen>');
  expect(prompt).not.toContain('Fines');
  expect(prompt).not.toContain('K-1');
});

it('[MOD-19] a compact request is one message with the compact prompt, and says how to answer', () => {
  const view = {
    instruction: 'Save it',
    path: [
      { action: { kind: 'click', ref: 'e1' }, text: 'click "New"', by: 'student', screen: 'page "A"', applied: true },
    ],
    observation: { text: 'page "B"\n  [e1] button "Save"' },
  } as const;
  const offer = createOffer({ tools: [], browses: false, readsScreen: true, mayGiveUp: false });
  const requestIn = (speech: 'tools' | 'text') =>
    writeStepRequest(view, { style: createPromptStyle({ form: 'compact', speech }), offer, memory: createMemory() });
  const { chat, tools } = requestIn('tools');
  expect(chat.messages).toEqual([
    { role: 'system', content: expect.stringContaining('button "Save" <e7> is e7') },
    { role: 'user', content: [{ type: 'text', text: writeCompactPrompt(compactSituation(view)) }] },
  ]);
  expect(tools.map(({ name }) => name)).toEqual(['click', 'fill', 'select', 'finish']);
  const said = requestIn('text');
  expect(said.tools).toEqual([]);
  expect(said.chat.messages[0]?.content).toContain('click REF');
});

it('[MOD-23] a prompt says what each step did to its page, or to one that it came back to', () => {
  const [off, on] = ['[e1] switch "Here"', '[e1] switch "Here" (checked)'];
  const house = (one: string, more = '') =>
    `page "House"\n  [e9] link "Desk"\n  Members\n  region "Ada"\n    ${one}\n  region "Bo"\n    [e2] switch "Here"${more}`;
  const dialog = 'page "House"\n  dialog "Sure?"\n    [e1] button "Yes"\n    [e2] button "No"';
  const situation = {
    task: 'Ada is here',
    done: ['click switch "Here"', 'click link "Desk"', 'click "Close"', 'click "Yes"'],
    screens: [house(off), house(on), house(on), dialog, house(on, '\n  Closed')],
  };
  const told = writeCompactPrompt(situation).match(/<done> .*/g);
  expect(told).toEqual([
    '<done> click switch "Here" → Ada: switch "Here" (checked)',
    '<done> click link "Desk" → nothing',
    '<done> click "Close"',
    '<done> click "Yes" → Closed',
  ]);
});

it('[MOD-23] notes keep the records that the task names, of rows and lists that the screen lacks', () => {
  const list =
    'page "Desk"\n  listitem "#4598"\n    [e1] link "TV box"\n    Lea · urgent\n  listitem "#4173"\n    Sam · low';
  const situation = { task: 'phone for #4598?', done: ['click "People"'], screens: [list, 'page "People"'] };
  expect(writeCompactPrompt(situation)).toContain('\n<note> #4598: TV box · Lea · urgent\n<screen>');
  expect(writeCompactPrompt(situation)).not.toContain('Sam');
});
