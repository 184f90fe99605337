import { z } from 'zod';
import { configShape } from '../../runs/config/config.ts';
import { loopSettings } from '../../runs/loop-choices.ts';
import { strategies } from '../../runs/registry/strategies.ts';
import { modelSchema } from '../../runs/settings/model-config.ts';
import { learningSettings } from './learning-flags.ts';
import { settingsIn, type Setting } from './setting.ts';

/** Verbs that take settings, by `--set` and from a file. */
export const settingVerbs = ['collect', 'eval', 'loop', 'rl', 'study'] as const;
export type SettingVerb = (typeof settingVerbs)[number];

/** Of `study wai`; those left out are as the study began. */
export const searchSettings = z.strictObject({
  taskSeconds: z.int().positive().optional().describe('longest search of a task'),
  solutions: z.int().positive().optional().describe('different solutions of a task that are kept; 2 unless told'),
  deepen: z.int().positive().optional().describe('times the nodes when a round tries a task again; 3 unless told'),
  guide: z
    .string()
    .optional()
    .describe(
      'a student that guides the search: small, small:<folder or address>, or a file; the one trained here unless told',
    ),
  weight: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('of the guide’s probabilities; words have the rest; 0.5 unless told'),
  tour: z
    .int()
    .nonnegative()
    .optional()
    .describe('clicks of a tour through each app before it is searched; 200 unless told, 0 for none'),
  teach: z
    .string()
    .optional()
    .describe(
      '--compare: a command that teaches a model, which is the student then, such as python teach.py --base small',
    ),
  seed: z
    .int()
    .nonnegative()
    .optional()
    .describe('of what is trained, and of what a comparison begins with; 1 unless told'),
  pages: z.int().positive().default(2).describe('pages at once'),
});

/** Of `study rl`. */
export const studySizes = z.strictObject({
  group: z.int().positive().default(8).describe('attempts at each task'),
  instances: z.int().positive().default(2).describe('tasks of each template in each round'),
  srcRounds: z.int().positive().default(2).describe('rounds of speculative rollback correction'),
  evalEvery: z.int().positive().default(2).describe('rounds between two evaluations'),
  evalInstances: z.int().positive().default(2).describe('instances of each template when students are evaluated'),
  judge: z.string().nullable().default(null).describe('harness: a model that looks for the fault, too; null for none'),
});

/** The settings that a verb takes, made from the schemas that its values are read with. */
export function settingsOf(verb: SettingVerb): readonly Setting[] {
  const { student, teacher, strategy, limits, schedule, actions, contracts, browser, spending } = configShape;
  switch (verb) {
    case 'collect':
      return settingsIn(
        z.object({ strategy, student, teacher, limits, schedule, actions, contracts, browser, spending }),
      );
    case 'eval':
      return [
        ...settingsIn(z.object({ strategy })).filter(({ kind }) => strategies.find(kind ?? '')?.evaluates !== false),
        ...settingsIn(z.object({ student: modelSchema, actions, contracts, browser, spending })),
      ];
    case 'loop':
      return settingsIn(z.object({ strategy, student, teacher, spending, loop: loopSettings }));
    case 'rl':
      return settingsIn(z.object({ learning: learningSettings, contracts }));
    case 'study':
      return settingsIn(z.object({ study: studySizes, learning: learningSettings, search: searchSettings }));
  }
}
