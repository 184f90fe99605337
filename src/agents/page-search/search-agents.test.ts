import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { runOne, studentBy } from '../../../test/fixtures/episode-setup.ts';
import type { Session } from '../../core/contracts.ts';
import type { View } from '../../core/episode/view.ts';
import { createWorld } from '../../worlds/world.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { createSpeculativeRollback } from '../../episode/strategies/speculative-rollback.ts';
import { createCostMeter, type CostMeter } from './cost-meter.ts';
import { createScorePrior } from './prior.ts';
import { createSearchPolicy, createSearchTeacher, type SearchReport } from './search-agents.ts';
import { findEntryTexts } from './entry-texts.ts';
import { describeAction } from '../../core/action.ts';
import type { Moment } from './prior.ts';
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
      task: world.task('lend-to-reader', 2),
      parts: { environment: world, student, teacher, strategy: createSpeculativeRollback({ speculate: 1 }) },
    });
    expect(record.reviews[0]).toMatchObject({ accept: false });
    expect(record.reviews[0]?.reason).toMatch(/^the search finds no way within \d+ nodes after it$/);
    expect(record.end.outcome).toBe('passed');
  });

  it('[SEARCH-36] searches a state once as a teacher, and ends at the limit of its costs', async () => {
    const student = () => studentBy(step => ({ action: step === 0 ? { kind: 'click', ref: 'e10' } : null }));
    const task = world.task('lend-to-reader', 3);
    const strategy = createSpeculativeRollback({ speculate: 1 });
    const run = async (meter: CostMeter) => {
      const teacher = createSearchTeacher({ prior, nodes: 300, meter });
      let asked = -1;
      const correct = async (...given: Parameters<typeof teacher.correct>) => {
        const before = meter.inForks().nodes;
        const decision = await teacher.correct(...given);
        if (asked < 0) asked = meter.inForks().nodes - before;
        return decision;
      };
      const parts = { environment: world, student: student(), teacher: { ...teacher, correct }, strategy };
      const { end } = await runOne({ task, parts });
      return { outcome: end.outcome, nodesOfFirstCorrection: asked };
    };
    const free = createCostMeter();
    // The review has found the path that the correction begins.
    expect(await run(free)).toEqual({ outcome: 'passed', nodesOfFirstCorrection: 0 });
    const { nodes, steps, verifierCalls } = free.inForks();
    expect(nodes).toBeGreaterThan(0);
    // Paths are shortened in forks: those steps and verdicts count as well.
    expect(steps).toBeGreaterThan(0);
    const short = createCostMeter({ actions: 5, verifierCalls });
    expect(await run(short)).toMatchObject({ outcome: 'discarded' });
    expect(short.inForks().nodes + short.inForks().steps).toBe(5);
    const silent = createCostMeter({ actions: nodes + steps, verifierCalls: 2 });
    expect(await run(silent)).toMatchObject({ outcome: 'discarded' });
    expect(silent.inForks().verifierCalls).toBe(2);
  });

  it('[SEARCH-35] counts every step and verdict in a session and its forks', async () => {
    const session = world.open(world.task('lend-to-reader', 2));
    const seen = { steps: 0, verdicts: 0 };
    const watch = (own: Session): Session => ({
      ...own,
      step(action) {
        seen.steps++;
        return own.step(action);
      },
      verify() {
        seen.verdicts++;
        return own.verify();
      },
      fork: async options => watch(await (own.fork as NonNullable<Session['fork']>)(options)),
    });
    const meter = createCostMeter();
    const reports: SearchReport[] = [];
    const policy = createSearchPolicy({ prior, nodes: 300, meter, onSearch: report => reports.push(report) });
    const { text } = session.observe();
    const view = { instruction: session.task.instruction, observation: { text }, path: [] } as unknown as View;
    expect((await policy.act(view, watch(session))).action).not.toBeNull();
    const { nodes, steps, verifierCalls } = meter.inForks();
    expect({ steps: nodes + steps, verdicts: verifierCalls }).toEqual(seen);
    expect(nodes).toBe(reports[0]?.nodes);
    // The search alone asks less often: the rest are verdicts on shorter paths.
    expect(verifierCalls).toBeGreaterThan(reports[0]?.verifierCalls ?? Infinity);
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

  it('[SEARCH-25] reads what a button is for from the texts around it, and does not count words that led here again', () => {
    const weigh = (instruction: string, moment: Partial<Moment> & { readonly screen: string }): string[] => {
      const scored = createWordScorer()({ instruction, history: [], screenBefore: null, ...moment });
      return scored.toSorted((left, right) => right.score - left.score).map(({ action }) => describeAction(action));
    };
    const flat = [
      'Labels',
      '[e1] button "Edit"',
      'bug',
      'Weight',
      '[e2] button "Edit"',
      '3',
      '[e3] button "Close issue"',
    ];
    expect(weigh("Set the weight of the issue 'Slow page' to 5.", { screen: flat.join('\n') })[0]).toBe('click e2');
    const banks = [
      'Chase',
      'Checking 6742',
      '[e1] button "Remove"',
      'Citibank',
      'Checking 1104',
      '[e2] button "Remove"',
    ];
    expect(weigh('Remove the Citibank account ending in 1104.', { screen: banks.join('\n') })[0]).toBe('click e2');
    const boxes = [
      'Read statuses',
      'Track your mail',
      '[e1] checkbox ""',
      'Team statuses',
      'Share them',
      '[e2] checkbox ""',
    ];
    expect(weigh('Disable the Team statuses.', { screen: boxes.join('\n') })[0]).toBe('click e2');
    const menu = ['[e1] button "⚙ Settings"', '[e2] button "📋Quotes12"', '[e3] button "Themes"'].join('\n');
    expect(weigh('Mark a quote as accepted, and set its date.', { screen: menu })[0]).toBe('click e2');
    const inside = `${menu}\n[e4] button "Privacy"`;
    const steps = { history: ['click button "⚙ Settings"'], screenBefore: menu, screen: inside };
    expect(weigh('In Settings, open Privacy.', steps).at(0)).toBe('click e4');
    expect(weigh('In Settings, change the view.', steps).at(0)).toBe('click e4');
  });

  it('[SEARCH-26] enters what fits a field, and not what stands on a button to be clicked', () => {
    const best = (instruction: string, screen: string, history: readonly string[] = []): string => {
      const scored = createWordScorer()({ instruction, history, screen, screenBefore: null });
      const [first] = scored.toSorted((left, right) => right.score - left.score);
      return JSON.stringify(first?.action);
    };
    const form = [
      '[e1] textbox "Weight": (empty)',
      '[e2] textbox "Title": (empty)',
      '[e3] textbox "YYYY-MM-DD": (empty)',
    ];
    expect(best("Change the title to 'Slow page'.", form.join('\n'))).toBe(
      '{"kind":"fill","ref":"e2","text":"Slow page"}',
    );
    expect(best("Change the weight in 'Slow page' to 5.", form.join('\n'))).toContain('"text":"5"');
    const moment = { instruction: 'Change the due date to March 5, 2026.', history: [], screenBefore: null };
    const dates = createWordScorer()({ ...moment, screen: '[e1] textbox "Due date": 2026-01-01' });
    const scoreOf = (text: string) =>
      dates.find(({ action }) => 'text' in action && action.text === text)?.score ?? NaN;
    expect(scoreOf('2026-03-05')).toBeGreaterThan(scoreOf('03/05/2026'));
    const colours = '[e1] textbox "Color": #ffffff\n[e2] button "Save"';
    expect(best('Change the color to #0075ca.', colours)).toContain('#0075ca');
    const options =
      '[e1] textbox "Name": (empty)\n[e2] checkbox "Show discount column on invoices"\n[e3] button "Save"';
    expect(best("Disable 'Show Discount Column'.", options)).toBe('{"kind":"click","ref":"e2"}');
    const tags = 'Tag Name\n[e1] textbox "e.g. Diabetes": (empty)\n[e2] button "Cancel"\n[e3] button "Add Tag"';
    expect(best("Add the tag 'New-Patient'.", tags, ['click button "+ Add Tag"'])).toContain('"fill","ref":"e1"');
    const places = '[e1] button "Templates"\n[e2] button "Categories"\n[e3] button "⚙ Settings"';
    expect(best("Change the name of the category 'Travel'.", places)).toBe('{"kind":"click","ref":"e2"}');
    expect(findScreenTexts('contact Bob, +1 (510) 555-2326', 'Delete the contact Tom Bradley.')).toEqual([]);
  });

  it('[SEARCH-56] reads whole amounts and lists, and doubts readings with a verb, with lower case and with signs', () => {
    const read = (instruction: string) => new Map(findEntryTexts(instruction).map(entry => [entry.text, entry]));
    const limit = read('Set the spending limit to $5,000.');
    expect([...limit.keys()]).toEqual(['5000']);
    const card = read('Set the American Express card as the default.');
    expect(card.get('American Express')?.doubt).toBe(0);
    expect(card.get('American Express card')?.doubt).toBe(1);
    expect(card.get('Set the American Express')?.doubt).toBeGreaterThan(1);
    const payment = read('Record a payment of $50.00.');
    expect(['50', '50.00', '$50.00'].map(text => payment.get(text)?.doubt)).toEqual([0, 1, 1]);
    const address = read('Change the address to: 5 Elm St, San Jose, CA 95110, US.');
    expect(address.get('5 Elm St, San Jose, CA 95110, US')).toMatchObject({ kind: 'quote', isNew: true });
    expect([...read("Set the phone to '+1 (555) 123-4567'.").keys()]).toEqual(['+1 (555) 123-4567']);
    expect([...read('Set the due date to 2026-05-01.').keys()].filter(text => /^\d{1,4}$/.test(text))).toEqual([]);
    // Digits of a phone number that is to be entered number no object.
    const people = ['[e1] button "Ann Lee +1 (555) 010-0100"', '[e2] button "Create contact"'].join('\n');
    expect(bestStep("Create a contact with the phone '+1 (555) 123-4567'.", { screen: people })).toBe('click e2');
    const gift = read("Send it to ann@email.com with the message 'Hello!'.");
    expect(gift.get('Hello!')?.near).not.toContain('email');
    expect(read("Rename the 'Old' label to 'Newer'.").get('Old')?.isNew).toBe(false);
    expect(read("Rename the 'Old' label to 'Newer'.").get('Newer')?.isNew).toBe(true);
  });

  it('[SEARCH-57] looks for what is named and not to be seen, and enters what the words of a field allow', () => {
    const list = ['[e1] textbox "Search issues": (empty)', '[e2] button "Closed 10"', '[e3] button "Other issue"'];
    expect(bestStep("Close the issue 'Slow page'.", { screen: list.join('\n') })).toBe('fill e1 "Slow page"');
    expect(bestStep("Close the issue 'Slow page'.", { screen: [...list, '[e4] button "Slow page"'].join('\n') })).toBe(
      'click e4',
    );
    // A new value is nothing to look for, and a field for issues finds no labels.
    const withNew = [...list, '[e4] button "New issue"'].join('\n');
    expect(bestStep("Create an issue called 'Slow page'.", { screen: withNew })).toBe('click e4');
    expect(bestStep("Delete the label 'testing'.", { screen: [...list, '[e4] button "Labels"'].join('\n') })).toBe(
      'click e4',
    );
    const form = '[e1] textbox "Recipient Email": (empty)\n[e2] textbox "Message": (empty)';
    expect(bestStep("Send 'Ann Lee' the message 'Hello!'.", { screen: form })).toBe('fill e2 "Hello!"');
    const month = '[e1] textbox "Exp. Month": (empty)\n[e2] textbox "Cardholder": (empty)';
    expect(bestStep("Add a card of 'Ann Lee'.", { screen: month })).toBe('fill e2 "Ann Lee"');
  });

  it('[SEARCH-58] [SEARCH-91] ends a form below its fields, answers a dialog, acts in a named row, and empties fields', () => {
    const before = '[e1] button "Create contact"\n[e2] textbox "Job title": (empty)\n[e3] button "Save"';
    const history = ['fill textbox "Job title" with "Chief"'];
    const filled = before.replace('(empty)', 'Chief');
    expect(
      bestStep("Edit the contact's job title to 'Chief'.", { history, screenBefore: before, screen: filled }),
    ).toBe('click e3');
    const labels = [
      'row ""',
      '  cell "testing"',
      '  [e1] button "Edit"',
      '  [e2] button "Delete"',
      '[e9] button "Labels"',
    ];
    const asked = [...labels, 'dialog "Delete label?"', '  [e3] button "×"', '  [e4] button "Cancel"'];
    const screens = { screenBefore: labels.join('\n'), screen: [...asked, '  [e5] button "Delete"'].join('\n') };
    expect(bestStep("Delete the label 'testing'.", { ...screens, history: ['click button "Delete"'] })).toBe(
      'click e5',
    );
    const sideOf = (name: string, at: number): string =>
      `[e${2 * at + 1}] button "${name} 5 edit"\n  ${name} 5\n  [e${2 * at + 2}] button "edit"`;
    const names = ['Family', 'Friends', 'Gym Buddies', 'Work', 'Neighbors', 'Vendors', 'Book Club', 'Travel'];
    expect(bestStep("Rename the 'Gym Buddies' label to 'Fitness'.", { screen: names.map(sideOf).join('\n') })).toBe(
      'click e6',
    );
    const inbox = [
      '[e1] button "Updates3"',
      '[e2] button "⚙ Settings"',
      '[e3] button "Show search options"',
      '[e4] button "Sent"',
    ];
    expect(bestStep('Change the density to compact.', { screen: inbox.join('\n') })).toBe('click e2');
    const themes = [
      '[e1] button "🎨 Branding Themes"',
      '[e2] button "⚙ Invoice Settings"',
      '[e3] button "Invoices13"',
      '[e4] button "Quotes"',
    ];
    expect(bestStep("Set the 'Plain' branding theme as the default.", { screen: themes.join('\n') })).toBe('click e1');
    const themeRow = (name: string, at: number): string =>
      `row ""\n  cell "${name}"\n  [e${3 * at + 1}] button "Edit"\n  [e${3 * at + 2}] button "Set Default"\n  [e${3 * at + 3}] button "Delete"`;
    const rows = ['Standard', 'Plain', 'Retail', 'Services'].map(themeRow).join('\n');
    expect(bestStep("Set the 'Plain' branding theme as the default.", { screen: rows })).toBe('click e5');
    const weight = '[e1] textbox "Title": Slow page\n[e2] textbox "Weight": 5\n[e3] button "Cancel"';
    expect(bestStep('Clear the weight.', { screen: weight })).toBe('fill e2 ""');
  });
});

/** The likeliest step by words alone. */
function bestStep(instruction: string, moment: Partial<Moment> & { readonly screen: string }): string {
  const scored = createWordScorer()({ instruction, history: [], screenBefore: null, ...moment });
  const [first] = scored.toSorted((left, right) => right.score - left.score);
  return first === undefined ? 'nothing' : describeAction(first.action);
}
