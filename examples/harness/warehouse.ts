import { jsonSchema, tool, type ToolSet } from 'ai';

/** The little world that the harnesses work in: what is in stock, and what was ordered. */
export interface Warehouse {
  readonly task: string;
  readonly tools: ToolSet;
  /** What whoever watches makes of it; the agent never sees this. */
  checks(): { name: string; pass: boolean }[];
}

const stock = { nails: 4, screws: 11, bolts: 7, hinges: 2 };
const wanted = 10;

export function createWarehouse(): Warehouse {
  const ordered: Record<string, number> = {};
  const names = Object.keys(stock);
  return {
    task: `There must be at least ${wanted} of each: ${names.join(', ')}. Look up what is there, and order what is missing.`,
    tools: {
      look_up: tool({
        description: 'Says how many of a thing are in stock.',
        inputSchema: jsonSchema<{ item: keyof typeof stock }>({
          type: 'object',
          properties: { item: { type: 'string', enum: names } },
          required: ['item'],
        }),
        execute: ({ item }) => `${item}: ${stock[item]} in stock`,
      }),
      order: tool({
        description: 'Orders so many of a thing.',
        inputSchema: jsonSchema<{ item: keyof typeof stock; count: number }>({
          type: 'object',
          properties: { item: { type: 'string', enum: names }, count: { type: 'integer', minimum: 1 } },
          required: ['item', 'count'],
        }),
        execute({ item, count }) {
          ordered[item] = (ordered[item] ?? 0) + count;
          return `${item}: ${count} ordered`;
        },
      }),
    },
    checks: () =>
      Object.entries(stock).map(([item, count]) => ({
        name: `exactly enough ${item}`,
        pass: (ordered[item] ?? 0) === Math.max(0, wanted - count),
      })),
  };
}

/** Tells the proxy how a session ended: it becomes an episode. */
export async function tellVerdict(proxy: string, session: string, { checks }: Warehouse): Promise<boolean> {
  const found = checks();
  const pass = found.every(check => check.pass);
  const reply = await fetch(`${proxy}/espalier/sessions/${session}/verdict`, {
    method: 'POST',
    // The key that the proxy was started with: no agent may give its own verdict.
    headers: {
      authorization: `Bearer ${process.env['ESPALIER_VERDICT_KEY'] ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ pass, checks: found }),
  });
  if (!reply.ok) throw new Error(`The proxy did not take the verdict: ${await reply.text()}`);
  return pass;
}
