import type { Timers } from '../../../../core/clock.ts';
import type { Environment } from '../../../../core/contracts.ts';
import type { Incident } from '../../browser/incident-log.ts';
import { createSiteEnvironment, type BrowserOptions } from '../../sessions/site-environment.ts';
import type { Site } from '../../sessions/site.ts';
import { openTab } from '../../tab/tab.ts';
import { createStateVerifier, runControls, type ControlsReport } from './controls.ts';
import { createWaiFiles, type WaiFiles } from './files.ts';
import { readWaiFolder, type WaiTask } from './folder.ts';
import { createVerifierPool, type VerifierPool } from '../../../python/pool.ts';
import { withoutSandbox, type SandboxRule } from '../../../python/sandbox.ts';
import { readScriptPolicy, type ScriptPolicy } from './script-policy.ts';
import { createWaiServer, type WaiServer } from './server.ts';
import { createWaiVerdict } from './verdict.ts';
import { createWriteGuard, type WriteGuard } from './write-guard.ts';

export interface WaiOptions extends BrowserOptions {
  readonly folder: string;
  readonly timers: Timers;
  /** A certain Python; else the first that has `requests`. */
  readonly python?: string | undefined;
  /** Whether verifiers may run without a sandbox: `prefer` (unless told) runs them all the same, and says so. */
  readonly sandbox?: SandboxRule | undefined;
}

/** The tasks of a WebArena-Infinity app folder, which is used as it is. */
export interface WaiEnvironment extends Environment {
  /** Tasks of the folder that cannot be used, each with the reason. */
  readonly leftOut: readonly string[];
  /** Why its verifiers run without a sandbox; null when they have one. */
  missingSandbox(): Promise<string | null>;
  /** Asks the verifiers of these templates of the untouched app. */
  controls(templates: readonly string[]): Promise<ControlsReport>;
}

/** Monday morning: what dates in a page are counted from. */
const start = Date.UTC(2026, 1, 2, 9);
const steps = 30;
const workers = 2;
const deadlineMilliseconds = 20_000;
const loadMilliseconds = 1000;

export async function createWaiEnvironment(options: WaiOptions): Promise<WaiEnvironment> {
  const { timers, python, sandbox } = options;
  const folder = await readWaiFolder(options.folder);
  const files = createWaiFiles(folder.path);
  const policy = await readScriptPolicy(folder.path, files);
  const chosen = { ...(python === undefined ? {} : { python }), ...(sandbox === undefined ? {} : { sandbox }) };
  const verifiers = createVerifierPool({ workers, timers, deadlineMilliseconds, ...chosen });
  const warning = createSandboxWarning(verifiers);
  const known = new Map(folder.tasks.map(task => [task.template, task]));
  const servers = new Set<WaiServer>();

  const environment = createSiteEnvironment(
    {
      id: folder.id,
      title: folder.title,
      tasks: folder.tasks.map(siteTask),
      startsAlike: true,
      async openSite({ seed }) {
        const server = await createWaiServer({ files, policy: policy.header });
        servers.add(server);
        const guard = createWriteGuard(server, policy);
        return {
          ...siteOf({ server, guard, seed }),
          judged: ({ text }) => text,
          incidents: () => [...warning.tell(), ...guard.incidents()],
          async close() {
            servers.delete(server);
            await server.close();
          },
          async verify(ending, _ask, { template }) {
            const task = known.get(template) as WaiTask;
            const request = { file: task.verifier, folder: folder.path, state: server.state() };
            const answer = await verifiers.verify(request);
            return createWaiVerdict({ task, answer, tampering: await guard.tampering(), ending });
          },
        };
      },
      // Sessions that were given up without being closed leave their servers behind.
      close: async () => void (await Promise.all([verifiers.close(), ...[...servers].map(server => server.close())])),
    },
    options,
  );
  const controlled = {
    seedState: () => seedState({ files, policy }, options),
    verify: createStateVerifier({ folder, pool: verifiers }),
  };
  return {
    ...environment,
    leftOut: folder.leftOut,
    missingSandbox: () => verifiers.missingSandbox(),
    controls: templates =>
      runControls({ ...controlled, tasks: templates.flatMap(template => known.get(template) ?? []) }, workers),
  };
}

/** Says once in a run that there is no sandbox, with the first step after that is known. */
function createSandboxWarning(verifiers: VerifierPool): { tell(): readonly Incident[] } {
  let news: Incident[] = [];
  let isAsked = false;
  return {
    tell() {
      if (!isAsked) {
        isAsked = true;
        // A Python that is missing is told by the first verdict.
        const note = (missing: string | null): void => {
          if (missing !== null) news = [{ kind: 'unsandboxed', detail: withoutSandbox(missing) }];
        };
        verifiers.missingSandbox().then(note, () => null);
      }
      return news.splice(0);
    },
  };
}

function siteTask({ template, instruction, difficulty, id }: WaiTask) {
  const about = difficulty === null ? id : `${id}, ${difficulty}`;
  return { template, about, steps, instruction: () => Promise.resolve(instruction) };
}

interface ServedApp {
  readonly server: WaiServer;
  readonly guard: WriteGuard;
  readonly seed: number;
}

function siteOf({ server, guard, seed }: ServedApp): Omit<Site, 'verify'> {
  return { url: `${server.url}/`, headers: {}, start, seed, ...guard, close: () => server.close() };
}

interface AppFiles {
  readonly files: WaiFiles;
  readonly policy: ScriptPolicy;
}

/** What the page pushes by itself, before anybody did anything. */
async function seedState({ files, policy }: AppFiles, { pool, viewport }: BrowserOptions): Promise<string> {
  const server = await createWaiServer({ files, policy: policy.header });
  try {
    const guard = createWriteGuard(server, policy);
    const tab = await openTab(await pool.open(viewport), siteOf({ server, guard, seed: 1 }));
    try {
      await tab.rest(loadMilliseconds);
      return server.state() ?? 'null';
    } finally {
      await tab.close();
    }
  } finally {
    await server.close();
  }
}
