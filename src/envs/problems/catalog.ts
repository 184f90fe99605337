import type { Problem } from './problem.ts';
import { digitSum } from './arithmetic/digit-sum.ts';
import { divideWithRemainder } from './arithmetic/divide-with-remainder.ts';
import { evaluateExpression } from './arithmetic/evaluate-expression.ts';
import { fractionSum } from './arithmetic/fraction-sum.ts';
import { fromBinary } from './arithmetic/from-binary.ts';
import { meanList } from './arithmetic/mean-list.ts';
import { modularPower } from './arithmetic/modular-power.ts';
import { productList } from './arithmetic/product-list.ts';
import { romanNumeral } from './arithmetic/roman-numeral.ts';
import { roundToMultiple } from './arithmetic/round-to-multiple.ts';
import { sumList } from './arithmetic/sum-list.ts';
import { sumOfSquares } from './arithmetic/sum-of-squares.ts';
import { toBase } from './arithmetic/to-base.ts';
import { addDays } from './calendar/add-days.ts';
import { dayOfYear } from './calendar/day-of-year.ts';
import { daysBetween } from './calendar/days-between.ts';
import { leapYears } from './calendar/leap-years.ts';
import { monthEnd } from './calendar/month-end.ts';
import { nthWeekday } from './calendar/nth-weekday.ts';
import { weekday } from './calendar/weekday.ts';
import { workingDays } from './calendar/working-days.ts';
import { countInversions } from './collections/count-inversions.ts';
import { greatestBlockSum } from './collections/greatest-block-sum.ts';
import { kthLargest } from './collections/kth-largest.ts';
import { longestRise } from './collections/longest-rise.ts';
import { median } from './collections/median.ts';
import { mostFrequent } from './collections/most-frequent.ts';
import { pairsWithSum } from './collections/pairs-with-sum.ts';
import { removeDuplicates } from './collections/remove-duplicates.ts';
import { setDifference } from './collections/set-difference.ts';
import { setIntersection } from './collections/set-intersection.ts';
import { setUnion } from './collections/set-union.ts';
import { sortList } from './collections/sort-list.ts';
import { tableTop } from './collections/table-top.ts';
import { tableTotal } from './collections/table-total.ts';
import { bestTrade } from './finance/best-trade.ts';
import { compoundInterest } from './finance/compound-interest.ts';
import { discountPrice } from './finance/discount-price.ts';
import { fewestCoins } from './finance/fewest-coins.ts';
import { splitBill } from './finance/split-bill.ts';
import { knightMoves } from './games/knight-moves.ts';
import { nimWinner } from './games/nim-winner.ts';
import { rowOfCoins } from './games/row-of-coins.ts';
import { subtractionGame } from './games/subtraction-game.ts';
import { ticTacToe } from './games/tic-tac-toe.ts';
import { hullSize } from './geometry/hull-size.ts';
import { latticePoints } from './geometry/lattice-points.ts';
import { manhattanDistance } from './geometry/manhattan-distance.ts';
import { polygonArea } from './geometry/polygon-area.ts';
import { rectangleOverlap } from './geometry/rectangle-overlap.ts';
import { rotatePoint } from './geometry/rotate-point.ts';
import { squaredDistance } from './geometry/squared-distance.ts';
import { countBridges } from './graphs/count-bridges.ts';
import { countComponents } from './graphs/count-components.ts';
import { countPaths } from './graphs/count-paths.ts';
import { countTriangles } from './graphs/count-triangles.ts';
import { greatestDegree } from './graphs/greatest-degree.ts';
import { hasCycle } from './graphs/has-cycle.ts';
import { isBipartite } from './graphs/is-bipartite.ts';
import { longestChain } from './graphs/longest-chain.ts';
import { reachableNodes } from './graphs/reachable-nodes.ts';
import { shortestPath } from './graphs/shortest-path.ts';
import { spanningTree } from './graphs/spanning-tree.ts';
import { topologicalOrder } from './graphs/topological-order.ts';
import { countModels } from './logic/count-models.ts';
import { knightsAndKnaves } from './logic/knights-and-knaves.ts';
import { latinSquare } from './logic/latin-square.ts';
import { magicSquare } from './logic/magic-square.ts';
import { orderPuzzle } from './logic/order-puzzle.ts';
import { truthValue } from './logic/truth-value.ts';
import { automaton } from './machines/automaton.ts';
import { cellularAutomaton } from './machines/cellular-automaton.ts';
import { counterProgram } from './machines/counter-program.ts';
import { queueOrder } from './machines/queue-order.ts';
import { stackMachine } from './machines/stack-machine.ts';
import { countRegions } from './mazes/count-regions.ts';
import { lifeAfter } from './mazes/life-after.ts';
import { mazeLength } from './mazes/maze-length.ts';
import { mazeTurns } from './mazes/maze-turns.ts';
import { robotWalk } from './mazes/robot-walk.ts';
import { abundance } from './number-theory/abundance.ts';
import { chineseRemainder } from './number-theory/chinese-remainder.ts';
import { collatzSteps } from './number-theory/collatz-steps.ts';
import { countPrimes } from './number-theory/count-primes.ts';
import { digitalRoot } from './number-theory/digital-root.ts';
import { divisors } from './number-theory/divisors.ts';
import { gcd } from './number-theory/gcd.ts';
import { isPrime } from './number-theory/is-prime.ts';
import { lcm } from './number-theory/lcm.ts';
import { modularInverse } from './number-theory/modular-inverse.ts';
import { nextPrime } from './number-theory/next-prime.ts';
import { primeFactors } from './number-theory/prime-factors.ts';
import { totient } from './number-theory/totient.ts';
import { arrangements } from './probability/arrangements.ts';
import { coinHeads } from './probability/coin-heads.ts';
import { diceSum } from './probability/dice-sum.ts';
import { drawBalls } from './probability/draw-balls.ts';
import { expectedValue } from './probability/expected-value.ts';
import { latticeWays } from './probability/lattice-ways.ts';
import { counterexample } from './proofs/counterexample.ts';
import { hornEntails } from './proofs/horn-entails.ts';
import { modusPonens } from './proofs/modus-ponens.ts';
import { naturalDeduction } from './proofs/natural-deduction.ts';
import { freeMinutes } from './schedules/free-minutes.ts';
import { meetingRooms } from './schedules/meeting-rooms.ts';
import { mergeIntervals } from './schedules/merge-intervals.ts';
import { mostMeetings } from './schedules/most-meetings.ts';
import { twoMachines } from './schedules/two-machines.ts';
import { anagrams } from './strings/anagrams.ts';
import { balancedBrackets } from './strings/balanced-brackets.ts';
import { caesarShift } from './strings/caesar-shift.ts';
import { countLetter } from './strings/count-letter.ts';
import { countVowels } from './strings/count-vowels.ts';
import { editDistance } from './strings/edit-distance.ts';
import { firstUniqueLetter } from './strings/first-unique-letter.ts';
import { isPalindrome } from './strings/is-palindrome.ts';
import { longestPalindrome } from './strings/longest-palindrome.ts';
import { reverseText } from './strings/reverse-text.ts';
import { runLength } from './strings/run-length.ts';
import { sharedSubsequence } from './strings/shared-subsequence.ts';
import { sortLetters } from './strings/sort-letters.ts';
import { wordLengths } from './strings/word-lengths.ts';
import { averageSpeed } from './units/average-speed.ts';
import { clockTime } from './units/clock-time.ts';
import { convertLength } from './units/convert-length.ts';
import { scaleRecipe } from './units/scale-recipe.ts';
import { toCelsius } from './units/to-celsius.ts';
import { toFahrenheit } from './units/to-fahrenheit.ts';

