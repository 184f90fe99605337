import { describe, expect, it } from 'vitest';
import { writeAnnotations } from './annotations.ts';
import { createGateRun, type Rule } from './decide.ts';
import { writeJunit } from './junit.ts';
import { writeGatePage } from './page.ts';
import type { Pair } from '../pair-trials.ts';
import { taskChanges, unitOf } from './pairs.ts';
import { decideGate, type GateResult, type Slice } from './result.ts';

function pair(task: string, [release, candidate]: readonly [boolean, boolean], trial = 0): Pair {
  return { app: 'mail', template: task.split('/')[1] ?? '', task, trial, seed: '1', release, candidate };
}

interface Case {
  readonly pairs: readonly Pair[];
  readonly slices?: readonly Slice[];
  readonly symptom?: string;
  readonly test?: Rule['test'];
  readonly unpaired?: number;
}

function gated({ pairs, slices = [], symptom, test = 'sequential', unpaired = 0 }: Case): GateResult {
  const rule: Rule = { goal: 'better', test, alpha: 0.05, difference: 0.1 };
  const run = createGateRun(rule);
  const looks = [...Map.groupBy(pairs, ({ template }) => template)].map(([name, own]) => {
    const unit = unitOf(name, own);
    return { ...unit, ...run.add(unit) };
  });
  const example = {
    task: 'mail/a/1',
    episode: 'key',
    checks: ['answer'],
    command: "espalier studio x --episode 'key'",
  };
  return decideGate({
    candidate: 'new',
    release: 'old',
    rule,
    unit: 'template',
    evidence: run.evidence(),
    looks,
    order: looks.map(({ name }) => name),
    episodesPerUnit: 8,
    saved: 0,
    pairs: pairs.length,
    unpaired,
    unpairedAllowed: 0.2,
    tasks: taskChanges(pairs),
    redLines: null,
    slices,
    symptoms: symptom === undefined ? [] : [{ text: symptom, tasks: ['mail/a/1'], templates: ['mail/a'], example }],
    stopped: false,
  });
}

/** As many templates, each with one task. */
function templates(count: number, release: boolean, candidate: boolean): Pair[] {
  return Array.from({ length: count }, (_, place) => pair(`mail/${'abcdefghijkl'[place]}/1`, [release, candidate]));
}

describe('a decision', () => {
  it('[GATE-7] a task with several trials is lost or fixed by majority; a tie has not passed', () => {
    const trials = (release: string, candidate: string): string =>
      taskChanges(
        [...release].map((sign, place) => pair('mail/a/1', [sign === '+', candidate[place] === '+'], place)),
      )[0]?.change ?? '';
    expect(trials('+++', '+--')).toBe('regression');
    expect(trials('++-', '++-')).toBe('passed in both');
    expect(trials('+-', '++')).toBe('fix');
    expect(trials('+-', '-+')).toBe('failed in both');
  });

  it('[GATE-8] a budget that is broken forbids what the evidence would allow', () => {
    const pairs = templates(12, false, true);
    expect(gated({ pairs }).decision).toBe('ship');
    const slice = { name: 'money', where: "environment = 'shop'", budget: 0, tasks: 4, missing: 0, regressions: 1 };
    const refused = gated({ pairs, slices: [slice] });
    expect(refused.decision).toBe('do not ship');
    expect(refused.reasons[0]).toBe('Slice money: 1 regression in 4 tasks, and 0 allowed.');
    expect(gated({ pairs, slices: [{ ...slice, budget: 1 }] }).decision).toBe('ship');
  });

  it('[GATE-8] a task of a slice without two verdicts might be lost: nothing ships unless the budget has room for it', () => {
    const pairs = templates(12, false, true);
    const slice = { name: 'money', where: "environment = 'shop'", budget: 1, tasks: 2, missing: 2, regressions: 0 };
    const open = gated({ pairs, slices: [slice] });
    expect(open.decision).toBe('not enough evidence');
    expect(open.reasons.at(-1)).toMatch(/^Slice money: 2 tasks have no two verdicts and might be lost, and 1 allowed/);
    expect(gated({ pairs, slices: [{ ...slice, budget: 2 }] }).decision).toBe('ship');
    expect(gated({ pairs: templates(12, true, false), slices: [slice] }).decision).toBe('do not ship');
  });

  it('[GATE-15] nothing ships while more than the allowed share of pairs has no two verdicts', () => {
    const pairs = templates(12, false, true);
    expect(gated({ pairs, unpaired: 3 }).decision).toBe('ship');
    const { decision, reasons } = gated({ pairs, unpaired: 4 });
    expect(decision).toBe('not enough evidence');
    expect(reasons[1]).toMatch(/^4 of 16 pairs have no two verdicts, and 20\s% are allowed. Look for what broke/);
    expect(gated({ pairs: templates(12, true, false), unpaired: 4 }).decision).toBe('do not ship');
  });

  it('[GATE-6] without enough evidence it says how much more there must be, and where it would come from', () => {
    const { decision, reasons } = gated({ pairs: templates(3, false, true) });
    expect(decision).toBe('not enough evidence');
    expect(reasons[1]).toMatch(/^If the difference stays what it is, about \d+ more templates? \(\d+ episodes\)/);
    expect(reasons.at(-1)).toMatch(/unit: instance/);
    expect(gated({ pairs: templates(3, false, true), test: 'exact' }).reasons[1]).toMatch(
      /^The exact test is made once/,
    );
    expect(gated({ pairs: [] }).reasons[0]).toBe(
      'Not shown to be better or worse after 0 templates: no pair has two verdicts.',
    );
  });
});

describe('its files', () => {
  const nasty = '<b>&"\n::error::,:%';
  const result = gated({ pairs: templates(12, true, false), symptom: nasty });

  it('[GATE-9] the annotations are one line each, whatever the texts hold', () => {
    const lines = writeAnnotations(result, 'gate.yaml').trimEnd().split('\n');
    expect(lines[0]).toMatch(/^::error file=gate.yaml,title=Gate%3A do not ship::Shown to be worse/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      /^::warning file=gate.yaml,title=Regression%3A <b>&"%0A%3A%3Aerror%3A%3A%2C%3A%25::1 task/,
    );
  });

  it('[GATE-9] JUnit has a case for the decision, each slice and each task; counts agree with the cases', () => {
    const text = writeJunit(result);
    expect(text.match(/<testcase /g)).toHaveLength(13);
    expect(text).toContain('<testsuite name="mail" tests="12" failures="12" errors="0" skipped="0">');
    expect(text).toContain('<failure message="&lt;b&gt;&amp;&quot;');
    expect(text).not.toContain('<b>');
  });

  it('[GATE-9] the page escapes what tasks and agents say, and loads nothing', () => {
    const page = writeGatePage(result, '0');
    expect(page).toContain('Do not ship');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).not.toContain('<b>&');
  });
});
