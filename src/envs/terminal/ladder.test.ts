import { afterAll, describe, expect, it } from 'vitest';
import { domainOf, domains, missingPrograms, terminalTemplates } from './domains/catalog.ts';
import type { TerminalTemplate } from './domains/template.ts';
import { drawTask } from './environment.ts';
import { admitTerminal } from './ladder.ts';
import { createLayeredSandboxes } from './sandbox/layered-sandboxes.ts';

const sandboxes = createLayeredSandboxes();
afterAll(async () => (await sandboxes).close());
const isLong = process.env['ESPALIER_LONG'] === '1';

describe('the ladder of terminal tasks', () => {
  const usable = terminalTemplates.filter(template => missingPrograms(template).length === 0);
  // In the short form one of each domain.
  const tried = usable.filter(
    (template, at) => isLong || usable.findIndex(each => domainOf(each) === domainOf(template)) === at,
  );
  it.each(tried)(
    '[TERM-9] admits $id',
    async template => {
      expect(await admitTerminal(await sandboxes, template, { seeds: isLong ? 10 : 1 })).toMatchObject({
        admitted: true,
      });
    },
    120_000,
  );

  const [first] = terminalTemplates as [TerminalTemplate];
  it.each([
    ['start fails', { checks: [], files: [] }],
    ['solution passes', { oracle: ['true'] }],
    ['without a command', { oracle: [...drawTask(first, 1).oracle, 'true'] }],
    ['mutants', { mutants: [drawTask(first, 1).oracle] }],
  ])('[TERM-9] finds tasks that fall at "%s"', async (rung, change) => {
    const broken = {
      ...first,
      draw: (random: Parameters<typeof first.draw>[0]) => ({ ...first.draw(random), ...change }),
    };
    expect(await admitTerminal(await sandboxes, broken, { seeds: 1 })).toMatchObject({ admitted: false, rung });
  });

  it('[TERM-9] has ten domains and that of flags, and 600 different tasks', () => {
    expect(domains).toHaveLength(11);
    const seeds = Array.from({ length: Math.ceil(600 / terminalTemplates.length) }, (_, at) => at + 1);
    const all = terminalTemplates.flatMap(template => seeds.map(seed => drawTask(template, seed)));
    const different = new Set(
      all.map(({ instruction, files, setup, checks }) => JSON.stringify([instruction, files, setup, checks])),
    );
    expect(different.size).toBeGreaterThanOrEqual(600);
    expect(different.size).toBe(all.length);
  });
});
