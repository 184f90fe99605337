import { failedChecks, ownChecks, uncleanId } from '../../core/check-ids.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';

/** Regressions that look alike: the same reason, and the same kinds of checks that no longer hold. */
export interface Symptom {
  readonly text: string;
  /** Tasks that show it. */
  readonly tasks: readonly string[];
  readonly templates: readonly string[];
  /** The first of them. */
  readonly example: {
    readonly task: string;
    /** Key of the candidate's episode. */
    readonly episode: string;
    /** Ids of its checks that do not hold. */
    readonly checks: readonly string[];
    readonly command: string;
  };
}

export interface SymptomOptions {
  /** Folder of the run, as the command names it. */
  readonly folder: string;
}

/** Groups failed episodes of the candidate by what is seen of them; the most frequent first. */
export function symptomsOf(failed: readonly EpisodeSummary[], { folder }: SymptomOptions): readonly Symptom[] {
  return [...Map.groupBy(failed, symptomText)]
    .map(([text, own]) => {
      const [first] = own as [EpisodeSummary];
      const { head } = first;
      const command = `espalier studio ${shellWord(folder)} --episode ${shellWord(head.key)}`;
      return {
        text,
        tasks: [...new Set(own.map(summary => summary.head.task.id))],
        templates: [...new Set(own.map(templateOf))],
        example: { task: head.task.id, episode: head.key, checks: checksOf(first), command },
      };
    })
    .toSorted((a, b) => b.tasks.length - a.tasks.length);
}

/** Checks of the platform mean the same in every template; all others are the goal of one. */
const kinds: Readonly<Record<string, string>> = {
  [ownChecks.answer.id]: 'wrong answer',
  [ownChecks.reportedInfeasible.id]: 'not reported as infeasible',
  [ownChecks.notGivenUp.id]: 'given up',
  [uncleanId]: 'side effect',
};
const endings: ReadonlySet<string> = new Set([ownChecks.finished.id, ownChecks.agentFinished.id]);

/** `finish not passed: goal not reached, side effect`. */
function symptomText(summary: EpisodeSummary): string {
  const { reason, outcome } = summary.end;
  const seen = checksOf(summary)
    .filter(check => !endings.has(check))
    .map(check => kinds[check] ?? 'goal not reached');
  const text = reason ?? outcome;
  return seen.length === 0 ? text : `${text}: ${[...new Set(seen)].toSorted().join(', ')}`;
}

function checksOf({ head, end }: EpisodeSummary): readonly string[] {
  return end.verdict === null ? [] : failedChecks(end.verdict, head.task.parameters);
}

function templateOf({ head: { task } }: EpisodeSummary): string {
  return `${task.environment}/${task.template}`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
