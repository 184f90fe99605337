import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProgramHelp } from '../scripts/docs/program-help.ts';
import { signals } from '../src/analysis/signals/signals.ts';
import { estimators } from '../src/dataset/credit/estimators.ts';
import { methodTables } from '../src/dataset/methods/methods.ts';
import { nouns } from '../src/cli/environments/nouns.ts';
import { memories } from '../src/runs/registry/memories.ts';
import { schedules } from '../src/runs/registry/schedules.ts';
import { strategies } from '../src/runs/registry/strategies.ts';
import { readMethodsPage } from './fixtures/methods-page.ts';
import { ruleFiles, rulesOf } from './spec-rules.ts';

const root = dirname(import.meta.dirname);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Published methods: the name in the table of the docs, our name, and the rule that says what it does. */
const methods: Readonly<Record<'signals' | 'estimators' | 'tables', readonly (readonly [string, string, string])[]>> = {
  signals: [
    ['DataPRM', 'dataprm', 'SIG-10'],
    ['Monte-Carlo process reward', 'monte-carlo', 'SIG-11'],
    ['SPA', 'progress', 'SIG-12'],
    ['Step-GUI', 'calibration', 'SIG-13'],
    ['WebSTAR', 'grades', 'SIG-14'],
    ['AgentDebug', 'agent-debug', 'SIG-15'],
    ['AEGIS', 'aegis', 'SIG-16'],
    ['TRAJEVAL', 'trajeval', 'SIG-17'],
    ['Signals', 'conversation', 'SIG-18'],
    ['VLAA-GUI', 'loop-tiers', 'SIG-19'],
    ['AI-scientist epistemics', 'epistemics', 'SIG-20'],
    ['behaviour statistics', 'search-behaviour', 'SIG-21'],
    ['EGS', 'evidence-guided', 'SIG-21'],
    ['AgentLens', 'agent-lens', 'SIG-22'],
    ['TopoCurate', 'topo-curate', 'SIG-23'],
    ['RSR', 'rank-surprisal', 'SIG-24'],
    ['behaviour statistics', 'behaviour-priming', 'SIG-25'],
    ['TRACE taxonomy, MAC audit', 'reward-hack', 'SIG-26'],
    ['StainFlow', 'stain-flow', 'SIG-28'],
    ['AI-Planning', 'planning', 'SIG-57'],
    ['MAT, ABC', 'contracts', 'SIG-29'],
    ['MAT, ABC', 'step-contracts', 'SIG-47'],
    ['BraveGuard', 'threats', 'SIG-58'],
  ],
  estimators: [
    ['GRPO', 'grpo', 'CREDIT-3'],
    ['GiGPO', 'gigpo', 'CREDIT-4'],
    ['GiGPO', 'gigpo-paper', 'CREDIT-4'],
    ['HGPO', 'hgpo', 'CREDIT-6'],
    ['MC-GRPO', 'mc-grpo', 'CREDIT-7'],
    ['MC-GRPO', 'mc-grpo-public', 'CREDIT-7'],
    ['PORTool', 'portool', 'CREDIT-8'],
    ['PORTool', 'portool-fork', 'CREDIT-8'],
    ['SPA', 'spa', 'CREDIT-9'],
    ['SPA', 'spa-public', 'CREDIT-9'],
    ['R3L', 'r3l', 'CREDIT-10'],
    ['HABC', 'habc', 'CREDIT-11'],
    ['DART', 'dart', 'CREDIT-12'],
    ['XRPO', 'xrpo', 'CREDIT-13'],
    ['UI-S1', 'ui-s1', 'CREDIT-14'],
    ['ECHO', 'echo-env', 'CREDIT-15'],
    ['M-GRPO', 'm-grpo', 'CREDIT-16'],
    ['UnityMAS-O', 'unitymas-o', 'CREDIT-16'],
    ['Skill-R1', 'skill-r1', 'CREDIT-24'],
    ['lookahead group reward', 'lgr', 'CREDIT-17'],
    ['MobileGym', 'mobilegym', 'CREDIT-18'],
    ['LightSearcher', 'lightsearcher', 'CREDIT-22'],
    ['SRPO', 'srpo', 'CREDIT-26'],
    ['ARISE', 'arise', 'CREDIT-28'],
    ['SAGE (skills)', 'sage-rl', 'CREDIT-28'],
  ],
  tables: [
    ['outcome-filtered preferences', 'step-preferences', 'DATA-2'],
    ['EEF', 'expert-failures', 'DATA-3'],
    ['Early Experience', 'world-model', 'DATA-4'],
    ['GUI-360', 'grounding', 'DATA-17'],
    ['Early Experience', 'reflections', 'DATA-5'],
    ['CLEANER', 'purified', 'DATA-6'],
    ['SCOPE', 'rectifications', 'DATA-7'],
    ['A3T', 'contrasts', 'DATA-8'],
    ['DMPO', 'trajectory-pairs', 'DATA-9'],
    ['Dyna-Mind', 'search-traces', 'DATA-10'],
    ['GUI-Reflection', 'undo-steps', 'DATA-11'],
    ['ABCD', 'plan-steps', 'DATA-12'],
    ['AEGIS', 'planted-errors', 'DATA-14'],
    ['FATE', 'repairs', 'DATA-15'],
    ['Skill-SD', 'skill-distillation', 'DATA-16'],
  ],
};

