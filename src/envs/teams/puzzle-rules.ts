import type { Action } from '../../core/action.ts';
import { ownChecks } from '../../core/check-ids.ts';
import type { Candidate, Guide, ToolInfo } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CheckResult, Ending, Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import {
  clueText,
  namesOf,
  valuesOf,
  type Clue,
  type Houses,
  type PuzzleSize,
  type Solution,
  type Trait,
} from './puzzle.ts';

export const players = ['Ann', 'Bob'] as const;
type Player = (typeof players)[number];

export type PuzzleState = {
  readonly turn: Player;
  /** Houses by value, as `colour/red`. */
  readonly placed: { readonly [value: string]: number };
  /** Numbers of the clues that each player has told the other, in ascending order. */
  readonly told: { readonly [player in Player]: readonly number[] };
  readonly messages: readonly { readonly from: Player; readonly text: string }[];
};

export interface Puzzle {
  readonly size: PuzzleSize;
  readonly clues: { readonly [player in Player]: readonly Clue[] };
  readonly solution: Solution;
}

const longestMessage = 300;
const initial: PuzzleState = { turn: 'Ann', placed: {}, told: { Ann: [], Bob: [] }, messages: [] };

const whole = (maximum: number): JsonObject => ({ type: 'integer', minimum: 1, maximum });
const word = { type: 'string', maxLength: 20 };
const tool = (name: string, description: string, properties: JsonObject): ToolInfo => {
  const input = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description, input };
};

export const puzzleTools: readonly ToolInfo[] = [
  tool('tell', 'Tells the other player one of your clues, by its number.', { clue: whole(40) }),
  tool('say', 'Sends the other player a message.', {
    text: { type: 'string', minLength: 1, maxLength: longestMessage },
  }),
  tool('place', 'Places a value in a house. The house must have no value of that attribute yet.', {
    house: whole(4),
    attribute: word,
    value: word,
  }),
  tool('remove', 'Takes a value out of its house.', { attribute: word, value: word }),
  tool('pass', 'Leaves the turn to the other player.', {}),
];

/**
 * The rules of one puzzle for two players who take turns. Each sees its own clues and what it was told. What is refused or
 * offered follows from the houses alone: it is seen by both players, so a clue in it would be told without a word.
 */
export function puzzleRules(puzzle: Puzzle): Omit<Rules<PuzzleState>, 'task' | 'digest'> {
  return {
    initial,
    call(state, name, input) {
      const play = Object.hasOwn(plays, name) ? plays[name] : undefined;
      const next = play === undefined ? `There is no tool "${name}".` : play(puzzle, state, input);
      if (typeof next === 'string')
        return { state, outcome: refusal(play === undefined ? 'unknown-command' : 'not-allowed', next) };
      return moved({ ...next, turn: otherOf(state.turn) });
    },
    role: ({ turn }) => turn,
    screen: state => drawn(puzzle, state),
    candidates: state => candidatesIn(puzzle, state),
    verdict: (state, ending) => verdictOf(puzzle, state, ending),
    guide: state => guideOf(puzzle, state),
  };
}

function moved(state: PuzzleState): Move<PuzzleState> {
  return { state, outcome: { applied: true, result: { turn: state.turn } } };
}

function otherOf(player: Player): Player {
  return player === 'Ann' ? 'Bob' : 'Ann';
}

/** The state after a move, or why the move is refused. */
type Play = (puzzle: Puzzle, state: PuzzleState, input: JsonObject) => PuzzleState | string;

const plays: Readonly<Record<string, Play>> = {
  tell({ clues }, state, { clue, ...more }) {
    const own = clues[state.turn][Number(clue) - 1];
    if (own === undefined || typeof clue !== 'number' || Object.keys(more).length > 0)
      return `Expected the number of one of your clues, 1 to ${clues[state.turn].length}.`;
    const told = [...new Set([...state.told[state.turn], clue])].toSorted((one, other) => one - other);
    return { ...state, told: { ...state.told, [state.turn]: told } };
  },
  say(_puzzle, state, { text, ...more }) {
    if (typeof text !== 'string' || text.trim() === '' || text.length > longestMessage || Object.keys(more).length > 0)
      return `Expected a text of 1 to ${longestMessage} characters.`;
    return { ...state, messages: [...state.messages, { from: state.turn, text }] };
  },
  place(puzzle, state, { house, ...rest }) {
    const trait = traitIn(puzzle, rest);
    if (trait === null || !Number.isInteger(house) || Number(house) < 1 || Number(house) > puzzle.size.houses)
      return `Expected a house from 1 to ${puzzle.size.houses}, an attribute and one of its values.`;
    return withPlaced(puzzle, state, { trait, house: Number(house) });
  },
  remove(puzzle, state, input) {
    const trait = traitIn(puzzle, input);
    if (trait === null || houseOf(state)(trait) === undefined) return 'Expected a value that is placed.';
    const { [`${trait.attribute}/${trait.value}`]: _removed, ...placed } = state.placed;
    return { ...state, placed };
  },
  pass: (_puzzle, state, input) => (Object.keys(input).length > 0 ? 'Expected no input.' : state),
};

interface Placement {
  readonly trait: Trait;
  readonly house: number;
}

function withPlaced(puzzle: Puzzle, state: PuzzleState, { trait, house }: Placement): PuzzleState | string {
  const houses = houseOf(state);
  if (houses(trait) !== undefined) return `The ${trait.attribute} ${trait.value} is placed already: remove it first.`;
  const taken = valuesOf(puzzle.size, trait.attribute).find(value => houses({ ...trait, value }) === house);
  if (taken !== undefined) return `House ${house} has the ${trait.attribute} ${taken} already.`;
  return { ...state, placed: { ...state.placed, [`${trait.attribute}/${trait.value}`]: house } };
}

