import { certifyRun as certifyIn, type CertifyRunOptions, type Replayed } from '../runs/certify.ts';
import { chooseEnvironments, hostOf, type EnvironmentChoice, type RunOptions } from './parts.ts';

export interface CertifyOptions extends RunOptions, Pick<CertifyRunOptions, 'all' | 'onCertificate'> {
  /** Those that the run names when left out. */
  readonly environments?: readonly EnvironmentChoice[] | undefined;
  /** Replays at once; 4 when left out. */
  readonly concurrency?: number | undefined;
}

/** Replays what passed in a run and is not certified yet, each path in a fresh session. */
export async function certifyRun(options: CertifyOptions): Promise<Replayed> {
  const { environments = [], concurrency = 4, host, ...rest } = options;
  const chosen = chooseEnvironments(environments);
  return certifyIn({
    ...rest,
    environments: chosen.names,
    given: { environments: chosen.environments },
    concurrency,
    host: hostOf(host),
  });
}