const places = {
  signals: { page: 'docs/signals.md', command: 'espalier annotate', names: signals.names },
  estimators: { page: 'docs/credit.md', command: 'espalier export <run> --advantage <name>', names: estimators.names },
  tables: {
    page: 'docs/credit.md',
    command: 'espalier export <run> --table <name>',
    names: methodTables.map(({ name }) => name),
  },
} as const;

const kinds = ['signals', 'estimators', 'tables'] as const;
const listed = kinds.flatMap(kind => methods[kind].map(([method, name, rule]) => ({ kind, method, name, rule })));

const tests = ['src', 'test', 'studies'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && name !== 'methods.test.ts')
    .map(name => read(join(folder, name))),
);
const rules = ruleFiles().flatMap(rulesOf);

it.each(listed)('$method: $name has a rule, a test and a line in the docs', ({ kind, method, name, rule }) => {
  const { page, command } = places[kind];
  expect(rules.find(({ id }) => id === rule)?.text.toLowerCase()).toContain(name);
  const words = [name, camelCase(name)];
  expect(tests.some(test => test.includes(`[${rule}]`) && words.some(word => test.includes(word)))).toBe(true);
  const rows = read(page)
    .split('\n')
    .filter(line => line.startsWith('| ') && line.includes(`\`${name}\``));
  expect(rows.some(line => line.split('|')[2]?.includes(method))).toBe(true);
  expect(read(page)).toContain(command);
});

/** Options that name an entry of a list. */
const nounOf: Readonly<Record<string, string>> = {
  '--strategy': 'strategies',
  '--memory': 'memories',
  '--signal': 'signals',
  '--table': 'tables',
  '--advantage': 'estimators',
  '--estimator': 'estimators',
  '--student': 'students',
  '--tokens': 'token-formats',
};

