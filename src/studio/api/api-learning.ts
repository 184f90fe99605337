/** Types of the learning view: how students became better, and what that cost. */

/** A share with its 95 % interval. */
export interface RateView {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly passed: number;
  readonly of: number;
}

export type LearningLevel = 'collected' | 'newInstances' | 'heldOut' | 'heldOut2' | 'heldOut3' | 'unseenApps';

/** A figure that the server draws, as the report does. */
export interface LearningFigure {
  readonly level: LearningLevel;
  readonly across: 'round' | 'queries';
  readonly title: string;
  readonly points: readonly FigurePoint[];
}

/** A point of a figure: where it lies, as shares of width and height, and what it says. */
export interface FigurePoint {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

interface LearningRow {
  readonly run: string;
  readonly round: number;
  /** Questions to the teacher up to this round. */
  readonly queries: number;
  readonly rates: Readonly<Partial<Record<LearningLevel, RateView>>>;
}

/** A student that was evaluated, or a baseline. */
export interface LearningStudent {
  readonly run: string;
  readonly name: string;
  readonly round: number;
  readonly isBaseline: boolean;
}

export interface LearningTemplate {
  /** `mail/star-message`. */
  readonly template: string;
  readonly level: string;
  /** One for each student; null where it was not evaluated. */
  readonly rates: readonly (RateView | null)[];
}

export interface LearningView {
  readonly figures: readonly LearningFigure[];
  /** The levels that were measured, with their names. */
  readonly levels: readonly { readonly level: LearningLevel; readonly title: string }[];
  readonly rows: readonly LearningRow[];
  readonly students: readonly LearningStudent[];
  readonly templates: readonly LearningTemplate[];
  /** What cannot be shown, and why. */
  readonly missing: readonly string[];
}

/** How often a label of a signal was said in each round. */
export interface SignalRounds {
  readonly rounds: readonly number[];
  readonly labels: readonly SignalLabelRounds[];
  /** Why there are none; null when there are. */
  readonly missing: string | null;
}

export interface SignalLabelRounds {
  readonly signal: string;
  readonly label: string;
  /** Share of the episodes of each round that have it. */
  readonly rates: readonly RateView[];
  /** Of its figure. */
  readonly points: readonly FigurePoint[];
}

export interface ChartRequest extends Pick<LearningFigure, 'level' | 'across'> {
  /** All runs when left out. */
  readonly run?: string | undefined;
}

export interface SignalChartRequest {
  readonly run: string;
  readonly signal: string;
  readonly label: string;
}

export interface StudioLearning {
  /** Of one run, or of all of them. */
  view(run?: string): LearningView;
  /** An SVG file. */
  chart(request: ChartRequest): string;
  signals(run: string): Promise<SignalRounds>;
  signalChart(request: SignalChartRequest): Promise<string>;
}
