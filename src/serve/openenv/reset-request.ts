import { z } from 'zod';
import type { OpenSession } from '../sessions/sessions.ts';
import { checked, mostCharacters } from './wire.ts';

const resetSchema = z.object({
  seed: z.int().nonnegative().nullish(),
  episode_id: z.string().max(mostCharacters).nullish(),
  environment: z.string().max(mostCharacters).nullish(),
  task: z.string().max(mostCharacters).nullish(),
  keep: z.boolean().nullish(),
  student: z.string().min(1).max(200).nullish(),
});

/** What a reset asks for. Fields that are not known are ignored, as OpenEnv does. */
export function readReset(data: unknown): OpenSession {
  const { seed, episode_id: name, environment, task, keep, student } = checked(resetSchema, data);
  return {
    seed: seed ?? undefined,
    name: name ?? undefined,
    environment: environment ?? undefined,
    task: task ?? undefined,
    keep: keep ?? undefined,
    student: student ?? undefined,
  };
}
