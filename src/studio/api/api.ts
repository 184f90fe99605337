import type { Action } from '../../core/action.ts';
import type { Candidate } from '../../core/contracts.ts';
import type { Change } from '../../core/diff.ts';
import type { Outcome, Phase } from '../../core/episode/events.ts';
import type { Json } from '../../core/json.ts';
import type { Box, StepOutcome, Verdict } from '../../core/records.ts';
import type { Actor } from '../../core/tree.ts';
import type { ArchiveMap } from './api-archive.ts';
import type {
  FailureGroups,
  RowsPreview,
  SavedView,
  SignalCount,
  StepAdvantages,
  StepColumns,
  TokenPreview,
} from './api-episodes.ts';
import type { RunComparison } from './api-compare.ts';
import type { StudioLearning } from './api-learning.ts';
import type { StudioMemories } from './api-memory.ts';
import type { BesideCounts, EvaluatedFigures, GroupFigures, OutcomeCounts, RunProgress, RunRates } from './api-live.ts';
import type { StudioFleet } from './api-fleet.ts';
import type { StudioReviews } from '../../runs/agents/reviews/api-reviews.ts';
import type { PlayRequest, RunEnvironment, TakeOverDraft } from './api-tasks.ts';

/** What the studio's server and its browser program say to each other. Types alone: both sides import them. */

export interface RunSummary {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** Why the run cannot be read; null when it can. */
  readonly problem: string | null;
  /** Somebody writes to it now. */
  readonly isLive: boolean;
  /** Of all its episodes, whoever acted: no rate is made of these. */
  readonly outcomes: OutcomeCounts;
  /** The student that was evaluated last; null when none was. */
  readonly evaluation: EvaluatedFigures | null;
  /** What agents collected; null when nothing was. */
  readonly training: GroupFigures | null;
  readonly beside: BesideCounts;
  /** Episodes that have begun and not ended. */
  readonly unfinished: number;
  /** While it was watched. */
  readonly rates: RunRates;
  /** How far it is; null where it ended as planned, or has no plan. */
  readonly progress: RunProgress | null;
  /** US dollars that it may spend; null where there is no bound. */
  readonly budget: number | null;
  readonly students: readonly string[];
  readonly environments: readonly string[];
  readonly cost: number;
  readonly tokens: number;
  readonly corrections: number;
  /** What a teacher was asked: reviews and corrections. */
  readonly queries: number;
  /** Steps taken, rolled-back ones included. */
  readonly taken: number;
  /** Its episodes are still being read: the figures follow. */
  readonly isReading: boolean;
  /** Questions that wait for people, as `--teacher studio` asks them. */
  readonly waiting: number;
  /** Grows with every change. */
  readonly version: number;
}

export interface EpisodeRow {
  /** Names the episode in its run. */
  readonly id: number;
  readonly key: string;
  readonly outcome: Outcome;
  /** Why it did not pass, in a few words; null when it passed. */
  readonly cause: string | null;
  readonly phase: Phase;
  readonly round: number;
  readonly environment: string;
  readonly template: string;
  readonly student: string;
  readonly strategy: string;
  readonly steps: number;
  readonly taken: number;
  readonly corrections: number;
  readonly rollbacks: number;
  readonly cost: number;
  readonly tokens: number;
  readonly seconds: number;
  /** Only of the rows that are sent. */
  readonly instruction: string;
}

/** Members that are left out choose everything. */
export interface EpisodeFilter {
  readonly outcome?: string | undefined;
  readonly template?: string | undefined;
  readonly student?: string | undefined;
  readonly phase?: string | undefined;
  readonly cause?: string | undefined;
  /** `teacher`: somebody corrected it; `human`: a person took steps. */
  readonly actor?: string | undefined;
  readonly text?: string | undefined;
  /** Text on a screen of the episode. */
  readonly screen?: string | undefined;
  /** At least so much. */
  readonly cost?: number | undefined;
  /** A condition, as `espalier inspect --where` reads it. */
  readonly where?: string | undefined;
  /** Cause of the failure, as the report groups them; `any` for all that are grouped. */
  readonly failure?: string | undefined;
}

