import type { CheckResult } from '../../core/records.ts';

/** What a verifier said. */
export interface Reward {
  /** The score; null when it said none. */
  readonly reward: number | null;
  /** The parts of it. */
  readonly checks: readonly CheckResult[];
  /** What is wrong with what it said. */
  readonly problem: string | null;
}

/** Reads `reward.json`, else `reward.txt`: a number, or an object whose member `reward` is the score; without it each member is one. */
export function readReward(json: string | null, text: string | null): Reward {
  if (json !== null) return fromJson(json);
  if (text === null) return failed('neither /logs/verifier/reward.json nor reward.txt was written');
  const number = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(number))
    return failed(`reward.txt holds no number: ${text.trim().slice(0, 80)}`);
  return scored(number, []);
}

function fromJson(text: string): Reward {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed(`reward.json is no JSON: ${text.trim().slice(0, 80)}`);
  }
  if (typeof value === 'number' && Number.isFinite(value)) return scored(value, []);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed('reward.json holds neither a finite number nor an object');
  const numbers = Object.entries(value).flatMap(([name, member]) => {
    const number = typeof member === 'boolean' ? Number(member) : member;
    return typeof number === 'number' && Number.isFinite(number) ? [[name, number] as const] : [];
  });
  const own = numbers.find(([name]) => name === 'reward');
  if (own !== undefined) return scored(own[1], []);
  if (numbers.length === 0) return failed('reward.json names no finite number');
  const checks = numbers.map(([name, number]) => ({ id: name, name, pass: number >= 1 }));
  return scored(numbers.reduce((sum, [, number]) => sum + number, 0) / numbers.length, checks);
}

function scored(reward: number, checks: readonly CheckResult[]): Reward {
  return { reward, checks, problem: null };
}

function failed(problem: string): Reward {
  return { reward: null, checks: [], problem };
}

const outcome = /^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+(\S.*?)(?: - .*)?$/gm;

/** Reads the summary of pytest, as terminal-bench does: every test of it must have passed. */
export function readPytest(output: string): Reward {
  const summary = output.slice(Math.max(0, output.lastIndexOf('short test summary info')));
  const found = [...summary.matchAll(outcome)].filter(([, word]) => word !== 'SKIPPED');
  if (found.length === 0) return failed('pytest printed no summary of its tests');
  const checks = found.map(([, word, name = '']) => {
    const test = name.split('/').at(-1) ?? name;
    return { id: test, name: test, pass: word === 'PASSED' || word === 'XPASS' || word === 'XFAIL' };
  });
  const passed = checks.filter(({ pass }) => pass).length;
  return scored(passed / checks.length, checks);
}
