import { describe, expect, it } from 'vitest';
import { finish, madeEpisode, storedEpisode, type MadeStep } from '../../../../test/fixtures/signals/made-episode.ts';
import { annotateEpisodes } from '../../../../test/fixtures/annotate-episodes.ts';
import { annotate, type Annotated } from '../signal.ts';
import { createTrace } from '../trace.ts';
import { agentLens, coverageOf, mechanismsOf, qualityOf, tierOf } from './agent-lens.ts';
import { behaviourPriming } from './behaviour-priming.ts';
import { planning } from './planning.ts';
import { intentsOf } from './intents.ts';
import { createPairStudent, rankSurprisalRatio, rankSurprisal } from './rank-surprisal.ts';
import {
  diversityOf,
  efficiencyOf,
  errorBranchRatio,
  mergeTrials,
  recoveryOf,
  topoCurate,
  type Trial,
} from './topo-curate.ts';

const look: MadeStep = { to: 'A', text: 'click link "Lunch"' };
const act: MadeStep = { to: 'B', text: 'click button "Star" in "Lunch"' };
const check: MadeStep = { to: 'C', text: 'click link "Lunch"' };

function mechanisms(steps: readonly MadeStep[]) {
  const trace = createTrace(madeEpisode({ steps, passed: true }));
  return mechanismsOf(trace.main, intentsOf(trace.main, trace));
}

const passing = (key: string, steps: readonly MadeStep[]) => storedEpisode({ key, steps, passed: true });

/** What agent-lens says of episodes of one task: a value by episode and label; undefined where it says nothing. */
async function lensValues(episodes: readonly ReturnType<typeof storedEpisode>[]) {
  const found = new Map<string | null, readonly Annotated[]>();
  for await (const { episode, group, annotations } of annotateEpisodes({ episodes, signals: [agentLens] }))
    if (group !== undefined) found.set(episode, annotations);
  return (key: string, label: string): number | null | undefined => {
    const said = found.get(key)?.find(one => one.label === label);
    return said === undefined ? undefined : (said.value ?? null);
  };
}