export interface EpisodePage {
  /** Episodes that fit the filter. */
  readonly total: number;
  readonly all: number;
  readonly from: number;
  readonly rows: readonly EpisodeRow[];
  readonly facets: Facets;
  /** A search on screens stopped before the end of the run. */
  readonly isPartial: boolean;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** Values to filter by, with how many of the chosen episodes have each. */
export interface Facets {
  readonly outcomes: readonly Facet[];
  readonly templates: readonly Facet[];
  readonly students: readonly Facet[];
  readonly causes: readonly Facet[];
}

export type StepStatus = 'kept' | 'correction' | 'rolled-back';

/** A step as the tree draws it. */
export interface OutlineStep {
  readonly id: number;
  /** 0 is the start. */
  readonly parent: number;
  readonly text: string;
  readonly role: Actor['role'];
  readonly status: StepStatus;
  readonly rejection: string | null;
  readonly replaces: number | null;
  /** Whether the branch passed; null where nothing was verified. */
  readonly verdict: boolean | null;
}

export interface EpisodeOutline {
  readonly row: EpisodeRow;
  readonly teacher: string | null;
  readonly message: string | null;
  readonly leaf: number;
  readonly certified: string;
  /** Empty where `columns` has them. */
  readonly steps: readonly OutlineStep[];
  /** The steps of a large tree; null when `steps` has them. */
  readonly columns: StepColumns | null;
  readonly verdict: Verdict | null;
  /** Null when a person can take over; else why not. */
  readonly noTakeOver: string | null;
  /** Null when a branch of it can be kept; else why not. */
  readonly notKept: string | null;
  /** Who can be asked for the next action. */
  readonly agents: readonly AgentRole[];
}

export type AgentRole = 'student' | 'teacher';

export interface ModelExchange {
  readonly question: string;
  readonly by: string;
  readonly endpoint: string;
  readonly problem: string | null;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  readonly reply: string;
  readonly usage: string;
  /** Tokens of the reply with their log probabilities, where the server gave them. */
  readonly tokens: readonly { readonly id: number; readonly logprob: number | null }[];
}

interface StepReview {
  readonly by: string;
  readonly accept: boolean;
  readonly reason: string | null;
  readonly isOverruled: boolean;
}

/** Text that may be too long to show. */
export interface LongText {
  readonly text: string;
  /** Characters of the whole. */
  readonly length: number;
}

/** Everything that is known of one step. */
export interface StepDetail {
  readonly id: number;
  /** As a line of history. */
  readonly text: string;
  readonly actor: Actor;
  readonly action: Action;
  readonly outcome: StepOutcome;
  readonly thought: LongText | null;
  readonly screen: LongText;
  readonly picture: {
    readonly hash: string;
    readonly width: number;
    readonly height: number;
    readonly target: Box | null;
  } | null;
  readonly before: string;
  readonly after: string;
  readonly reviews: readonly StepReview[];
  readonly correction: { readonly replaces: number | null; readonly reason: string } | null;
  readonly verdict: Verdict | null;
  readonly signals: readonly { readonly signal: string; readonly text: string }[];
  readonly exchanges: readonly ModelExchange[];
  readonly numbers: Readonly<Record<string, number>>;
}

/** What a step changed in the world. */
export interface StepChanges {
  readonly changes: readonly Change[];
  /** Why it is not known; null when it is. */
  readonly problem: string | null;
  /** The environment cannot be opened any more: nobody can take over. */
  readonly isGone: boolean;
}

/** A world that a person has taken over. */
export interface TakeOver {
  readonly id: string;
  readonly run: string;
  readonly episode: number;
  readonly node: number;
  readonly instruction: string;
  readonly person: string;
  readonly screen: string;
  /** The state after the restore is the recorded one. */
  readonly digest: string;
  readonly candidates: readonly OfferedAction[];
  /** The node of the screen: who acts says which one was seen. */
  readonly at: number;
  readonly steps: readonly TakenStep[];
  /** Whether no further step can be taken. */
  readonly hasEnded: boolean;
  readonly verdict: Verdict | null;
  readonly agents: readonly AgentRole[];
  /** Why it cannot be kept in the run; null when it can. */
  readonly notKept: string | null;
  /** The step that a correction would stand in the place of. */
  readonly replaces: { readonly id: number; readonly text: string } | null;
}

export interface OfferedAction extends Pick<Candidate, 'name' | 'role' | 'value'> {
  readonly action: Action;
  readonly text: string;
  readonly within: string;
}

export interface TakenStep {
  readonly id: number;
  readonly text: string;
  readonly by: string;
  readonly problem: string | null;
  readonly result: Json | null;
}

/** An action that an agent would take next. */
export interface Advice {
  readonly by: string;
  readonly action: Action | null;
  readonly text: string;
  readonly thought: string | null;
}

export interface KeptBranch {
  readonly episode: number;
  readonly key: string;
  readonly outcome: Outcome;
}

export interface ExportedRows {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly rows: number }[];
}

