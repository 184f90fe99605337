import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import {
  createEchoTtrl,
  createTrace,
  createUniform,
  createXrpo,
  type ScheduleSizes,
} from '../../episode/schedules/schedules.ts';
import type { Scheduler } from '../../episode/schedules/scheduler.ts';

interface ScheduleOptions extends ScheduleSizes {
  readonly explore: number;
  readonly most: number;
}

interface ScheduleEntry extends Entry {
  /** Null for the plan, which runs as it is. */
  readonly create: ((options: ScheduleOptions) => Scheduler) | null;
}

export const scheduleNames = ['plan', 'uniform', 'trace', 'xrpo', 'echo-ttrl'] as const;

export const schedules = createRegistry<ScheduleEntry>({
  noun: 'schedule',
  plural: 'schedules',
  about: 'What a run does next, given what has ended: --set schedule.kind=trace.',
  entries: [
    { name: 'plan', about: 'Every task with every trial, in the order of the plan.', create: null },
    { name: 'uniform', about: 'The same number of trials for every task, a batch at a time.', create: createUniform },
    { name: 'trace', about: 'More trials where passes and failures may still both come (TRACE).', create: createTrace },
    { name: 'xrpo', about: 'More trials where they narrow the interval of a task most (XRPO).', create: createXrpo },
    {
      name: 'echo-ttrl',
      about: 'More trials where the student is unsure and its trials disagree; no verdict is looked at (ECHO-TTRL).',
      create: createEchoTtrl,
    },
  ],
});
