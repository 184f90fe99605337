import { count } from '../../../core/text.ts';
import type { ScoredTask } from '../scores.ts';
import type { Prediction } from './correlations.ts';
import type { FittedItem, ItemFit } from './item-response.ts';

/** Something that makes a ranking say less than it seems to. */
export interface Warning {
  readonly kind: 'saturation' | 'label noise' | 'unstable' | 'does not carry over' | 'items';
  readonly text: string;
  /** What to look at. */
  readonly templates: readonly string[];
}

export interface WarningInput {
  readonly tasks: readonly ScoredTask[];
  readonly items: readonly FittedItem[];
  readonly predictions: readonly Prediction[];
  readonly fit: ItemFit | null;
}

/** A template that (nearly) all pass, or none, tells nobody apart. */
const [tooEasy, tooHard] = [0.98, 0.02];
/** Passes this far against the model are more than chance in a template with some trials. */
const oddOutfit = 2;
const weakSeeds = 0.8;
const weakTransfer = 0.5;

export function warningsOf({ tasks, items, predictions, fit }: WarningInput): readonly Warning[] {
  return [
    saturation(items),
    ceiling(tasks),
    labelNoise(items),
    unstable(predictions),
    unfit(fit),
    ...notCarried(predictions),
  ].filter(warning => warning !== null);
}

function saturation(items: readonly FittedItem[]): Warning | null {
  const dead = items.filter(({ rate }) => rate >= tooEasy || rate <= tooHard);
  if (dead.length === 0) return null;
  const easy = dead.filter(({ rate }) => rate >= tooEasy).length;
  return {
    kind: 'saturation',
    text: `${count(dead.length, 'template')} of ${items.length} tell nobody apart: ${easy} are passed by all, ${dead.length - easy} by none.`,
    templates: dead.map(({ item }) => item),
  };
}

function ceiling(tasks: readonly ScoredTask[]): Warning | null {
  const entrants = tasks[0]?.shares.length ?? 0;
  const whole = Array.from({ length: entrants }, (_, entrant) => {
    const own = tasks.map(({ shares }) => shares[entrant] as number).filter(share => !Number.isNaN(share));
    return own.reduce((sum, share) => sum + share, 0) / own.length;
  });
  const full = whole.filter(rate => rate >= tooEasy).length;
  if (full < 2) return null;
  return {
    kind: 'saturation',
    text: `${count(full, 'entrant')} pass (nearly) everything: these tasks cannot rank them.`,
    templates: [],
  };
}

function labelNoise(items: readonly FittedItem[]): Warning | null {
  const odd = items.filter(({ discrimination, outfit, rate }) => {
    const isAlive = rate > tooHard && rate < tooEasy;
    return isAlive && (discrimination < 0 || outfit > oddOutfit);
  });
  if (odd.length === 0) return null;
  return {
    kind: 'label noise',
    text: `In ${count(odd.length, 'template')} the better fail where the worse pass. Look at their verifiers: espalier flaky, espalier check.`,
    templates: odd.map(({ item }) => item),
  };
}

function unstable(predictions: readonly Prediction[]): Warning | null {
  const seeds = predictions.find(({ by }) => by === 'seed')?.kendall ?? null;
  if (seeds === null || seeds.value >= weakSeeds) return null;
  return {
    kind: 'unstable',
    text: `On other seeds of the same templates the ranking is another one (Kendall ${seeds.value.toFixed(2)}): run more instances.`,
    templates: [],
  };
}

function unfit(fit: ItemFit | null): Warning | null {
  if (fit === null || fit.model < fit.entrantsAlone) return null;
  return {
    kind: 'items',
    text: 'The model of items tells trials on other seeds no better than the rates of the entrants: what tells templates apart may be luck.',
    templates: [],
  };
}

/** The upper end decides: where it is low, the rank on one side says little of the other for sure. */
function notCarried(predictions: readonly Prediction[]): readonly Warning[] {
  return predictions
    .filter(({ by, kendall }) => by !== 'seed' && kendall !== null && kendall.high < weakTransfer)
    .map(({ by, one, other, kendall }) => ({
      kind: 'does not carry over' as const,
      text: `The rank on the ${by} ${one} does not predict the rank on ${other} (Kendall ${kendall?.value.toFixed(2)}).`,
      templates: [],
    }));
}