describe('quality', () => {
  it('[SIG-22] agent-lens: labels of intent depend on what came before', () => {
    const trace = createTrace(madeEpisode({ steps: [look, act, check, finish] }));
    expect(intentsOf(trace.main, trace)).toEqual(['exploration', 'implementation', 'verification', 'orchestration']);
  });

  it.each<[string, readonly MadeStep[], readonly string[]]>([
    ['nothing', [look, act, check, finish], []],
    ['no look at the end', [look, act, finish], ['missing-verification']],
    ['an act before a look', [act, check, finish], ['temporal-disorder']],
    [
      'the same again',
      [
        look,
        { text: 'click button "Star" in "Lunch"', action: { kind: 'click', ref: 'e1' } },
        { ...act, action: { kind: 'click', ref: 'e1' } },
        check,
        finish,
      ],
      ['blind-retry'],
    ],
    ['back and forth', [look, act, check, { to: 'A', text: 'click link "x"' }, finish], ['regression-cycle']],
  ])('[SIG-22] agent-lens: %s trips exactly one mechanism', (_what, steps, expected) =>
    expect(mechanisms(steps)).toEqual(expected),
  );

  it('[SIG-22] agent-lens: coverage by the passing runs, quality and tiers', async () => {
    expect(coverageOf(['a', 'b', 'c', 'd'], [['a', 'b', 'x'], ['a']])).toBe(0.5);
    expect(qualityOf(['missing-verification', 'temporal-disorder'])).toBeCloseTo(0.6, 10);
    expect([1, 0.8, 0.79, 0.5, 0.49].map(tierOf)).toEqual(['ideal', 'ideal', 'solid', 'solid', 'lucky']);
    const starAll: MadeStep = { to: 'B', text: 'click button "Star all"' };
    const ideal = [1, 2].map(trial => passing(`ideal ${trial}`, [look, act, check, finish]));
    const value = await lensValues([
      passing('lucky', [starAll, finish]),
      ...ideal,
      storedEpisode({ key: 'failed', steps: [finish] }),
    ]);
    expect([value('lucky', 'lucky'), value('ideal 1', 'lucky')]).toEqual([1, 0]);
    expect(value('ideal 1', 'coverage')).toBe(1);
    expect(value('failed', 'quality')).toBeUndefined();
  });

  it('[SIG-22] agent-lens: the shortest known way is not luck when another pass makes the same changes', async () => {
    const slow = passing('slow', [look, act, check, finish]);
    const value = await lensValues([passing('shortest', [act, finish]), slow]);
    expect([value('shortest', 'quality'), value('shortest', 'lucky'), value('shortest', 'tier')]).toEqual([1, 0, 2]);
    // Nothing is known of a lone pass; a guess that changes nothing stays lucky, and so does a retry.
    const alone = await lensValues([passing('alone', [act, finish])]);
    expect(alone('alone', 'quality')).toBeCloseTo(0.6, 10);
    const guess = await lensValues([passing('guess', [finish]), slow]);
    expect(guess('guess', 'late-luck')).toBeDefined();
    const retry = { text: 'click button "Star" in "Lunch"', action: { kind: 'click', ref: 'e1' } } as const;
    const again = await lensValues([passing('again', [retry, { ...act, action: retry.action }, finish]), slow]);
    expect(again('again', 'quality')).toBeCloseTo(0.7, 10);
  });

  it('[SIG-23] topo-curate: three trials by hand; padding with a loop lowers efficiency alone, a failing sibling raises error branches', () => {
    const trial = (episode: string, nodes: readonly string[], passed: boolean): Trial => ({ episode, nodes, passed });
    const short = trial('1', ['a', 'b', 'd'], true);
    const other = trial('2', ['a', 'c', 'd'], true);
    const wrong = trial('3', ['a', 'x', 'y'], false);
    const graph = mergeTrials([short, other, wrong]);
    expect(efficiencyOf(short, graph)).toBe(1);
    expect(diversityOf(short, graph)).toBeCloseTo(Math.log(2) / 3, 10);
    expect(errorBranchRatio(graph)).toBeCloseTo(1 / 3, 10);
    expect(recoveryOf(short, graph)).toBe(0);
    const padded = trial('4', ['a', 'e', 'a', 'e', 'b', 'd'], true);
    const withPadding = mergeTrials([short, other, wrong, padded]);
    expect(efficiencyOf(padded, withPadding)).toBe(0.5);
    expect(efficiencyOf(short, withPadding)).toBe(1);
    const withSibling = mergeTrials([short, other, wrong, trial('5', ['a', 'z'], false)]);
    expect(errorBranchRatio(withSibling)).toBe(0.5);
    expect(efficiencyOf(short, withSibling)).toBe(1);
    expect(errorBranchRatio(mergeTrials([short]))).toBeNull();
    // Through x one of two passes (0.5); before it two of three, after it all: a fall by more than 0.1, then a rise by 0.5.
    const recovers = trial('6', ['x', 'back'], true);
    expect(
      recoveryOf(recovers, mergeTrials([recovers, trial('7', ['x', 'lost'], false), trial('8', ['b'], true)])),
    ).toBeCloseTo(0.5, 10);
    expect(Object.keys(topoCurate.labels ?? {})).toHaveLength(5);
  });

  it('[SIG-23] topo-curate: says of each passing trial and of the task what the graph of its trials shows', async () => {
    const lost: MadeStep = { to: 'L', text: 'click link "Spam"' };
    const episodes = [
      passing('short', [look, act, finish]),
      passing('padded', [look, check, look, act, finish]),
      storedEpisode({ key: 'wrong', steps: [look, lost, finish], passed: false }),
    ];
    const said = new Map<string, number>();
    for await (const { episode, annotations } of annotateEpisodes({ episodes, signals: [topoCurate] }))
      for (const { label, value = NaN } of annotations) said.set(`${episode ?? 'task'} ${label}`, value);
    expect(said.get('short efficiency')).toBe(1);
    expect(said.get('padded efficiency')).toBe(3 / 5);
    expect(said.get('task heterogeneity')).toBe(1);
    expect(said.get('task error-branches')).toBeCloseTo(1 / 3, 10);
    expect(said.get('short diversity')).toBeCloseTo(Math.log(2) / 3, 10);
    expect([...said.keys()].some(key => key.startsWith('wrong'))).toBe(false);
  });

  it('[SIG-24] rank-surprisal: the worked numbers, and a reference student that prefers what it knows', async () => {
    const nll = [0.1, 1.2, 6, 0.05];
    const tokens = [1, 2, 150, 1].map((rank, index) => ({ rank, nll: nll[index] as number }));
    expect(rankSurprisalRatio(tokens)).toBeCloseTo(14.1497, 4);
    expect(() => rankSurprisalRatio([])).toThrow('a surprise of 0');
    const student = createPairStudent([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'c'],
    ]);
    const [first, second] = student(['a', 'c']);
    expect(first).toMatchObject({ rank: 1 });
    expect(second).toMatchObject({ rank: 2, nll: -Math.log(1.5 / 5) });
    const said: Annotated[] = [];
    const episodes = ['1', '2'].map(key => storedEpisode({ key, steps: [look, finish], passed: key === '1' }));
    for await (const { annotations } of annotateEpisodes({ episodes, signals: [rankSurprisal] }))
      said.push(...annotations);
    expect(said).toHaveLength(1);
  });

  it('[SIG-25] behaviour-priming: all four behaviours, whatever the verdict', () => {
    const refused = { applied: false, problem: { code: 'x', message: 'no' } };
    const steps: MadeStep[] = [
      look,
      { text: 'a' },
      { to: 'D', text: 'b' },
      { text: 'c', outcome: refused },
      act,
      check,
      finish,
    ];
    const said = annotate(madeEpisode({ instruction: 'Star "Lunch"', steps }), [behaviourPriming]);
    expect(said.map(({ value }) => value)).toEqual([4, 1]);
    expect(
      annotate(madeEpisode({ steps: [finish], passed: true }), [behaviourPriming]).map(({ value }) => value),
    ).toEqual([0, 0]);
  });
});

