import { Option, type Command } from 'commander';
import type { SettingVerb } from './verb-settings.ts';

/** Who of the agents is a model: such options were for all of them. */
type Role = 'student' | 'teacher';

/** An option of 0.1, and what it is now: texts for `--set`. */
interface FormerOption {
  readonly flags: string;
  settings(value: unknown, models: readonly Role[]): string[];
}

function sets(flags: string, path: string): FormerOption {
  return { flags, settings: value => [`${path}=${String(value)}`] };
}

function setsModels(flags: string, key: string): FormerOption {
  return { flags, settings: (value, models) => models.map(role => `${role}.${key}=${String(value)}`) };
}

const strategy = [
  sets('--expansions <n>', 'strategy.expansions'),
  sets('--width <n>', 'strategy.width'),
  {
    flags: '--strategy-option <name=value...>',
    settings: (pairs: unknown) => (pairs as string[]).map(pair => `strategy.options.${pair}`),
  },
];
const reviewing = [
  sets('--go-on <p>', 'strategy.goOn'),
  sets('--skip-sure <p>', 'strategy.skipSure'),
  sets('--branching', 'strategy.branching'),
];
const attempts = [
  sets('--audit <share>', 'strategy.audit'),
  sets('--attempts <n>', 'strategy.attempts'),
  sets('--group <n>', 'strategy.group'),
  sets('--starts <n>', 'strategy.starts'),
];
const teaching = [
  sets('--teacher-temperature <t>', 'teacher.temperature'),
  sets('--teacher-errors <share>', 'teacher.errors'),
  sets('--teacher-strict', 'teacher.strict'),
];
const limits = ['interventions', 'reviews', 'forks', 'seconds', 'cost'].map(name =>
  sets(`--${name} <n>`, `limits.${name}`),
);
const world = [sets('--actions <which>', 'actions'), sets('--contracts <module>', 'contracts')];
const browser = [
  ...['screenshots', 'theme', 'density', 'vary'].map(name => sets(`--${name} <value>`, `browser.${name}`)),
  sets('--marks', 'browser.marks'),
  sets('--browser-path <file>', 'browser.path'),
  {
    flags: '--viewport <WxH>',
    settings: (size: unknown) => {
      const [width = '', height = ''] = String(size).split('x');
      return [`browser.viewport.width=${width}`, `browser.viewport.height=${height}`];
    },
  },
];
const asking = [
  sets('--temperature <t>', 'student.temperature'),
  setsModels('--max-tokens <n>', 'maxTokens'),
  setsModels('--deadline <seconds>', 'deadline'),
  setsModels('--prompts <folder>', 'prompts'),
  setsModels('--observe <what>', 'observe'),
  setsModels('--speech <how>', 'speech'),
  setsModels('--window <n>', 'window'),
  setsModels('--tokens', 'tokens'),
  setsModels('--no-tokens', 'tokens'),
  sets('--prices <file>', 'spending.prices'),
];
const learning = [
  ...['temperature', 'rate', 'epochs', 'batch', 'clip', 'kl', 'entropy'].map(name =>
    sets(`--${name} <n>`, `learning.${name}`),
  ),
  sets('--clip-high <e>', 'learning.clipHigh'),
];
const sizes = [
  sets('--group <n>', 'study.group'),
  sets('--instances <n>', 'study.instances'),
  sets('--src-rounds <n>', 'study.srcRounds'),
  sets('--eval-every <n>', 'study.evalEvery'),
  sets('--eval-instances <n>', 'study.evalInstances'),
];
const search = [
  sets('--task-seconds <n>', 'search.taskSeconds'),
  ...['solutions', 'deepen', 'pages'].map(name => sets(`--${name} <n>`, `search.${name}`)),
];

const formerOptions: Readonly<Record<SettingVerb, readonly FormerOption[]>> = {
  collect: [...strategy, ...reviewing, ...attempts, ...teaching, ...limits, ...world, ...browser, ...asking],
  eval: [...strategy, ...world, ...browser, ...asking],
  loop: [
    ...reviewing,
    ...teaching,
    ...asking,
    sets('--misses <share>', 'loop.misses'),
    sets('--bins <scope>', 'loop.bins'),
  ],
  rl: [...learning, sets('--contracts <module>', 'contracts')],
  study: [...sizes, ...learning, ...search],
};

/** Adds `--set`, and the options of 0.1 that are settings now, which help does not show. */
export function addSettingOptions(command: Command, verb: SettingVerb): Command {
  for (const { flags } of formerOptions[verb]) command.addOption(new Option(flags).hideHelp());
  return command.option('--set <name=value>', 'any other setting; may be repeated: espalier help settings', together);
}

function together(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

interface FormerReading {
  readonly models: readonly Role[];
  note(text: string): void;
}

/** The texts for `--set` that options of 0.1 stand for; one line of advice for each. */
export function readFormerOptions(
  verb: SettingVerb,
  options: Readonly<Record<string, unknown>>,
  { models, note }: FormerReading,
): string[] {
  return formerOptions[verb].flatMap(({ flags, settings }) => {
    const option = new Option(flags);
    const value = options[option.attributeName()];
    if (value === undefined || (typeof value === 'boolean' && value === option.negate)) return [];
    const texts = settings(value, models.length === 0 ? ['student'] : models);
    note(`${option.long} is now ${texts.map(text => `--set ${text}`).join(' ')}; the old spelling goes in 0.3.`);
    return texts;
  });
}
