import type { Random } from '../../../core/random.ts';

/** The first layer takes sparse inputs: one row for each fact. */
export const factBits = 13;
export const hiddenSize = 32;
export const secondSize = 16;

/** The facts of a moment: places of rows of the first layer. */
export interface Facts {
  /** What all choices share. */
  readonly shared: Int32Array;
  /** Facts of the choices, one after another; `ends` says where those of each choice end. */
  readonly places: Int32Array;
  readonly ends: Int32Array;
}

/** A network of two hidden layers that scores a choice from its facts. */
export interface Network {
  readonly first: Float32Array;
  readonly second: Float32Array;
  readonly last: Float32Array;
}

const secondLength = (hiddenSize + 1) * secondSize;

/** A network that scores everything 0. */
export function blankNetwork(): Network {
  return {
    first: new Float32Array(hiddenSize << factBits),
    second: new Float32Array(secondLength),
    last: new Float32Array(secondSize),
  };
}

export function randomNetwork(random: Random): Network {
  const network = blankNetwork();
  fillRandom(network.first, random, 0.15);
  fillRandom(network.second, random, 1 / Math.sqrt(hiddenSize));
  fillRandom(network.last, random, 1 / Math.sqrt(secondSize));
  return network;
}

function fillRandom(values: Float32Array, random: Random, scale: number): void {
  for (let at = 0; at < values.length; at++) values[at] = scale * (2 * random.next() - 1);
}

/** What the layers gave for each choice; kept for the way back. */
export interface Pass {
  readonly hidden: Float32Array;
  readonly middle: Float32Array;
}

interface Filled {
  /** Added to. */
  readonly scores: Float64Array;
  /** What the layers gave; null where nothing is learned. */
  readonly pass: Pass | null;
}

function run({ first, second, last }: Network, facts: Facts, { scores, pass }: Filled): void {
  const count = facts.ends.length;
  const base = new Float32Array(hiddenSize);
  const own = new Float32Array(hiddenSize);
  const inputs = new Int32Array(hiddenSize);
  for (const place of facts.shared) addRow(base, first, place);
  for (let choice = 0, at = 0; choice < count; choice++) {
    own.set(base);
    for (const end = facts.ends[choice] as number; at < end; at++) addRow(own, first, facts.places[at] as number);
    let active = 0;
    for (let unit = 0; unit < hiddenSize; unit++) {
      if ((own[unit] as number) <= 0) continue;
      if (pass !== null) pass.hidden[choice * hiddenSize + unit] = own[unit] as number;
      inputs[active++] = unit;
    }
    let score = 0;
    for (let unit = 0; unit < secondSize; unit++) {
      const row = unit * (hiddenSize + 1);
      let sum = second[row + hiddenSize] as number;
      // Inputs of 0 add nothing.
      for (let each = 0; each < active; each++) {
        const input = inputs[each] as number;
        sum += (second[row + input] as number) * (own[input] as number);
      }
      if (sum <= 0) continue;
      if (pass !== null) pass.middle[choice * secondSize + unit] = sum;
      score += sum * (last[unit] as number);
    }
    scores[choice] = (scores[choice] as number) + score;
  }
}

/** Adds the scores of the choices to what stands in `scores`, and keeps what is needed for the way back. */
export function forward(network: Network, facts: Facts, scores: Float64Array): Pass {
  const count = facts.ends.length;
  const pass = { hidden: new Float32Array(count * hiddenSize), middle: new Float32Array(count * secondSize) };
  run(network, facts, { scores, pass });
  return pass;
}

/** Adds the scores of the choices to what stands in `scores`. */
export function addScores(network: Network, facts: Facts, scores: Float64Array): void {
  run(network, facts, { scores, pass: null });
}

function addRow(target: Float32Array, first: Float32Array, place: number): void {
  const row = place * hiddenSize;
  // Four at a time: most of the time of a student goes by here.
  for (let unit = 0; unit < hiddenSize; unit += 4) {
    const at = row + unit;
    target[unit] = (target[unit] as number) + (first[at] as number);
    target[unit + 1] = (target[unit + 1] as number) + (first[at + 1] as number);
    target[unit + 2] = (target[unit + 2] as number) + (first[at + 2] as number);
    target[unit + 3] = (target[unit + 3] as number) + (first[at + 3] as number);
  }
}