describe('planning', () => {
  const star: MadeStep = { to: 'B', text: 'click button "Star"' };
  const nothing: MadeStep = { text: 'click button "Star"' };

  it('[SIG-57] planning: shares of steps that succeed, repeat and recover, and checks that hold', () => {
    // Two of four steps change something; the third does again what the second did; one setback of two is recovered from.
    const episode = madeEpisode({ steps: [look, nothing, nothing, star], passed: false });
    const said = annotate(episode, [planning]).map(({ label, value }) => [label, value]);
    expect(Object.fromEntries(said)).toEqual({
      'step-success': 0.5,
      repetition: 0.5,
      recovery: 0.5,
      'partial-success': episode.end.verdict?.progress,
    });
    const clean = annotate(madeEpisode({ steps: [look, act], passed: true }), [planning]).map(({ label }) => label);
    expect(clean).not.toContain('recovery');
  });

  it('[SIG-57] planning: element accuracy is of elements that passing episodes of the task acted on', async () => {
    const fill = (text: string): MadeStep => ({ to: 'D', text: `fill textbox "To" with "${text}"` });
    const episodes = [
      storedEpisode({ key: 'a', steps: [look, fill('Ann'), finish], passed: true }),
      storedEpisode({ key: 'b', steps: [look, fill('Bob'), star, finish], passed: false }),
    ];
    const found = new Map<string | null, number | undefined>();
    for await (const { episode, group, annotations } of annotateEpisodes({ episodes, signals: [planning] }))
      if (group !== undefined) found.set(episode, annotations.find(({ label }) => label === 'element-accuracy')?.value);
    expect([found.get('a'), found.get('b')]).toEqual([1, 2 / 3]);
    const none = [storedEpisode({ key: 'c', steps: [look], passed: false })];
    for await (const { annotations } of annotateEpisodes({ episodes: none, signals: [planning] }))
      expect(annotations.map(({ label }) => label)).not.toContain('element-accuracy');
  });
});
