import { z } from 'zod';
import type { OpenSession } from '../sessions/sessions.ts';

const longestName = 255;
const name = z.string().max(longestName).nullish();

/** Where a dataset row says which task it means. */
const rowSchema = z.looseObject({
  verifier_metadata: z
    .looseObject({ environment: name, task: name, seed: z.int().nonnegative().nullish(), student: name })
    .nullish(),
  _ng_task_index: z.int().nullish(),
  _ng_rollout_index: z.int().nullish(),
});

/** The session that a dataset row asks for. */
export function readRow(body: unknown): OpenSession {
  const row = rowSchema.parse(body);
  const { environment, task, seed, student } = row.verifier_metadata ?? {};
  const { _ng_task_index: index, _ng_rollout_index: rollout } = row;
  return {
    environment: environment ?? undefined,
    task: task ?? undefined,
    seed: seed ?? undefined,
    student: student ?? undefined,
    name: index === undefined || index === null ? undefined : `${index}:${rollout ?? 0}`,
    // A client of NeMo Gym asks again until the server is back.
    keep: true,
  };
}
