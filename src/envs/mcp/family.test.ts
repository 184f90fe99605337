import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../core/contracts.ts';
import { mcpFamily } from './family.ts';
import { createSystemTimers } from '../../system/clock.ts';

const host = {
  timers: createSystemTimers(),
  onNotice() {},
  find: () => Promise.reject(new Error('Nothing is found here.')),
  planner: () => Promise.reject(new Error('Nothing is planned here.')),
};
const absolute = (name: string): string => mcpFamily.absolute?.(name, inner => inner) ?? name;
async function open(name: string): Promise<Environment> {
  return ((await mcpFamily.open(name, host)) as { environment: Environment }).environment;
}

const root = join(import.meta.dirname, '../../..');
const fixtures = join(root, 'test/fixtures/mcp');
const module = join(fixtures, 'note-tasks.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-open-mcp-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a server by name', () => {
  it('[MCP-14] is a command, and then the file of its calls', async () => {
    const recording = join(folder, 'calls.jsonl');
    const command = `"${join(root, 'node_modules/.bin/node')}" ${join(fixtures, 'notes-server.ts')}`;
    const live = await open(`mcp:${command},${module},${recording}`);
    expect(live.templates.map(({ id }) => id)).toEqual(['add-milk', 'count-notes']);
    await live.close?.();
    const recorded = await open(`mcp:${recording},${module}`);
    expect(recorded.id).toBe('mcp-notes');
    expect(recorded.tools).toEqual(live.tools);
    await recorded.close?.();
  });

  it('[MCP-14] is the same in every folder', () => {
    expect(absolute('mcp:node server.js --all,tasks.ts')).toBe(
      `mcp:node server.js --all,${resolve('tasks.ts')},${resolve('tasks.calls.jsonl')}`,
    );
    expect(absolute('mcp:http://127.0.0.1:8808/mcp?task=a,b,tasks.ts,own.jsonl')).toBe(
      `mcp:http://127.0.0.1:8808/mcp?task=a,b,${resolve('tasks.ts')},${resolve('own.jsonl')}`,
    );
    expect(absolute('mcp:calls.jsonl,tasks.ts')).toBe(`mcp:${resolve('calls.jsonl')},${resolve('tasks.ts')}`);
  });

  it('[MCP-14] is refused when it names nothing', async () => {
    const refusal = { boundary: 'input', code: 'unknown-environment' };
    for (const name of ['mcp:', 'mcp:tasks.ts', 'mcp:,tasks.ts', 'mcp:node server.js,', 'mcp:a.jsonl,tasks.ts,b.jsonl'])
      await expect(open(name)).rejects.toMatchObject(refusal);
    const missing = open('mcp:node server.js,nothing.ts');
    await expect(missing).rejects.toMatchObject({ code: 'invalid-module' });
  });
});
