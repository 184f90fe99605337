import type { Attack, AttackResult, AttackTools } from './attack.ts';

export interface AttackRun {
  readonly attacks: readonly Attack[];
  readonly tools: AttackTools;
  /** Attacks that run at once. */
  readonly atOnce: number;
  onResult?(result: AttackResult): void;
}

/** Runs every attack; the results are in the order of the attacks. */
export async function runAttacks({ attacks, tools, atOnce, onResult }: AttackRun): Promise<readonly AttackResult[]> {
  const results: AttackResult[] = [];
  const waiting = [...attacks.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { run, ...attack }] = next;
      const result = { ...attack, escape: await run(tools) };
      results[index] = result;
      onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
