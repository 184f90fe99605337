import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelCall } from '../../../core/chat/model.ts';
import type { OrdinaryPolicy } from '../../../core/episode/agents.ts';
import type { EpisodeHead } from '../../../core/episode/events.ts';
import { mail } from '../../../envs/apps/mail/mail.ts';
import { createWorld } from '../../../worlds/world.ts';
import { createSystemHost } from '../../../system/workers/host.ts';
import { beginDraft, continueDraft, readDraft } from './draft.ts';
import { openTakenWorld } from './taken-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-taken-'));
afterAll(() => rmSync(folder, { recursive: true }));

const environment = createWorld(mail);
const task = environment.task('star-message', 3);
const agents = { student: 'me', teacher: null, strategy: 'studio' };
const head: EpisodeHead = { run: 'r', key: 'studio', index: 0, phase: 'collect', round: 0, trial: 0, task, ...agents };
const host = createSystemHost({ workers: 0 });

const call: ModelCall = {
  endpoint: 'openai:m@http://127.0.0.1:1/v1',
  question: 'act',
  prompts: {},
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What now?' }] }],
  tools: [],
  sampling: {},
  reply: {
    id: 'one',
    model: 'm',
    version: null,
    message: { role: 'assistant', content: 'click e2' },
    finish: 'stop',
    usage: { prompt: 7, completion: 3 },
    tokens: null,
  },
  cost: 0.5,
  attempts: 1,
  problem: null,
};

const model: OrdinaryPolicy = {
  name: 'm',
  act({ recordCall }) {
    recordCall?.(call);
    return { action: { kind: 'click', ref: 'e2' } };
  },
};

describe('a world that a person has taken over', () => {
  it('[STUDIO-16] keeps what models were asked, also when it goes on after a crash', async () => {
    const request = { run: 'r', episode: 0, node: 0, person: 'me', replaces: null };
    const header = { request, head, phase: 'collect', replaced: null, start: 0, replaces: null } as const;
    const nothing = { events: [], start: 0, replaces: null };
    const draft = beginDraft(folder, 'one', header);
    const first = await openTakenWorld({ environment, head, prefix: nothing, draft, isResumed: false, host });
    await first.advise({ role: 'student', agent: model });
    await first.step({ action: { kind: 'click', ref: 'e2' } }, { role: 'human', name: 'me' });
    await first.close();

    const written = readDraft(folder, 'one');
    expect(written?.events.map(({ kind }) => kind)).toEqual(['open', 'call', 'step']);
    expect(written?.attachments.length).toBeGreaterThan(0);
    const prefix = { ...nothing, events: written?.events ?? [], attachments: written?.attachments ?? [] };
    const resumed = { environment, head, prefix, draft: continueDraft(folder, 'one'), isResumed: true, host };
    const again = await openTakenWorld(resumed);
    expect(again.steps()).toHaveLength(1);
    const { events, attachments } = await again.finish({ role: 'human', name: 'me' }, '');
    expect(events.slice(0, 3)).toEqual(written?.events);
    expect(attachments).toEqual(written?.attachments);
  });
});
