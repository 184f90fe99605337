import { count } from '../../core/text.ts';
import { percentText } from '../estimate.ts';
import type { Evidence, Rule, Unit, UnitKind } from './decide.ts';
import { thresholdOf } from './decide.ts';
import type { TaskChange } from './pairs.ts';
import { crossedLines, openLines, type RedLines } from './red-lines.ts';
import type { Symptom } from './symptoms.ts';

export type Decision = 'ship' | 'do not ship' | 'not enough evidence';

/** Tasks of which no more than so many may be lost. */
export interface Slice {
  readonly name: string;
  readonly where: string;
  readonly budget: number;
  /** With two verdicts. */
  readonly tasks: number;
  /** Without: not run, or broken on one side. */
  readonly missing: number;
  readonly regressions: number;
}

/** A unit, and the evidence after it. */
export interface Look extends Unit {
  readonly forGoal: number;
  readonly againstGoal: number;
}

/** Everything that the gate found: what its files are written from. */
export interface GateFindings {
  readonly candidate: string;
  readonly release: string;
  readonly rule: Rule;
  readonly unit: UnitKind;
  readonly evidence: Evidence;
  readonly looks: readonly Look[];
  /** Names of all units in the order in which they are looked at: what is added later comes after them. */
  readonly order: readonly string[];
  /** Episodes that one of them takes from both sides. */
  readonly episodesPerUnit: number;
  /** Episodes of the plan that were not needed. */
  readonly saved: number;
  readonly pairs: number;
  readonly unpaired: number;
  /** Share of the pairs that may be unpaired. */
  readonly unpairedAllowed: number;
  readonly tasks: readonly TaskChange[];
  readonly slices: readonly Slice[];
  /** What refuses it whatever its success; null where no line is drawn. */
  readonly redLines: RedLines | null;
  readonly symptoms: readonly Symptom[];
  /** Whether somebody, or the budget, stopped it before its end. */
  readonly stopped: boolean;
}

export interface GateResult extends GateFindings {
  readonly decision: Decision;
  /** Why, the weightiest first. */
  readonly reasons: readonly string[];
}

/** Red lines and budgets come first: no gain elsewhere pays for harm, or for a task that must not be lost. */
export function decideGate(found: GateFindings): GateResult {
  const broken = found.slices.filter(({ regressions, budget }) => regressions > budget);
  const { finding } = found.evidence;
  const crossed = found.redLines === null ? [] : crossedLines(found.redLines);
  const waiting = found.redLines === null ? [] : openLines(found.redLines);
  const reasons = [...crossed, ...broken.map(sliceReason), evidenceReason(found)];
  if (crossed.length > 0 || broken.length > 0 || finding === 'refuted')
    return { ...found, decision: 'do not ship', reasons };
  const broke = unpairedReasons(found);
  if (finding === 'open' || found.stopped)
    return {
      ...found,
      decision: 'not enough evidence',
      reasons: [...reasons, ...broke, ...neededReasons(found), ...waiting],
    };
  const missing = found.slices.filter(slice => slice.regressions + slice.missing > slice.budget).map(missingReason);
  const more = waiting.length === 0 ? [] : [moreUnits[found.unit]];
  const open = [...broke, ...waiting, ...more, ...missing];
  if (open.length > 0) return { ...found, decision: 'not enough evidence', reasons: [...reasons, ...open] };
  return { ...found, decision: 'ship', reasons };
}

function sliceReason({ name, regressions, budget, tasks }: Slice): string {
  return `Slice ${name}: ${count(regressions, 'regression')} in ${count(tasks, 'task')}, and ${budget} allowed.`;
}

function missingReason({ name, missing, regressions, budget }: Slice): string {
  const lost = regressions === 0 ? '' : `, ${regressions} are lost`;
  return `Slice ${name}: ${missing === 1 ? '1 task has' : `${missing} tasks have`} no two verdicts and might be lost${lost}, and ${budget} allowed. ${whatBroke}`;
}

function unpairedReasons({ pairs, unpaired, unpairedAllowed }: GateFindings): string[] {
  const all = pairs + unpaired;
  if (unpaired <= unpairedAllowed * all) return [];
  return [
    `${unpaired} of ${count(all, 'pair')} have no two verdicts, and ${percentText(unpairedAllowed)} are allowed. ${whatBroke}`,
  ];
}

const whatBroke =
  'Look for what broke (espalier inspect <run> --outcome errored), mend it, and gate into a new folder: the old one keeps what broke.';

const goalWords = {
  better: { shown: 'better', refuted: 'worse', open: 'better or worse' },
  'no-worse': { shown: 'not worse by', refuted: 'worse by at least', open: 'worse by' },
} as const;

function evidenceReason({ evidence, rule, unit }: GateFindings): string {
  const words = goalWords[rule.goal][evidence.finding];
  const margin = rule.goal === 'better' ? '' : ` ${pointsText(rule.difference)} points`;
  const shown = evidence.finding === 'open' ? 'Not shown to be' : 'Shown to be';
  const after = count(evidence.finding === 'open' ? evidence.units : evidence.used, unit);
  const over = evidence.finding === 'open' || evidence.used === evidence.units ? '' : ` over ${evidence.units}`;
  return `${shown} ${words}${margin} after ${after}: ${differenceText(evidence)}${over}.`;
}

/** `+12 points (3…20)`. */
export function differenceText({ mean, interval }: Evidence): string {
  if (mean === null) return 'no pair has two verdicts';
  const sign = Math.round(mean * 100) > 0 ? '+' : '';
  return `${sign}${pointsText(mean)} points (${pointsText(interval.low)}…${pointsText(interval.high)})`;
}

export function pointsText(share: number): string {
  return String(Math.round(share * 100) + 0);
}

function neededReasons(found: GateFindings): string[] {
  const { evidence, rule, unit, episodesPerUnit, looks, order, stopped } = found;
  if (stopped) return ['It was stopped before its end: run the same command again to go on.'];
  if (evidence.needed === null) return [];
  const { asSeen, atDistance } = evidence.needed;
  const inWords = (more: number): string =>
    `about ${count(more, `more ${unit}`)} (${count(more * episodesPerUnit, 'episode')})`;
  const seen = evidence.mean === null ? 0 : evidence.mean - thresholdOf(rule);
  const first =
    asSeen === null
      ? `Such a small difference (${pointsText(seen)} points from the threshold) cannot be shown by more of the same.`
      : `If the difference stays what it is, ${inWords(asSeen)} would be enough.`;
  const second = `A difference of ${pointsText(rule.difference)} points would show after ${inWords(atDistance)}.`;
  if (rule.test === 'exact') return [exactOnce, first, second];
  return [first, second, ...(looks.length < order.length ? [] : [moreUnits[unit]])];
}

const exactOnce =
  'The exact test is made once: repeated with more tasks, it errs more often than alpha. The numbers are those of test: sequential.';

const moreUnits: Readonly<Record<UnitKind, string>> = {
  template:
    'All templates of these environments were used: add environments and gate into the same folder, or set unit: instance to decide about these templates alone.',
  app: 'All environments were used: add some, or set unit: template.',
  instance: 'All instances were used: raise instances.',
};