/** Steps down the gradients with a step size for each weight (Adagrad). */
export interface Trainer {
  step(facts: Facts, pass: Pass, gradients: Float64Array): void;
  /** Sets what was never learned to 0, so that facts that are new do not disturb. */
  clearUntouched(target: Network): void;
}

export interface TrainerOptions {
  readonly rate: number;
  readonly decay: number;
}

/** Below this a choice has nothing to teach. */
const smallest = 1e-4;

export function createTrainer(network: Network, { rate, decay }: TrainerOptions): Trainer {
  const squares = blankNetwork();
  const atHidden = new Float32Array(hiddenSize);
  const atShared = new Float32Array(hiddenSize);
  const slopes = { second: new Float32Array(secondLength), last: new Float32Array(secondSize) };
  const first = createDescent(network.first, squares.first, { rate, decay });
  const second = createDescent(network.second, squares.second, { rate, decay });
  const last = createDescent(network.last, squares.last, { rate, decay });
  return {
    step(facts, pass, gradients) {
      atShared.fill(0);
      slopes.second.fill(0);
      slopes.last.fill(0);
      for (let choice = 0, from = 0; choice < facts.ends.length; choice++) {
        const end = facts.ends[choice] as number;
        const gradient = gradients[choice] as number;
        if (Math.abs(gradient) >= smallest) {
          backThroughChoice(network, { choice, gradient, ...pass }, { atHidden, ...slopes });
          for (let at = from; at < end; at++) first(atHidden, (facts.places[at] as number) * hiddenSize);
          for (let unit = 0; unit < hiddenSize; unit++)
            atShared[unit] = (atShared[unit] as number) + (atHidden[unit] as number);
        }
        from = end;
      }
      for (const place of facts.shared) first(atShared, place * hiddenSize);
      second(slopes.second, 0);
      last(slopes.last, 0);
    },
    clearUntouched(target) {
      for (let at = 0; at < target.first.length; at++) if (squares.first[at] === 0) target.first[at] = 0;
    },
  };
}

/** Takes a step for the numbers from `start` on, as far as there are slopes. */
type Descent = (slopes: Float32Array, start: number) => void;

function createDescent(values: Float32Array, squares: Float32Array, { rate, decay }: TrainerOptions): Descent {
  return (slopes, start) => {
    for (let at = 0; at < slopes.length; at++) {
      const own = slopes[at] as number;
      if (own === 0) continue;
      const value = values[start + at] as number;
      const slope = own + decay * value;
      const square = (squares[start + at] as number) + slope * slope;
      squares[start + at] = square;
      values[start + at] = value - (rate * slope) / Math.sqrt(square + 1e-6);
    }
  };
}

interface Taken extends Pass {
  readonly choice: number;
  readonly gradient: number;
}

interface Slopes {
  /** Of the inputs of the first layer's units: set. */
  readonly atHidden: Float32Array | Float64Array;
  /** Of the weights: added to. */
  readonly second: Float32Array | Float64Array;
  readonly last: Float32Array | Float64Array;
}

/** Takes the slope of a choice's score back through the network. */
export function backThroughChoice(
  { second, last }: Network,
  { choice, gradient, hidden, middle }: Taken,
  { atHidden, second: secondSlopes, last: lastSlopes }: Slopes,
): void {
  const start = choice * hiddenSize;
  atHidden.fill(0);
  for (let unit = 0; unit < secondSize; unit++) {
    const active = middle[choice * secondSize + unit] as number;
    if (active <= 0) continue;
    lastSlopes[unit] = (lastSlopes[unit] as number) + gradient * active;
    const slope = gradient * (last[unit] as number);
    const row = unit * (hiddenSize + 1);
    secondSlopes[row + hiddenSize] = (secondSlopes[row + hiddenSize] as number) + slope;
    for (let input = 0; input < hiddenSize; input++) {
      const value = hidden[start + input] as number;
      if (value <= 0) continue;
      secondSlopes[row + input] = (secondSlopes[row + input] as number) + slope * value;
      atHidden[input] = (atHidden[input] as number) + slope * (second[row + input] as number);
    }
  }
}
