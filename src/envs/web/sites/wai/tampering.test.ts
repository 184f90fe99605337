import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeApps, openApps, type HostileApps } from '../../../../../test/adversarial/contain/state.ts';
import { take } from '../../../../../test/fixtures/pages/retrace.ts';
import { createSystemTimers } from '../../../../system/clock.ts';
import type { Snapshot } from '../../../../core/contracts.ts';
import { createBrowserPool } from '../../browser/pool.ts';
import { createWaiFiles } from './files.ts';
import { createScriptPolicy } from './script-policy.ts';
import { createWaiServer, pageHeader } from './server.ts';
import { createWriteGuard } from './write-guard.ts';

const pool = createBrowserPool({ timers: createSystemTimers() });
let apps: HostileApps;
beforeAll(async () => {
  apps = await openApps(pool);
});
afterAll(async () => {
  await closeApps(apps);
  await pool.close();
});

describe('the state of an app that draws typed text as markup', () => {
  it.each(['guestbook', 'reactions'] as const)(
    '[WAI-14] of %s is written by its own scripts, whatever ordinary text is typed',
    async name => {
      const session = await apps[name].open(await apps[name].task('real-task-e2', 1));
      try {
        const text = `if a<b && c>d then "x" or 'y' & <b>bold</b> <3 </p> ${'`${1}`'} onclick=`;
        const outcomes = [await session.step({ kind: 'fill', ref: 'e1', text }), ...(await take(session, 'Post'))];
        if (name === 'reactions') outcomes.push(...(await take(session, 'Like 0', 'Like 1', 'Hide')));
        expect(outcomes).toEqual(outcomes.map(() => ({ applied: true })));
        await session.step({ kind: 'finish' });
        expect(await session.verify()).toMatchObject({ pass: true, clean: true });
      } finally {
        await session.close();
      }
    },
  );

  it.each([
    ['guestbook', 'an attempt that was stopped is forgotten', true],
    ['reactions', 'a script that ran is never forgotten', false],
  ] as const)('[WAI-15] of %s after a rollback: %s', async (name, _, pass) => {
    const session = await apps[name].open(await apps[name].task('real-task-e2', 1));
    try {
      const start = await session.snapshot?.();
      await session.step({ kind: 'fill', ref: 'e1', text: '<img src=x onerror="document.title += 1">' });
      const outcomes = [...(await take(session, 'Post')), await session.step({ kind: 'wait', milliseconds: 100 })];
      expect(outcomes.flatMap(({ incidents = [] }) => incidents.map(({ kind }) => kind))).toContain('tampering');
      expect(await session.verify()).toMatchObject({ pass: false, clean: false });
      await session.restore?.(start as Snapshot);
      await take(session, 'Message=Hello', 'Post', { kind: 'finish' });
      expect(await session.verify()).toMatchObject({ pass, clean: pass });
    } finally {
      await session.close();
    }
  });

  it('[WAI-15] [WAI-16] is refused to whoever has no token, and writes without an action are told', async () => {
    const files = createWaiFiles(join(import.meta.dirname, '../../../../../test/fixtures/wai/guestbook'));
    const server = await createWaiServer({ files });
    try {
      const guard = createWriteGuard(server, createScriptPolicy([], []));
      const push = (body: string, token: string) =>
        fetch(`${server.url}/api/state`, { method: 'PUT', headers: { [pageHeader]: token }, body });
      await push('1', server.token);
      await push('2', server.token);
      const wait = { kind: 'wait', milliseconds: 10 } as const;
      guard.acting(wait);
      await push('3', server.token);
      const told = ['the state was written again before the first action', 'the state was written in a step without'];
      expect(guard.incidents()).toMatchObject(
        told.map(detail => ({ kind: 'unprompted', detail: expect.stringContaining(detail) })),
      );
      guard.acting({ kind: 'click', ref: 'e1' });
      await push('4', server.token);
      guard.acting(wait);
      expect(guard.incidents()).toEqual([]);
      await push('5', 'guessed');
      expect([server.state(), guard.incidents()]).toEqual([
        '4',
        [{ kind: 'tampering', detail: 'a write without the token of the page was refused' }],
      ]);
      expect(await guard.tampering()).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});
