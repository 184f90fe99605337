import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { causeText } from '../../core/errors.ts';

/** `task.yaml` of terminal-bench, as far as it says how a task is run. */
const taskSchema = z.looseObject({
  instruction: z.string().optional(),
  descriptions: z.array(z.looseObject({ key: z.string(), description: z.string() })).optional(),
  parser_name: z.string().default('pytest'),
  max_agent_timeout_sec: z.number().positive().optional(),
  max_test_timeout_sec: z.number().positive().optional(),
});

export interface TerminalBenchTask {
  readonly instruction: string;
  readonly agentSeconds: number | undefined;
  readonly testSeconds: number | undefined;
  readonly problems: readonly string[];
}

export const terminalBenchName = 'task.yaml';

/** Reads the older format: the Dockerfile beside task.yaml, tests run by run-tests.sh and told by pytest. */
export function readTerminalBenchTask(folder: string): TerminalBenchTask {
  const nothing = { instruction: '', agentSeconds: undefined, testSeconds: undefined };
  let yaml: unknown;
  try {
    yaml = parse(readFileSync(join(folder, terminalBenchName), 'utf8'));
  } catch (cause) {
    return { ...nothing, problems: [`${terminalBenchName}: not YAML: ${causeText(cause).split('\n')[0] ?? ''}`] };
  }
  const parsed = taskSchema.safeParse(yaml);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${terminalBenchName}: ${path.join('.')}: ${message}.`,
    );
    return { ...nothing, problems };
  }
  const { instruction, descriptions, parser_name: parser, ...rest } = parsed.data;
  const told =
    instruction ?? descriptions?.find(({ key }) => key === 'base')?.description ?? descriptions?.[0]?.description;
  const problems: string[] = [];
  if (told === undefined || told.trim() === '')
    problems.push(`${terminalBenchName}: instruction is missing: it tells the agent what to do.`);
  if (parser !== 'pytest')
    problems.push(`${terminalBenchName}: parser_name ${parser} is not known here: expected pytest.`);
  for (const name of ['Dockerfile', 'run-tests.sh'])
    if (!existsSync(join(folder, name))) problems.push(`${name} is missing.`);
  return {
    instruction: told?.trim() ?? '',
    agentSeconds: rest.max_agent_timeout_sec,
    testSeconds: rest.max_test_timeout_sec,
    problems,
  };
}

/** Services of a compose file beside the one that the agent works in. */
export function otherServices(file: string): string[] {
  if (!existsSync(file)) return [];
  const found: unknown = parse(readFileSync(file, 'utf8'));
  const services = (found as { services?: Record<string, unknown> } | null)?.services ?? {};
  return Object.keys(services).filter(name => name !== 'client' && name !== 'main');
}
