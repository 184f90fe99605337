import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { environments as builtIn } from '../../catalog.ts';
import { causeText, invalidOption } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { createPolicyServer } from '../../serve/policy/policy-server.ts';
import type { ServedPolicy } from '../../serve/policy/served-policy.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { servePlanner, serveStudent } from './policies.ts';

export interface ServePolicyRequest {
  readonly student?: string;
  readonly planner?: boolean;
  readonly env?: readonly string[];
  readonly plannerErrors: number;
  readonly host: string;
  readonly port: number;
  readonly json?: boolean;
}

/** How long answers under way may take when the server is stopped. */
const graceMilliseconds = 5000;

/** Serves until it is stopped. */
export async function servePolicy(output: Output, request: ServePolicyRequest): Promise<ExitCode> {
  const policies = await policiesOf(request);
  return stoppable<ExitCode>(output, async ({ signal }) => {
    const { host, port } = request;
    const onFault = (cause: unknown): void => output.note(`broke: ${causeText(cause)}`);
    const server = await createPolicyServer({ policies, random: createRandom(randomUUID()), host, port, onFault });
    announce(output, { url: `${server.url}/v1`, policies, json: request.json });
    if (!signal.aborted) await once(signal, 'abort');
    await server.close(AbortSignal.timeout(graceMilliseconds));
    return 0;
  });
}

async function policiesOf({ student, planner, env, plannerErrors }: ServePolicyRequest): Promise<ServedPolicy[]> {
  if (planner !== true && env !== undefined)
    throw invalidOption(
      '--env names environments for the planner, which is not served.',
      'Add --planner, or leave it out.',
    );
  const policies: ServedPolicy[] = [];
  if (student !== undefined) policies.push(await serveStudent(student));
  if (planner === true) {
    const environments = env ?? builtIn.map(({ id }) => id);
    policies.push(await servePlanner({ environments, errors: plannerErrors, host: createSystemHost() }));
  }
  if (policies.length > 0) return policies;
  throw invalidOption(
    'Nothing says what is to be served.',
    'Expected --student <file>, --student small, --student untrained or --planner.',
  );
}

interface Announcement {
  readonly url: string;
  readonly policies: readonly ServedPolicy[];
  readonly json: boolean | undefined;
}

function announce({ paint, line, json: print }: Output, { url, policies, json }: Announcement): void {
  const models = policies.map(({ id }) => id);
  if (json === true) return print({ url, models });
  line(`Serving ${models.join(' and ')} at ${paint.bold(url)}`);
  const teacher = models.includes('planner') ? `espalier:planner@${url}` : 'planner';
  const student = models.includes('student') ? `espalier:student@${url}` : 'untrained';
  line(paint.dim(`Try: espalier collect --student ${student} --teacher ${teacher} --out runs/served`));
  line(paint.dim('Ctrl+C stops it.'));
}
