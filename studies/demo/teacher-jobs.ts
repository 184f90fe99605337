import { join } from 'node:path';
import { mean } from '../../src/analysis/stats.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { arms, imitations, type TaughtArm } from './arms.ts';
import type { LoopChoices } from '../../src/runs/loop-choices.ts';
import type { StudentGroup } from './student-group.ts';
import { demonstrations, paidBy, tasksWithin, teacherApps } from './teachers.ts';
import { demonstrationFolders, stepsOfSolved } from './worlds/taught-points.ts';
import { unseenApps } from './worlds/worlds-plan.ts';
import { runProgram } from './programs.ts';
import type { Job } from './schedule.ts';
import { demonstrate, teach, type StudySetting } from './worlds-jobs.ts';
import type { LoopLine } from '../../src/cli/runs/loop-verb.ts';

export interface TeacherSetting extends StudySetting {
  /** Folder of the curve over worlds. */
  readonly worlds: string;
  onRound(arm: TaughtArm, line: LoopLine): void;
}

/** Instances of each template that students are evaluated on. */
const evaluated = 1;

/** The jobs that compare ways to ask the teacher, and imitation for the same price. */
export function teacherJobs(setting: TeacherSetting): Job[] {
  const { folder, size } = setting;
  const main = arms[0] as TaughtArm;
  const shown = join(folder, 'demonstrations');
  const start = startFolder(folder);
  return [
    startJob(setting),
    ...arms.map((arm): Job => armJob(arm, setting)),
    {
      id: 'demonstrations',
      label: 'demonstrating as much as SRC asked',
      needs: [main.id, 'made-up'],
      seconds: 20,
      async run(signal) {
        const { steps } = paidBy(join(folder, main.id));
        // Demonstrations in other made-up apps tell how long they are.
        const [, madeUp] = demonstrationFolders(setting.worlds);
        const each = mean(stepsOfSolved(madeUp).map(([, length]) => length)) ?? 4;
        const list = join(folder, 'demonstrations.txt');
        const environments = teacherApps(size);
        const ids = await demonstrations({ ...setting, environments, count: Math.ceil((1.2 * steps) / each) });
        writeWhole(list, `${ids.join('\n')}\n`);
        await demonstrate({ environments, tasks: list, out: shown, seed: setting.seed }, signal);
      },
    },
    ...imitations.flatMap(({ id, label, currency }) =>
      Array.from({ length: size.students }, (_, index): Job => {
        const group: StudentGroup = { folder, id, students: size.students };
        return {
          id: `${id}.${index + 1}`,
          label: `teaching by ${label}`,
          needs: ['demonstrations'],
          seconds: 10,
          async run(signal) {
            const tasks = join(folder, `${id}.txt`);
            const paid = tasksWithin(paidBy(join(folder, main.id))[currency], stepsOfSolved(shown));
            const ids = [...stepsOfSolved(start).map(([task]) => task), ...paid];
            writeWhole(tasks, `${ids.join('\n')}\n`);
            const environments = [...teacherApps(size), ...unseenApps(size.teachers.unseen, size.teachers.apps)];
            const evaluation = { environments, instances: evaluated, seed: setting.seed };
            await teach({ group, seed: index + 1, rows: [start, shown], tasks, evaluation }, signal);
          },
        };
      }),
    ),
  ];
}

/** Where the demonstrations lie that the students of all arms start from. */
function startFolder(folder: string): string {
  return join(folder, 'start');
}

/** Far from the seed of the arms: what is demonstrated before is neither collected on nor evaluated again. */
const startSeed = 500_009;

function startJob(setting: TeacherSetting): Job {
  const { folder, size } = setting;
  const seed = setting.seed + startSeed;
  return {
    id: 'start',
    label: 'demonstrating what all arms start from',
    seconds: 8,
    async run(signal) {
      const list = join(folder, 'start.txt');
      const environments = teacherApps(size);
      const ids = await demonstrations({ environments, seed, count: size.teachers.demonstrated, host: setting.host });
      writeWhole(list, `${ids.join('\n')}\n`);
      await demonstrate({ environments, tasks: list, out: startFolder(folder), seed }, signal);
    },
  };
}

function armJob(arm: TaughtArm, { folder, size, seed, onRound }: TeacherSetting): Job {
  const { rounds, instances } = size.teachers;
  const options = {
    out: join(folder, arm.id),
    rounds,
    seed,
    instances: instances.join(','),
    start: startFolder(folder),
    'eval-instances': evaluated,
    students: size.students,
    workers: 0,
  };
  const args = [
    ...teacherApps(size),
    '--unseen',
    ...unseenApps(size.teachers.unseen, size.teachers.apps),
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    '--no-baselines',
    '--json',
    ...flagsOf(arm.choices),
  ];
  return {
    id: arm.id,
    label: `teaching with ${arm.label}`,
    needs: ['start'],
    seconds: 17,
    run: signal =>
      runProgram({ args: ['loop', ...args], signal, onLine: line => onRound(arm, JSON.parse(line) as LoopLine) }),
  };
}

/** Where `espalier loop` has a setting for a choice. */
const settings: Readonly<Record<string, string>> = {
  goOn: 'strategy.goOn',
  skipSure: 'strategy.skipSure',
  branching: 'strategy.branching',
  teacherErrors: 'teacher.errors',
  teacherStrict: 'teacher.strict',
  misses: 'loop.misses',
  bins: 'loop.bins',
};

/** The same choices as options of `espalier loop`. */
function flagsOf(choices: LoopChoices): string[] {
  return Object.entries(choices).flatMap(([key, value]) => {
    if (value === false || value === undefined) return [];
    const setting = settings[key];
    if (setting !== undefined) return ['--set', `${setting}=${value}`];
    return value === true ? [`--${key}`] : [`--${key}`, String(value)];
  });
}
