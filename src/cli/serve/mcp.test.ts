import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { episodesIn } from '../../../test/fixtures/program.ts';
import { createOutput } from '../terminal/output.ts';
import { serveMcp } from './mcp.ts';

const root = join(import.meta.dirname, '../../..');
const node = join(root, 'node_modules/.bin/node');
const program = [join(root, 'test/fixtures/mcp/espalier-mcp.ts'), 'mcp'];
const star = { name: 'star_message', arguments: { id: 'm7', starred: true } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-mcp-verb-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the verb mcp', () => {
  it('[MCP-16] serves one client on standard input and output, and keeps its episode', async () => {
    const run = join(folder, 'one');
    const client = new Client({ name: 'tester', version: '7' });
    const args = [...program, 'mail', '--task', 'mail/star-message/1', '--out', run];
    const transport = new StdioClientTransport({ command: node, args, stderr: 'pipe' });
    let words = '';
    transport.stderr?.on('data', (bytes: Buffer) => (words += bytes.toString()));
    await client.connect(transport);
    expect(existsSync(run)).toBe(false);
    expect(await client.callTool(star)).toMatchObject({ isError: false });
    expect(await client.callTool({ name: 'finish' })).toMatchObject({ isError: false });
    await client.close();
    expect(words).not.toContain('passed');
    expect(episodesIn(run).map(({ head, end }) => [head.run, head.key, head.student, end.outcome])).toEqual([
      ['one', 'collect/0/mail/star-message/1/0', 'mcp:tester@7', 'passed'],
    ]);
  });

  it('[MCP-16] writes down what a client did that left without finishing', async () => {
    const run = join(folder, 'two');
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new Client({ name: 'tester', version: '7' }, { versionNegotiation: { mode } });
      const args = [...program, 'mail', '--task', 'star-message', '--screen', '--out', run];
      await client.connect(new StdioClientTransport({ command: node, args, stderr: 'ignore' }));
      await client.callTool({ name: 'click', arguments: { ref: 'e3' } });
      await client.close();
    }
    expect(episodesIn(run).map(({ head, end }) => [head.trial, end.outcome, end.reason])).toEqual([
      [0, 'errored', 'abandoned'],
      [1, 'errored', 'abandoned'],
    ]);
  });

  it('[MCP-16] serves many over HTTP until it is stopped', async () => {
    const run = join(folder, 'many');
    const child = spawn(node, [...program, 'mail', '--task', 'star-message/1', '--http', '--out', run]);
    let notes = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (notes += text));
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
      child.once('close', () => reject(new Error(notes)));
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = new Client({ name: 'tester', version: '7' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}?task=mail/star-message/1`)));
    await client.callTool(star);
    await client.callTool({ name: 'finish' });
    const open = new Client({ name: 'tester', version: '7' });
    await open.connect(new StreamableHTTPClientTransport(new URL(url)));
    await open.callTool(star);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await Promise.all([client.close(), open.close()]);
    expect(notes).toContain('collect/0/mail/star-message/1/0  passed · 2 steps');
    expect(episodesIn(run).map(({ end }) => [end.outcome, end.reason])).toEqual([
      ['passed', null],
      ['errored', 'abandoned'],
    ]);
  });

  it('[MCP-16] refuses a task that is none', async () => {
    const silent = { write: () => true };
    const output = createOutput({ results: silent, progress: silent, colours: false });
    const more = { host: '127.0.0.1', port: 0, idle: 1, sessions: 1 };
    const asked = (task: string): Promise<unknown> => serveMcp(output, { environment: 'mail', task, ...more });
    const refusal = { boundary: 'input', message: expect.stringContaining('"shop/buy/1" is not a task of "mail"') };
    await expect(asked('shop/buy/1')).rejects.toMatchObject(refusal);
    await expect(asked('star-massage/2')).rejects.toMatchObject({ message: expect.stringContaining('"star-message"') });
  });

  it('[MCP-16] is understood by the inspector', async () => {
    const inspector = join(root, 'node_modules/.bin/mcp-inspector');
    const inspect = async (...args: string[]): Promise<unknown> => {
      const served = [node, ...program, 'mail', '--task', 'star-message/1'];
      const { stdout } = await promisify(execFile)(node, [inspector, '--cli', '--format', 'json', ...args, ...served], {
        env: { PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter), HOME: folder },
      });
      return (JSON.parse(stdout) as { result: unknown }).result;
    };
    expect(
      await inspect('--method', 'tools/call', '--tool-name', 'get_message', '--tool-args-json', '{"id":"m7"}', '--'),
    ).toMatchObject({ isError: false, structuredContent: { subject: 'We missed you: parcel 3754' } });
  });
});
