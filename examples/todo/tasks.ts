import type { UrlTasks } from 'espalier';

const start = ['Water the plants', 'Pay the rent', 'Call Ada'];
/** The list as it should be: what is done begins with an x. */
const task = (id: string, instruction: string, wanted: readonly string[]): UrlTasks['tasks'][number] => ({
  id,
  instruction,
  steps: 6,
  verify: async ({ ask }) => {
    const found = await ask('list.map(({ text, done }) => (done ? "x " : "") + text)');
    return { pass: JSON.stringify(found) === JSON.stringify(wanted), message: `The list is ${JSON.stringify(found)}.` };
  },
});

const tick = (name: string, text: string): UrlTasks['tasks'][number] =>
  task(
    `tick-${name}`,
    `Tick "${text}".`,
    start.map(one => (one === text ? `x ${one}` : one)),
  );
const remove = (name: string, text: string): UrlTasks['tasks'][number] =>
  task(
    `delete-${name}`,
    `Delete "${text}".`,
    start.filter(one => one !== text),
  );

export const tasks: UrlTasks['tasks'] = [
  tick('plants', 'Water the plants'),
  tick('rent', 'Pay the rent'),
  tick('call', 'Call Ada'),
  remove('plants', 'Water the plants'),
  remove('rent', 'Pay the rent'),
  remove('call', 'Call Ada'),
  task('add-milk', 'Add "Buy milk".', [...start, 'Buy milk']),
  task('add-post', 'Add "Send the post".', [...start, 'Send the post']),
];
