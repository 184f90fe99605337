import { create } from 'mutative';
import { checkIds } from '../../core/check-ids.ts';
import { diff, type Change } from '../../core/diff.ts';
import { causeText, EspalierError, invalidApp } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Split, StepOutcome, TaskKind } from '../../core/records.ts';

/** A goal predicate over the state reached; `initial` is the state the task began in. */
export interface Check<S extends JsonObject> {
  /** The same for every seed, without spaces; by default made from the name, without the values of the task. */
  readonly id?: string;
  readonly name: string;
  /** How much it counts in the progress of a verdict beside the others; 1 when left out. */
  readonly weight?: number;
  test(final: S, initial: S): boolean;
}

export interface TemplateBody<S extends JsonObject, P extends JsonObject> {
  readonly about: string;
  readonly split: Split;
  /** What the right ending is. A template that is not feasible also gives `isTwin`, so that no ending can be guessed. */
  readonly kind?: TaskKind;
  /** Whether these parameters make a feasible task in the same words. It should be true for about half of the seeds. */
  isTwin?(parameters: P): boolean;
  /** Step budget of an episode. */
  readonly steps?: number;
  /** Picks the parameters from the seeded data; null when this data offers no instance. */
  sample(state: S, random: Random): P | null;
  /** Changes the data so that the task has something to do. */
  setup?(draft: S, parameters: P): void;
  instruction(parameters: P, random: Random): string;
  /** What must hold in the end. Name each check as a fact: "the message is archived". */
  checks(parameters: P): readonly Check<S>[];
  /** Paths that the task may change: `/messages/m17/folder`, or `/messages/+` for a new record. Each is to be checked. */
  allow(parameters: P): readonly string[];
  /** The right answer, when the task asks for one. */
  answer?(parameters: P, initial: S): string;
  /**
   * Whether the screen of this state shows what the ending follows from: the answer, that nothing is left to do, or that
   * it cannot be done. An episode that never saw it does not pass. By default, whether the screen shows the answer or,
   * where the task is not feasible, the longest text that the instruction names. A list when several things have to be
   * seen, not all on one screen.
   */
  shown?(state: S, parameters: P): boolean | readonly boolean[];
}

export interface Goal<S extends JsonObject> {
  readonly kind: TaskKind;
  /** Each with its id. */
  readonly checks: readonly Check<S>[];
  readonly allow: readonly string[];
  readonly answer: string | null;
  readonly shown: ((state: S) => boolean | readonly boolean[]) | null;
  /**
   * Whether the answer to a tool call in a state, a refusal included, tells everything that must be known before the
   * ending. Left out: a result that holds every text that the instruction names, and the answer.
   */
  readonly told?: (call: AnsweredCall<S>) => boolean;
  /** What \`shown\` tells must have been seen although the task is to change something: the data say what. */
  readonly mustBeSeen?: true;
}

/** A tool call, the state in which it was made, and what it was answered. */
export interface AnsweredCall<S extends JsonObject> {
  readonly state: S;
  readonly tool: string;
  readonly input: JsonObject;
  readonly outcome: StepOutcome;
}

export interface TaskDraft {
  readonly parameters: JsonObject;
  readonly instruction: string;
  readonly patch: readonly Change[];
}

/** A template as the kernel sees it: the type of its parameters is its own business. */
export interface AppTemplate<S extends JsonObject> {
  readonly id: string;
  readonly about: string;
  readonly split: Split;
  readonly kind: TaskKind;
  readonly steps: number;
  /** The kind of the task with these parameters: `kind`, or feasible for a twin. */
  kindOf(parameters: JsonObject): TaskKind;
  make(state: S, random: Random): TaskDraft | null;
  /** Why it makes no task in this data, and what to do; for templates that nobody wrote by hand. */
  whyNone?(state: S): string;
  goal(parameters: JsonObject, initial: S): Goal<S>;
}

const defaultSteps = 30;

export function createTemplate<S extends JsonObject, P extends JsonObject>(
  id: string,
  body: TemplateBody<S, P>,
): AppTemplate<S> {
  const guard = <T>(stage: string, work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw templateFailed(id, stage, cause);
    }
  };
  requireMembers(id, body);
  const { kind = 'feasible', steps = defaultSteps } = body;
  const kindOf = (parameters: JsonObject): TaskKind =>
    guard('isTwin', () => body.isTwin?.(parameters as P) === true) ? 'feasible' : kind;
  return {
    id,
    about: body.about,
    split: body.split,
    kind,
    steps,
    kindOf,
    make(state, random) {
      const parameters = guard('sample', () => body.sample(state, random.fork('sample')));
      if (parameters === null) return null;
      const patched = guard('setup', () => create(state, draft => void body.setup?.(draft as S, parameters)));
      const instruction = guard('instruction', () => body.instruction(parameters, random.fork('words')));
      return { parameters, instruction, patch: diff(state, patched as Json) };
    },
    goal(parameters, initial) {
      const { shown } = body;
      return {
        kind: kindOf(parameters),
        checks: guard('checks', () => withIds(body.checks(parameters as P), parameters)),
        allow: guard('allow', () => body.allow(parameters as P).map(requirePath)),
        answer: guard('answer', () => body.answer?.(parameters as P, initial) ?? null),
        shown: shown === undefined ? null : state => shown(state, parameters as P),
      };
    },
  };
}

/** Apps in plain JavaScript have no compiler to ask. */
function requireMembers(id: string, body: Partial<Record<keyof TemplateBody<JsonObject, JsonObject>, unknown>>): void {
  const missing = (['about', 'split', 'sample', 'instruction', 'checks', 'allow'] as const).find(
    key => body[key] === undefined,
  );
  if (missing === undefined) return;
  const empty =
    missing === 'checks' || missing === 'allow' ? `: ${missing}: () => [] where there is nothing to list` : '';
  throw invalidApp(
    `Template "${id}" has no ${missing}.`,
    `Expected about, split, sample, instruction, checks and allow${empty}.`,
  );
}

function withIds<S extends JsonObject>(checks: readonly Check<S>[], parameters: JsonObject): readonly Check<S>[] {
  const ids = checkIds(checks, parameters);
  return checks.map((check, index) => ({
    id: ids[index] as string,
    name: check.name,
    test: (...states) => check.test(...states),
  }));
}

function requirePath(path: string): string {
  if (path.startsWith('/')) return path;
  throw new Error(`"${path}" is no path: it must start with /, such as /books/b7/loan`);
}

function templateFailed(id: string, stage: string, cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `Template "${id}" threw in ${stage}: ${causeText(cause)}.`,
    expected: `Expected ${stage} to work for every seed: return null from sample when the data offers no instance.`,
    cause,
  });
}