/** A link that opens the studio in one more browser, once. */
export interface Invitation {
  /** Without the address of the studio. */
  readonly link: string;
}

export interface ApiError {
  readonly error: { readonly message: string };
}

interface StepPlace {
  readonly run: string;
  readonly episode: number;
  readonly node: number;
}

interface TextsPlace {
  readonly run: string;
  readonly episode: number;
  readonly from: number;
  readonly count: number;
}

/** What the server of the studio asks of the runs behind it. */
export interface StudioSource {
  runs(): readonly RunSummary[];
  episodes(run: string, filter: EpisodeFilter, place: PagePlace): Promise<EpisodePage>;
  failures(run: string): FailureGroups;
  /** Labels of the annotations that lie in the folder of the run; none when there are none. */
  signals(run: string): readonly SignalCount[];
  advantages(place: StepPlace): StepAdvantages;
  views(run: string): readonly SavedView[];
  saveView(run: string, view: SavedView): readonly SavedView[];
  removeView(run: string, name: string): readonly SavedView[];
  compare(left: string, right: string): RunComparison;
  outline(run: string, episode: number): EpisodeOutline;
  /** Lines of history of a large tree: `count` steps from the one numbered `from`. */
  texts(place: TextsPlace): readonly string[];
  step(place: StepPlace): StepDetail;
  /** The whole text of a screen. */
  screen(place: StepPlace): string;
  changes(place: StepPlace): Promise<StepChanges>;
  picture(run: string, hash: string): Uint8Array | null;
  /** Its rows as an export writes them: of one table, or of those that are written unless others are named. */
  rows(run: string, place: { readonly episode: number; readonly table?: string | undefined }): Promise<RowsPreview>;
  /** Its rows of tokens, with what is masked. */
  tokens(run: string, episode: number): TokenPreview;
  /** A page of its own, drawn as `espalier report` does. */
  report(run: string): string;
  /** The environments of a run with their templates. */
  tasks(run: string): Promise<readonly RunEnvironment[]>;
  archive(run: string): ArchiveMap;
  exportRows(run: string): Promise<ExportedRows>;
  readonly takeOvers: TakeOvers;
  readonly reviews: StudioReviews;
  /** Null where none was named. */
  fleet(): Promise<StudioFleet | null>;
  readonly learning: StudioLearning;
  readonly memories: StudioMemories;
  /** Looks for news, and reads on in large runs; true when there are any. */
  refresh(): boolean;
  /** A run is not read to its end yet. */
  isReading(): boolean;
  close(): Promise<void>;
}

export interface PagePlace {
  readonly from: number;
  readonly count: number;
  readonly sort: string;
}

export interface TakeOvers {
  /** Restores the state after `node`, and compares its digest. */
  open(request: OpenTakeOver): Promise<TakeOver>;
  /** Opens a task of an environment of the run at its start. */
  play(request: PlayRequest): Promise<TakeOver>;
  /** Branches that were begun and not kept, as a crash leaves them. */
  drafts(run: string): readonly TakeOverDraft[];
  /** Opens a branch again that is not open any more. */
  look(id: string): Promise<TakeOver>;
  /** What changes the world is refused when another person changed it meanwhile: `seen` is the node of the screen that this one saw. */
  step(id: string, action: Action, seen?: number): Promise<TakeOver>;
  undo(id: string, seen?: number): Promise<TakeOver>;
  advise(id: string, role: AgentRole): Promise<Advice>;
  /** Lets an agent take up to so many steps. */
  letGoOn(
    id: string,
    role: AgentRole,
    how: { readonly steps: number; readonly seen?: number | undefined },
  ): Promise<TakeOver>;
  verify(id: string): Promise<TakeOver>;
  keep(id: string, reason: string, seen?: number): Promise<KeptBranch>;
  drop(id: string): Promise<void>;
}

export interface OpenTakeOver {
  readonly run: string;
  readonly episode: number;
  readonly node: number;
  readonly person: string;
  /** The step after `node` that a correction would replace; null for none. */
  readonly replaces: number | null;
}
