/** `npx espalier check app:examples/tickets/tasks.ts`: a page with a server, which has a database of its own in each session. */
import { execPath } from 'node:process';
import type { AppTasks } from 'espalier';

export const server: AppTasks['server'] = {
  command: [execPath, 'server.ts'],
  env: { DATABASE: '{folder}/tickets.db' },
  state: { kind: 'sqlite', file: '{folder}/tickets.db' },
};

export const tasks: AppTasks['tasks'] = [
  {
    id: 'add-ticket',
    instruction: 'Add the ticket "Replace the lamp".',
    steps: 8,
    verify: async ({ sql }) => (await sql('SELECT 1 FROM tickets WHERE title = ?', 'Replace the lamp')).length === 1,
  },
  {
    id: 'close-ticket',
    instruction: 'Close the ticket "Oil the gate".',
    steps: 8,
    async verify({ sql }) {
      const closed = await sql('SELECT title FROM tickets WHERE closed = 1');
      return { pass: closed.length === 1 && closed[0]?.['title'] === 'Oil the gate', message: JSON.stringify(closed) };
    },
  },
  {
    id: 'count-open',
    instruction: 'How many tickets are open?',
    steps: 8,
    verify: async ({ http, answer }) => {
      const tickets = (await (await http('/api/tickets')).json()) as { closed: number }[];
      return answer === String(tickets.filter(({ closed }) => closed === 0).length);
    },
  },
];