/** Every base problem. Adding one is a file and a line here. */
export const baseProblems: readonly Problem[] = [
  digitSum,
  divideWithRemainder,
  evaluateExpression,
  fractionSum,
  fromBinary,
  meanList,
  modularPower,
  productList,
  romanNumeral,
  roundToMultiple,
  sumList,
  sumOfSquares,
  toBase,
  addDays,
  dayOfYear,
  daysBetween,
  leapYears,
  monthEnd,
  nthWeekday,
  weekday,
  workingDays,
  countInversions,
  greatestBlockSum,
  kthLargest,
  longestRise,
  median,
  mostFrequent,
  pairsWithSum,
  removeDuplicates,
  setDifference,
  setIntersection,
  setUnion,
  sortList,
  tableTop,
  tableTotal,
  bestTrade,
  compoundInterest,
  discountPrice,
  fewestCoins,
  splitBill,
  knightMoves,
  nimWinner,
  rowOfCoins,
  subtractionGame,
  ticTacToe,
  hullSize,
  latticePoints,
  manhattanDistance,
  polygonArea,
  rectangleOverlap,
  rotatePoint,
  squaredDistance,
  countBridges,
  countComponents,
  countPaths,
  countTriangles,
  greatestDegree,
  hasCycle,
  isBipartite,
  longestChain,
  reachableNodes,
  shortestPath,
  spanningTree,
  topologicalOrder,
  countModels,
  knightsAndKnaves,
  latinSquare,
  magicSquare,
  orderPuzzle,
  truthValue,
  automaton,
  cellularAutomaton,
  counterProgram,
  queueOrder,
  stackMachine,
  countRegions,
  lifeAfter,
  mazeLength,
  mazeTurns,
  robotWalk,
  abundance,
  chineseRemainder,
  collatzSteps,
  countPrimes,
  digitalRoot,
  divisors,
  gcd,
  isPrime,
  lcm,
  modularInverse,
  nextPrime,
  primeFactors,
  totient,
  arrangements,
  coinHeads,
  diceSum,
  drawBalls,
  expectedValue,
  latticeWays,
  counterexample,
  hornEntails,
  modusPonens,
  naturalDeduction,
  freeMinutes,
  meetingRooms,
  mergeIntervals,
  mostMeetings,
  twoMachines,
  anagrams,
  balancedBrackets,
  caesarShift,
  countLetter,
  countVowels,
  editDistance,
  firstUniqueLetter,
  isPalindrome,
  longestPalindrome,
  reverseText,
  runLength,
  sharedSubsequence,
  sortLetters,
  wordLengths,
  averageSpeed,
  clockTime,
  convertLength,
  scaleRecipe,
  toCelsius,
  toFahrenheit,
];

const byName: ReadonlyMap<string, Problem> = new Map(baseProblems.map(problem => [problem.name, problem]));

/** Base problems by name, for the parser of compositions. */
export const problemNames = {
  names: [...byName.keys()],
  find: (name: string): Problem | undefined => byName.get(name),
};
