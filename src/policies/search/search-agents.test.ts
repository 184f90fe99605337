import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import { createWorld } from '../../kernel/world.ts';
import { createLinear } from '../../rollout/strategies/linear.ts';
import { createSpeculativeRollback } from '../../rollout/strategies/speculative-rollback.ts';
import { createScorePrior } from './prior.ts';
import { createSearchPolicy, createSearchTeacher, type SearchReport } from './search-agents.ts';
import { findEntryTexts } from './entry-texts.ts';
import { findScreenTexts } from './screen-texts.ts';
import { createWordScorer } from './word-prior.ts';

const world = createWorld(app);
const prior = createScorePrior(createWordScorer());

describe('search as an agent', () => {
  it('[SEARCH-5] walks the path that it found once, and signs its steps as a teacher', async () => {
    const reports: SearchReport[] = [];
    const student = createSearchPolicy({ prior, nodes: 300, onSearch: report => reports.push(report) });
    const task = world.task('lend-to-reader', 2);
    const { end, tree } = await runOne({
      task,
      parts: { environment: world, student, teacher: null, strategy: createLinear() },
    });
    expect(end).toMatchObject({ outcome: 'passed' });
    expect(reports).toHaveLength(1);
    expect(reports[0]?.nodes).toBeGreaterThan(0);
    const steps = tree.path(end.leaf ?? 0);
    expect(steps.map(({ actor }) => actor.role)).toEqual(steps.map(() => 'teacher'));
    expect(steps).toHaveLength((reports[0]?.path?.steps.length ?? 0) + 1);
  });

  it('[SEARCH-5] gives up where it finds no path', async () => {
    const student = createSearchPolicy({ prior, nodes: 2 });
    const { end } = await runOne({
      task: world.task('lend-to-reader', 2),
      parts: { environment: world, student, teacher: null, strategy: createLinear() },
    });
    expect(end).toMatchObject({ outcome: 'failed', counts: { taken: 1 } });
  });

  it('[SEARCH-6] rejects a step that leads away, and takes over the next one', async () => {
    const student = studentBy(step => ({ action: step === 0 ? { kind: 'click', ref: 'e10' } : null }));
    const teacher = createSearchTeacher({ prior, nodes: 300 });
    const record = await runOne({
      task: world.task('lend-to-reader', 3),
      parts: { environment: world, student, teacher, strategy: createSpeculativeRollback({ speculate: 1 }) },
    });
    expect(record.reviews[0]).toMatchObject({ accept: false });
    expect(record.reviews[0]?.reason).toMatch(/^the search finds no way within \d+ nodes after it$/);
    expect(record.end.outcome).toBe('passed');
  });

  it('[SEARCH-7] offers texts of the instruction in the forms that fields accept', () => {
    const texts = (instruction: string): string[] => findEntryTexts(instruction).map(({ text }) => text);
    expect(texts("Rename the 'Bob's list' label to ‘Old’ and don't stop.")).toEqual(["Bob's list", 'Old']);
    expect(texts('Snooze it until March 1, 2026 at 8:05 PM.')).toEqual(
      expect.arrayContaining(['2026-03-01', '03/01/2026', '20:05', '2026-03-01T20:05']),
    );
    expect(texts('Set the due date to 2026-04-01.')).toContain('2026-04-01');
    expect(texts('Approve INV-0058.')).not.toContain('0058');
    expect(texts('Record a payment of $5,000.00.')).toEqual(expect.arrayContaining(['5000.00', '5000']));
  });

  it('[SEARCH-14] reads signs on buttons as words, numbers as names, and addresses from the screen', () => {
    const best = (instruction: string, screen: string): string => {
      const scored = createWordScorer()({ instruction, history: [], screen, screenBefore: null });
      const [first] = scored.toSorted((left, right) => right.score - left.score);
      return JSON.stringify(first?.action);
    };
    const signs = ['[e1] button "☆"', '[e2] button "🗑️"', '[e3] button "✏️"', '[e4] button "B"'].join('\n');
    expect(best('Delete the first note.', signs)).toBe('{"kind":"click","ref":"e2"}');
    expect(best('Rename the note.', signs)).toBe('{"kind":"click","ref":"e3"}');
    expect(best('Make the title bold.', signs)).toBe('{"kind":"click","ref":"e4"}');
    const cards = ['[e1] button "Card settings"', '[e2] button "Visa 4829"', '[e3] button "MC 7156"'].join('\n');
    expect(best('Set the card ending in 7156 as preferred.', cards)).toBe('{"kind":"click","ref":"e3"}');
    const table = ['[e1] textbox "Search": (empty)', 'table', '  [e2] row', '    cell "INV-0057"', '    cell "Winery"'];
    const rows = [...table, '  [e3] row', '    cell "INV-0058"', '    cell "Winery"', '[e4] button "Invoice settings"'];
    const many = [...rows, ...Array.from({ length: 12 }, (_, at) => `  [e${at + 5}] row\n    cell "INV-01${at + 10}"`)];
    expect(best('Approve the invoice INV-0058.', many.join('\n'))).toBe('{"kind":"click","ref":"e3"}');
    const people = 'Sarah Chen, sarah.chen@techcorp.io\nBob Lee, bob@lee.org\n[e1] textbox "To"';
    expect(best('Write to Sarah Chen.', people)).toContain('sarah.chen@techcorp.io');
    expect(findScreenTexts(people, 'Write to Sarah Chen.')).toHaveLength(1);
  });
});