function houseOf({ placed }: PuzzleState): Houses {
  return ({ attribute, value }) => placed[`${attribute}/${value}`];
}

function traitIn({ size }: Puzzle, { attribute, value, ...more }: JsonObject): Trait | null {
  const name = namesOf(size).find(known => known === attribute);
  if (name === undefined || typeof value !== 'string' || Object.keys(more).length > 0) return null;
  return valuesOf(size, name).includes(value) ? { attribute: name, value } : null;
}

function traitsOf({ size }: Puzzle): Trait[] {
  return namesOf(size).flatMap(attribute => valuesOf(size, attribute).map(value => ({ attribute, value })));
}

function verdictOf(puzzle: Puzzle, state: PuzzleState, ending: Ending | null): Verdict {
  const checks: CheckResult[] = namesOf(puzzle.size).map(attribute => ({
    id: `placed-${attribute}`,
    name: `every ${attribute} is in its house`,
    pass: valuesOf(puzzle.size, attribute).every(value => isRight(puzzle, state, { attribute, value })),
  }));
  checks.push({ ...ownChecks.agentFinished, pass: ending !== null });
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  const held = checks.filter(({ pass }) => pass).length;
  const evidence = { sideEffects: [], answer: ending?.answer ?? null };
  return { pass: held === checks.length, checks, progress: held / checks.length, clean: true, evidence };
}

function isRight({ solution }: Puzzle, state: PuzzleState, trait: Trait): boolean {
  return houseOf(state)(trait) === solution.get(`${trait.attribute}/${trait.value}`);
}

/** Both tell what they know, then take turns to place; a value in a wrong house is taken out first. */
function guideOf(puzzle: Puzzle, state: PuzzleState): Guide {
  const open = traitsOf(puzzle).filter(trait => !isRight(puzzle, state, trait));
  const untold = players.map(player => puzzle.clues[player].length - state.told[player].length);
  const unmet = open.length === 0 ? 0 : open.length + (untold[0] as number) + (untold[1] as number);
  const guide = { unmet, unmetChecks: unmet, clean: true, finish: { kind: 'finish' } as const };
  return unmet === 0 ? guide : { ...guide, next: nextOf(puzzle, state, open) };
}

function nextOf({ clues, solution }: Puzzle, { turn, told, placed }: PuzzleState, open: readonly Trait[]): Action {
  const call = (name: string, input: JsonObject): Action => ({ kind: 'call', tool: name, input });
  const untold = clues[turn].findIndex((_, at) => !told[turn].includes(at + 1));
  if (untold >= 0) return call('tell', { clue: untold + 1 });
  const other = otherOf(turn);
  if (told[other].length < clues[other].length) return call('pass', {});
  const wrong = open.find(({ attribute, value }) => placed[`${attribute}/${value}`] !== undefined);
  if (wrong !== undefined) return call('remove', { ...wrong });
  const first = open[0] as Trait;
  return call('place', { house: solution.get(`${first.attribute}/${first.value}`) as number, ...first });
}

function drawn(puzzle: Puzzle, state: PuzzleState): UiNode {
  const { turn, told, messages } = state;
  const other = otherOf(turn);
  const item = (name: string): UiNode => ({ role: 'listitem', name });
  const list = (name: string, items: readonly string[]): UiNode[] =>
    items.length === 0 ? [] : [{ role: 'list', name, children: items.map(item) }];
  const said = messages.map(({ from, text }) => `${from}: ${text}`);
  const own = puzzle.clues[turn].map(
    (clue, at) => `${at + 1}: ${clueText(clue)}${told[turn].includes(at + 1) ? ' (told)' : ''}`,
  );
  const heard = told[other].map(number => clueText(puzzle.clues[other][number - 1] as Clue));
  return {
    role: 'page',
    name: `You are ${turn}`,
    children: [
      ...list('Your clues', own),
      ...list(`Clues that ${other} told you`, heard),
      ...list('Messages', said),
      ...list('Houses', housesText(puzzle, state)),
    ],
  };
}

function housesText({ size }: Puzzle, state: PuzzleState): string[] {
  return Array.from({ length: size.houses }, (_, at) => {
    const cells = namesOf(size).map(attribute => {
      const value = valuesOf(size, attribute).find(known => houseOf(state)({ attribute, value: known }) === at + 1);
      return `${attribute} ${value ?? '?'}`;
    });
    return `House ${at + 1}: ${cells.join(', ')}`;
  });
}

function candidatesIn(puzzle: Puzzle, state: PuzzleState): Candidate[] {
  const call = (name: string, input: JsonObject): Candidate => ({ action: { kind: 'call', tool: name, input } });
  const houses = houseOf(state);
  const untold = puzzle.clues[state.turn].flatMap((_, at) => (state.told[state.turn].includes(at + 1) ? [] : [at + 1]));
  const places = traitsOf(puzzle)
    .filter(trait => houses(trait) === undefined)
    .flatMap(trait =>
      Array.from({ length: puzzle.size.houses }, (_, at) => ({ house: at + 1, ...trait })).filter(
        ({ house }) => typeof withPlaced(puzzle, state, { trait, house }) !== 'string',
      ),
    );
  const removals = traitsOf(puzzle).filter(trait => houses(trait) !== undefined);
  return [
    ...untold.map(clue => call('tell', { clue })),
    ...places.map(input => call('place', input)),
    ...removals.map(trait => call('remove', { ...trait })),
    call('pass', {}),
  ];
}
