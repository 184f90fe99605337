import { certifyRun as certifyIn, type CertifyRunOptions, type Replayed } from '../runs/certify/certify.ts';
import { chooseEnvironments, hostOf, type EnvironmentChoice, type RunOptions } from './parts.ts';

export interface CertifyOptions extends RunOptions, Pick<CertifyRunOptions, 'all' | 'onCertificate'> {
  /** Left out: the environments that the run names. */
  readonly environments?: readonly EnvironmentChoice[] | undefined;
  /** Replays at once; 4 when left out. */
  readonly concurrency?: number | undefined;
}

/** Replays episodes of a run that passed and are not certified yet, each in a fresh session. */
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
