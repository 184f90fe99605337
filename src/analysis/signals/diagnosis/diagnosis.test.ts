import { describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../../test/fixtures/episodes.ts';
import {
  finish,
  madeEpisode,
  storedEpisode,
  type MadeEpisode,
} from '../../../../test/fixtures/signals/made-episode.ts';
import { foldEpisode } from '../../../core/episode/record.ts';
import { annotateEpisodes } from '../../../../test/fixtures/annotate-episodes.ts';
import { countCauses } from '../causes.ts';
import { localise } from '../localise.ts';
import { annotate, type Annotated, type Signal } from '../signal.ts';
import { aegis, aegisModes } from './aegis.ts';
import { agentDebug } from './agent-debug.ts';
import { bucketOf, conversation, efficiencyOf, qualityOf, severityOf, type Findings } from './conversation.ts';
import { epistemics } from './epistemics.ts';
import { evidenceGuided } from './evidence-guided.ts';
import { loopTiers } from './loop-tiers.ts';
import { searchBehaviour } from './search-behaviour.ts';
import { precisionAndRecall, trajeval } from './trajeval.ts';

const refused = { applied: false, problem: { code: 'unknown-element', message: 'There is no e9.' } };
const say = (signal: Signal, made: MadeEpisode): readonly Annotated[] => annotate(madeEpisode(made), [signal]);
const labels = (said: readonly Annotated[]): unknown[][] => said.map(({ node, label }) => [node, label]);
const valueOf = (said: readonly Annotated[], label: string) => said.find(one => one.label === label)?.value;
const instruction = 'Star the message "Lunch" and fill Phone with 555-0199';

describe('diagnosis', () => {
  it('[SIG-9] localise: nothing of a pass, the boundary of an error, and the first sure sign of a failure', () => {
    expect(localise(madeEpisode({ steps: [finish], passed: true }))).toBeNull();
    const errored = localise(madeEpisode({ steps: [], passed: null, outcome: 'errored' }));
    expect(errored).toMatchObject({ node: null, cause: 'infrastructure' });
    const made = {
      instruction,
      steps: [
        { to: 'A', text: 'click link "Lunch"' },
        {
          to: 'B',
          action: { kind: 'fill', ref: 'e2', text: '555-0911' } as const,
          text: 'fill textbox "Phone" with "555-0911"',
        },
        finish,
      ],
    };
    const found = localise(madeEpisode(made));
    expect(found).toMatchObject({ node: 2, cause: 'unseen-value' });
    expect(found?.reason).toContain('555-0911');
    expect(found?.evidence).toContain('check failed: done');
    expect(countCauses([madeEpisode(made), madeEpisode(made)], { collected: new Set() })).toMatchObject([
      { cause: 'wrong-value', count: 2, of: 2 },
    ]);
  });

  it('[SIG-9] localise: a failure without a sure sign is found where it leaves the task, not at its end', () => {
    const screen = (name: string, to: string) => ({
      to,
      text: `click link "${name}"`,
      action: { kind: 'click', ref: 'e3' } as const,
      screen: `page "${to}"\n  [e2] link "Settings"\n  [e3] link "${name}"`,
    });
    const search = (text: string, to: string) =>
      ({ to, action: { kind: 'fill', ref: 'e1', text }, text: `fill textbox "Search" with "${text}"` }) as const;
    const lost = madeEpisode({
      instruction: 'Change "Theme" to "Dark" in your settings.',
      steps: [
        search('settings', 'A'),
        screen('Orders', 'B'),
        screen('Wish list', 'C'),
        screen('Help', 'D'),
        screen('News', 'E'),
        finish,
      ],
    });
    const found = localise(lost);
    expect(found?.node).toBeLessThanOrEqual(2);
    expect(found?.confidence).toBeGreaterThan(0.2);
    expect(found?.confidence).toBeLessThanOrEqual(1);
    expect(found?.reason).toMatch(/^Step \d: it /);
  });

  it('[SIG-40] localise: a guess says what the record shows of the step, and how likely it is', () => {
    const phone = { kind: 'fill', ref: 'e2', text: '555-0199' } as const;
    const entered = { to: 'A', action: phone, text: 'fill textbox "Phone" with "555-0199"' };
    const found = localise(madeEpisode({ instruction, steps: [entered, finish] }));
    expect(found).toMatchObject({ node: 2, by: 'record' });
    expect(found?.confidence).toBeLessThan(1);
    expect(found?.reason).toMatch(/^Step 2: finished without a look/);
  });

  it('[SIG-9] localise: what an agent took back without a loss is no reason', () => {
    const away = { to: 'A', text: 'click link "Zebras"', screen: 'page "Start"' };
    const back = { to: 'start', text: 'click link "Start"', screen: 'page "Zebras"' };
    const wrong = {
      to: 'B',
      action: { kind: 'fill', ref: 'e2', text: '555-0911' },
      text: 'fill textbox "Phone" with "555-0911"',
      screen: 'page "Start"',
    } as const;
    expect(
      localise(madeEpisode({ instruction, steps: [away, back, wrong, { ...finish, screen: 'page "End"' }] }))?.node,
    ).toBe(3);
  });

  it('[SIG-15] agent-debug: types by module, none of memory or reflection at the first step, and the critical step', () => {
    const fill = {
      action: { kind: 'fill', ref: 'e2', text: 'zebra' } as const,
      text: 'fill textbox "Phone" with "zebra"',
    };
    const made = {
      instruction,
      steps: [
        fill,
        { outcome: refused, text: 'click e9' },
        { outcome: refused, text: 'click e9' },
        { ...fill, to: 'A' },
      ],
    };
    const critical = localise(madeEpisode(made))?.node as number;
    // The guess goes for "within one step": the value that nobody said is entered at step 1.
    expect(critical).toBeLessThanOrEqual(2);
    expect(labels(say(agentDebug, made))).toEqual([
      [1, 'action.parameter_error'],
      [2, 'action.invalid_action'],
      [3, 'reflection.outcome_misinterpretation'],
      [4, 'memory.hallucination'],
      [4, 'system.step_limit'],
      [critical, 'critical'],
    ]);
    expect(labels(say(agentDebug, { steps: [], passed: null, outcome: 'errored' }))).toEqual([
      [null, 'system.llm_limit'],
    ]);
  });

  it.each<[string, MadeEpisode['steps'], string]>([
    [
      'a value that nobody said',
      [{ to: 'A', action: { kind: 'fill', ref: 'e1', text: 'zebra' }, text: 'fill' }, finish],
      'FM-1.1',
    ],
    ['what it is not offered', [{ outcome: refused }, finish], 'FM-1.2'],
    ['back again', [{ to: 'A' }, { to: 'start' }, finish], 'FM-1.3'],
    [
      'the same in the same state',
      [{ to: 'A', text: 'a' }, { to: 'start', text: 'b' }, { to: 'A', text: 'a' }, finish],
      'FM-1.4',
    ],
    ['no end', [{ to: 'A' }], 'FM-1.5'],
    ['three times', [{ to: 'A', text: 'a' }, { to: 'B', text: 'a' }, { to: 'C', text: 'a' }, finish], 'FM-2.1'],
    ['one of two', [{ to: 'A', text: 'click button "Go"', screen: 'button "Go"\nbutton "Go"' }, finish], 'FM-2.2'],
    [
      'another record',
      [{ to: 'A', text: 'click button "Star" in "Dinner"', screen: 'listitem "Dinner"\nlistitem "Lunch"' }, finish],
      'FM-2.3',
    ],
    ['a refusal again', [{ outcome: refused, text: 'a' }, { outcome: refused, text: 'a' }, finish], 'FM-2.5'],
    ['another thought', [{ to: 'A', text: 'click button "Star"', thought: 'I press "Delete".' }, finish], 'FM-2.6'],
    ['most undone', [{ to: 'A' }, finish], 'FM-3.1'],
    ['no look', [{ to: 'A' }, finish], 'FM-3.2'],
    ['a look', [{ to: 'A' }, { to: 'B', text: 'click link "Lunch"' }, finish], 'FM-3.3'],
  ])('[SIG-16] aegis: %s', (_what, steps, mode) => {
    expect(say(aegis, { instruction, steps }).map(({ label }) => label)).toContain(mode);
    expect(say(aegis, { instruction, steps, passed: true })).toEqual([]);
  });

  it('[SIG-16] aegis: an answer that is missing, and fourteen modes in all', () => {
    const checks = [{ id: 'answer', name: 'the answer is right', pass: false }];
    expect(labels(say(aegis, { steps: [{ to: 'A' }, finish], checks }))).toContainEqual([2, 'FM-2.4']);
    expect(Object.keys(aegisModes)).toHaveLength(14);
  });

  it('[SIG-17] trajeval: a passing run has precision and recall of 1; extra reading lowers precision alone', async () => {
    expect(precisionAndRecall(['a', 'b', 'c', 'd'], ['a', 'b'])).toEqual({ precision: 0.5, recall: 1 });
    expect(precisionAndRecall([], ['a'])).toEqual({ precision: null, recall: 0 });
    const gold = storedEpisode({ key: 'gold', steps: [{ to: 'A', text: 'click button "x"' }, finish], passed: true });
    const wide = storedEpisode({
      key: 'wide',
      steps: [{ to: 'Z', text: 'click button "y"' }, { to: 'A', text: 'click button "x"' }, finish],
    });
    const said: Annotated[] = [];
    const ofGold: Annotated[] = [];
    for await (const { episode, annotations } of annotateEpisodes({ episodes: [gold, wide], signals: [trajeval] }))
      (episode === 'wide' ? said : ofGold).push(...annotations);
    expect(ofGold.length).toBeGreaterThan(0);
    expect(ofGold.every(({ value }) => value === 1)).toBe(true);
    expect(valueOf(said, 'edit-precision')).toBe(0.5);
    expect(valueOf(said, 'edit-recall')).toBe(1);
  });

  it('[SIG-18] conversation: severities, weights and buckets at their thresholds', () => {
    expect([0, 1, 2, 3, 4, 5, 9].map(severityOf)).toEqual([0, 1, 1, 2, 2, 3, 3]);
    const none: Findings = {
      misalignment: 0,
      stagnation: 0,
      disengagement: 0,
      satisfaction: 0,
      failure: 0,
      loops: 0,
      exhaustion: 0,
    };
    expect(qualityOf(none)).toBe(50);
    expect(qualityOf({ ...none, satisfaction: 1 })).toBe(70);
    expect(qualityOf({ ...none, misalignment: 0.3 })).toBe(50);
    expect(qualityOf({ ...none, misalignment: 0.31, stagnation: 3, disengagement: 1 })).toBe(50 - 15 - 16 - 10);
    expect(qualityOf({ ...none, stagnation: 2 })).toBe(50);
    expect(qualityOf({ ...none, failure: 9 })).toBe(0);
    expect([75, 74.9, 60, 59, 40, 39, 25, 24].map(bucketOf)).toEqual([
      'excellent',
      'good',
      'good',
      'neutral',
      'neutral',
      'poor',
      'poor',
      'severe',
    ]);
    expect(efficiencyOf(5, 5)).toBe(1);
    expect(efficiencyOf(7, 5)).toBeCloseTo(1 / 1.6, 10);
    const to = (text: string) => ({ text, to: text });
    expect(
      labels(say(conversation, { steps: ['a', 'b', 'a', 'b', 'a', 'b'].map(to) })).filter(([node]) => node !== null),
    ).toEqual([[6, 'oscillation']]);
    expect(labels(say(conversation, { steps: ['a', 'a', 'a'].map(to) })).filter(([node]) => node !== null)).toEqual([
      [3, 'retry'],
    ]);
    const drift = [1, 2, 3].map(id => ({ action: { kind: 'call', tool: 't', input: { id } } as const, to: `s${id}` }));
    expect(labels(say(conversation, { steps: drift })).filter(([node]) => node !== null)).toEqual([
      [3, 'parameter-drift'],
    ]);
  });

  it('[SIG-19] loop-tiers fire at exactly two and three, and a finish without evidence is marked', () => {
    const idle = { text: 'a' };
    expect(labels(say(loopTiers, { steps: [idle] }))).toEqual([[null, 'wasted']]);
    expect(labels(say(loopTiers, { steps: [idle, idle] }))).toEqual([
      [2, 'tier-1'],
      [null, 'wasted'],
    ]);
    expect(labels(say(loopTiers, { steps: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] }))).toEqual([
      [3, 'tier-2'],
      [null, 'wasted'],
    ]);
    expect(labels(say(loopTiers, { steps: [finish] }))).toEqual([
      [1, 'no-evidence'],
      [null, 'wasted'],
    ]);
  });

  it('[SIG-20] epistemics: evidence is ignored or leads to something else; without evidence there is no rate', () => {
    const said = say(epistemics, {
      steps: [{ outcome: refused, text: 'a' }, { outcome: refused, text: 'a' }, { to: 'A', text: 'b' }, finish],
    });
    expect(labels(said).slice(0, 2)).toEqual([
      [2, 'ignored'],
      [3, 'revised'],
    ]);
    expect(valueOf(said, 'ignored-rate')).toBe(0.5);
    expect(say(epistemics, { steps: [{ to: 'A' }, finish] })).toEqual([]);
  });

  it('[SIG-21] search-behaviour and evidence-guided: counts of a path that looks, acts and checks', () => {
    const steps = [
      { to: 'A', text: 'click link "Lunch"' },
      { outcome: refused, text: 'click button "Sta" in "Lunch"' },
      { to: 'B', text: 'click button "Star" in "Lunch"' },
      { to: 'C', text: 'click link "Lunch"' },
      finish,
    ];
    const said = say(searchBehaviour, { instruction, steps });
    expect(said.map(({ label, value }) => [label, value])).toEqual([
      ['verification', 1],
      ['authority', 4],
      ['adaptive-search', 0],
      ['error-recovery', 1],
    ]);
    expect(valueOf(say(evidenceGuided, { instruction, steps: steps.filter((_, index) => index !== 1) }), 'egs')).toBe(
      1,
    );
    expect(valueOf(say(evidenceGuided, { instruction, steps: steps.slice(2) }), 'egs')).toBe(0);
    expect(say(evidenceGuided, { steps: [finish] })).toEqual([]);
  });

  it('[SIG-1] each says the same again of real episodes, and of one without steps', async () => {
    const all = [aegis, agentDebug, conversation, epistemics, evidenceGuided, loopTiers, searchBehaviour];
    for (const record of [
      foldEpisode(await scriptedEpisode({ outcome: 'failed', slips: 2 })),
      madeEpisode({ steps: [] }),
    ])
      expect(annotate(record, all)).toEqual(annotate(record, all));
  });
});
