import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contradictions, walkedPath, type WalkedPath } from '../src/analysis/flaky.ts';
import { foldEpisode } from '../src/core/episode/record.ts';
import type { FoundFlaky } from '../src/runs/flaky/find-flaky.ts';
import { episodesIn, library, runWarm, type Ended } from './fixtures/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-flaky-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The library with a verifier that counts its calls, or with a clock in its state. */
function spoilt(how: 'verifier' | 'world'): string {
  const changed = {
    verifier: `templates: desk.templates.map(template => ({ ...template, goal(...given) {
      const goal = template.goal(...given);
      return { ...goal, checks: goal.checks.map(check => ({ ...check, test: (...states) => looks.count++ % 7 !== 6 && check.test(...states) })) };
    } })),`,
    world: `commands: desk.commands.map(command => ({ ...command, run(draft, input) {
      const came = command.run(draft, input);
      if (command.kind !== 'query') draft.books[0].year = 1900 + (looks.count++ % 90);
      return came;
    } })),`,
  };
  return `import { app as desk } from ${JSON.stringify(library)};
const looks = { count: 0 };
export const app = { ...desk, ${changed[how]} };
`;
}

async function collect(app: string, out: string, student = 'planner'): Promise<Ended> {
  const flags = ['--student', student, '--strategy', 'linear', '--instances', '3', '--templates', 'lend-to-reader'];
  return runWarm(['collect', app, ...flags, '--out', out], { folder });
}

async function flaky(...args: readonly string[]): Promise<Ended & { readonly found: FoundFlaky }> {
  const ended = await runWarm(['flaky', ...args, '--json'], { folder });
  return { ...ended, found: JSON.parse(ended.stdout) as FoundFlaky };
}

describe('espalier flaky', () => {
  it('[FLAKY-1] finds nothing where the same actions lead to the same state and verdict', async () => {
    expect((await collect(library, 'sound')).code).toBe(0);
    const { code, found, stderr } = await flaky('sound');
    expect(code, stderr).toBe(0);
    expect(found).toMatchObject({ flaky: [], episodes: 3, replays: 6, unopened: 0, broken: [] });
  });

  it('[FLAKY-2] finds a verifier that changes its mind on the same state', async () => {
    writeFileSync(join(folder, 'moody.mjs'), spoilt('verifier'));
    await collect('./moody.mjs', 'moody');
    const { code, found } = await flaky('moody', '--replays', '9');
    expect(code).toBe(1);
    expect(found.flaky.map(({ side, what }) => [side, what])).toContainEqual(['verifier', 'verdict']);
    expect(found.flaky.every(({ template }) => template === 'library/lend-to-reader')).toBe(true);
  });

  it('[FLAKY-3] finds a world that answers the same actions in two ways', async () => {
    writeFileSync(join(folder, 'clock.mjs'), spoilt('world'));
    await collect('./clock.mjs', 'clock', 'untrained');
    const { code, found } = await flaky('clock');
    expect(code).toBe(1);
    expect(found.flaky[0]).toMatchObject({ side: 'world', what: expect.stringContaining('digest after step') });
  });

  it('[FLAKY-4] compares recorded episodes without opening anything; another answer is another end', () => {
    const [stored] = episodesIn(join(folder, 'sound'));
    const path = walkedPath(foldEpisode(stored as NonNullable<typeof stored>)) as WalkedPath;
    const other: WalkedPath = { ...path, run: 'later', verdict: 'failed: is-lent' };
    expect(contradictions([path, path])).toEqual([]);
    expect(contradictions([path, other])).toMatchObject([
      { side: 'verifier', expected: 'passed', got: 'failed: is-lent', run: 'later' },
    ]);
    expect(contradictions([path, { ...other, lastAction: '{"kind":"finish","answer":"7"}' }])).toEqual([]);
    const moved = { ...path, end: 'ffff', states: path.states.replace(/\w+$/, 'ffff') };
    expect(contradictions([path, moved])).toMatchObject([{ side: 'world', what: 'states' }]);
  });
});