/** As the code names what the command line calls `mc-grpo`. */
function camelCase(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

it('every signal, estimator and table of a method is in the list', () => {
  const ours = new Set(['loops', 'stalls', 'first-rejected', 'agents', 'dr-grpo']);
  for (const kind of kinds) {
    const known = new Set(methods[kind].map(([, name]) => name));
    expect(places[kind].names.filter(name => !known.has(name) && !ours.has(name))).toEqual([]);
  }
});

/** Systems that evaluate: their name on the page, the verb that runs them, and the rules that say what they do. */
const evaluations: readonly (readonly [string, string, readonly string[]])[] = [
  ['AgentDevel', 'gate', ['GATE-1', 'GATE-2', 'GATE-5', 'GATE-8', 'GATE-10']],
  ['HAL', 'leaderboard', ['BOARD-1', 'BOARD-3', 'BOARD-10', 'BOARD-11']],
  ['predictive validity', 'leaderboard', ['BOARD-6', 'BOARD-7', 'BOARD-8', 'BOARD-9']],
  ['Claw-Eval-Live', 'release', ['RELEASE-1', 'RELEASE-2', 'RELEASE-4', 'RELEASE-5']],
  ['Claw-Eval (trust)', 'gate', ['TRUST-1', 'TRUST-2', 'TRUST-3']],
  ['AgencyBench', 'users', ['USER-2', 'USER-3', 'USER-4', 'USER-5', 'USER-7', 'USER-8']],
  ['Adversarial Feeds', 'threats', ['THREAT-1']],
  ['BraveGuard', 'threats', ['FORGE-40', 'WRAP-15', 'THREAT-2']],
  ['Shor', 'study', ['HARN-1', 'HARN-2', 'HARN-3']],
  ['MAT, ABC (certification)', 'gate', ['TRUST-4', 'TRUST-5', 'GATE-13']],
  ['GUI-360', 'forge', ['FORGE-41', 'DATA-17']],
];

const page = readMethodsPage(read('docs/methods.md'));
const commands = page.flatMap(row => row.commands);

describe('the page of methods', () => {
  it('[DOC-4] says of each whether it is whole, served or out, and how to run it', () => {
    expect(page.length).toBeGreaterThan(60);
    for (const { method, status, commands: own } of page) {
      expect(['whole', 'served', 'out'], method).toContain(status);
      expect(own.length > 0, method).toBe(status !== 'out');
    }
    for (const { method } of listed) expect(page.map(row => row.method).join('\n')).toContain(method);
  });

  it.each(evaluations)('[DOC-4] %s has its verb %s, rules and tests', (method, verb, own) => {
    const row = page.find(one => one.method.includes(method));
    expect(row?.commands.map(command => command.verb)).toContain(verb);
    for (const rule of own) {
      expect(rules.map(({ id }) => id)).toContain(rule);
      expect([rule, tests.some(test => test.includes(`[${rule}]`))]).toEqual([rule, true]);
    }
  });

  it('[DOC-4] has commands whose verbs, options and names exist', async () => {
    const { verbs } = await readProgramHelp();
    for (const { verb, text, options } of commands) {
      const help = verbs.get(verb);
      expect(help, text).toBeDefined();
      for (const [option, value] of options) {
        expect(help, text).toContain(option);
        const noun = nounOf[option];
        if (noun === undefined || value.startsWith('<')) continue;
        // A team is named by its roles.
        const names = value.startsWith('team:') ? ['team'] : value.split(',');
        for (const name of names) expect(nouns.need(noun).registry.names, text).toContain(name);
      }
    }
  });

  it('[DOC-4] names all that `espalier list` has of methods', () => {
    const named = (option: string): readonly string[] =>
      commands.flatMap(({ options }) => options.filter(([name]) => name === option).flatMap(([, to]) => to.split(',')));
    const ours = new Set(['linear', 'speculative-rollback', 'loops', 'stalls', 'first-rejected', 'agents']);
    const missing = (names: readonly string[], option: string): string[] =>
      names.filter(name => !ours.has(name) && !named(option).includes(name));
    expect(missing(strategies.names, '--strategy')).toEqual([]);
    expect(missing(signals.names, '--signal')).toEqual([]);
    expect(missing(memories.names, '--memory')).toEqual([]);
    expect(missing(places.tables.names, '--table')).toEqual([]);
    const credited = new Set([...named('--advantage'), ...named('--estimator')]);
    expect(estimators.names.filter(name => !credited.has(name))).toEqual([]);
  });
});

/** Ways to spend a budget, and memories: the name on the page, ours, and the rule that says what it does. */
const systems: Readonly<
  Record<'strategies' | 'schedules' | 'memories', readonly (readonly [string, string, string])[]>
> = {
  strategies: [
    ['WebOperator', 'web-operator', 'SRC-44'],
    ['Agent Q', 'agent-q', 'SRC-42'],
    ['LATR', 'latr', 'SRC-43'],
    ['Levin', 'levin', 'SRC-40'],
    ['PUCT', 'puct', 'SRC-41'],
    ['SimpleTES', 'simple-tes', 'SRC-45'],
    ['Argus', 'argus', 'SRC-46'],
    ['GTA1', 'gta1', 'SRC-52'],
    ['RTV', 'rtv', 'SRC-51'],
    ['PDR', 'pdr', 'SRC-51'],
    ['SE-Agent', 'se-agent', 'SRC-53'],
    ['best-of-n with a judge', 'judged', 'SRC-50'],
    ['TMAS', 'tmas', 'SRC-54'],
    ['step-level cascade', 'cascade', 'SRC-60'],
    ['VLAA-GUI', 'vlaa-gui', 'SRC-61'],
    ['SAGE (plan)', 'sage-plan', 'SRC-62'],
    ['StepFly, Routine', 'guide', 'SRC-63'],
    ['pipelines', 'pipeline', 'SRC-64'],
    ['R3L', 'retry', 'ROL-27'],
    ['Agent-RLVR', 'retry', 'ROL-27'],
  ],
  schedules: [
    ['TRACE (allocation)', 'trace', 'SCHED-2'],
    ['XRPO', 'xrpo', 'SCHED-3'],
    ['ECHO-TTRL', 'echo-ttrl', 'SCHED-4'],
  ],
  memories: [
    ['ReasoningBank', 'reasoning-bank', 'MEM-3'],
    ['MaTTS', 'matts', 'MEM-11'],
    ['Self-Gen ICE', 'self-gen-ice', 'MEM-21'],
    ['TRAD', 'trad', 'MEM-5'],
    ['EchoTrail', 'echo-trail', 'MEM-14'],
    ['Mistake Notebook', 'mistake-notebook', 'MEM-6'],
    ['MemCoder', 'mem-coder', 'MEM-16'],
    ['Continual Harness', 'continual-harness', 'MEM-13'],
    ['AT2QA', 'at2qa', 'MEM-15'],
    ['WebXSkill', 'web-x-skill', 'MEM-4'],
    ['DynaSaur', 'dynasaur', 'MEM-18'],
    ['Recon-Act', 'recon-act', 'MEM-19'],
    ['Steve-Evolving', 'steve-evolving', 'MEM-5'],
    ['SPARK', 'spark', 'MEM-12'],
    ['SkillOpt', 'skill-opt', 'MEM-22'],
    ['MOCHA', 'mocha', 'MEM-23'],
    ['ARISE', 'arise', 'MEM-17'],
    ['DreamGym', 'dream-gym', 'MEM-20'],
  ],
};

describe('ways to spend a budget, and memories', () => {
  const all = (['strategies', 'schedules', 'memories'] as const).flatMap(noun =>
    systems[noun].map(([method, name, rule]) => ({ noun, method, name, rule })),
  );
  const sources = ['src/episode', 'src/memory', 'src/runs/registry'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map(name => read(join(folder, name))),
  );
  const measured = read('docs/strategies.md').split('\n');

  it.each(all)('[DOC-6] $method has its file, worked numbers, a command and a measured effect', one => {
    const { noun, method, name, rule } = one;
    expect(nouns.need(noun).registry.names).toContain(name);
    expect(sources.filter(source => source.includes(`name: '${name}'`)).length).toBeGreaterThan(0);
    expect(rules.find(({ id }) => id === rule)?.text).toContain(`\`${name}\``);
    const cases = tests.flatMap(test => test.split(/\n\s*it(?:\.each)?\(/)).filter(test => test.includes(`[${rule}]`));
    expect(cases.some(test => /expect\([\s\S]*\d/.test(test))).toBe(true);
    const option = { strategies: '--strategy', schedules: '--set', memories: '--memory' }[noun];
    const value = noun === 'schedules' ? `schedule.kind=${name}` : name;
    const rows = page.filter(row => row.method.includes(method));
    const named = rows.flatMap(row => row.commands.flatMap(({ options }) => options));
    expect(named.some(([to, given]) => to === option && given.split(',').includes(value))).toBe(true);
    expect(measured.some(line => line.startsWith(`| \`${name}\` |`))).toBe(true);
  });

  it('[DOC-6] has every strategy, schedule and memory of the lists in the table of effects', () => {
    const none = new Set(['plan']);
    // These make data of one kind, and are compared by what is learned from it.
    const data = new Set(['dagger', 'alternatives', 'plant', 'fork-group']);
    const names = [...strategies.names, ...memories.names, ...schedules.names];
    const missing = names.filter(name => !measured.some(line => line.startsWith(`| \`${name}\` |`)));
    expect(missing.filter(name => !none.has(name) && !data.has(name))).toEqual([]);
  });

  it.each([
    ['APRIL', 'serve', 'RAS-3'],
    ['LightSearcher', 'export', 'CREDIT-22'],
    ['ARISE', 'export', 'CREDIT-28'],
    ['SAGE (skills)', 'export', 'CREDIT-28'],
    ['Skill-SD', 'export', 'DATA-16'],
    ['GRLO', 'export', 'CREDIT-3'],
  ])('[DOC-6] a trainer gets what it needs of %s', (method, verb, rule) => {
    const found = page.filter(row => row.method.includes(method)).flatMap(row => row.commands);
    expect(found.map(command => command.verb)).toContain(verb);
    expect(rules.map(({ id }) => id)).toContain(rule);
    expect(tests.some(test => test.includes(`[${rule}]`))).toBe(true);
  });
});
