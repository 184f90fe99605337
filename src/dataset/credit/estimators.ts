import { createRegistry } from '../../core/naming/registry.ts';
import type { Estimator } from './contract.ts';
import { gigpo, gigpoPaper } from './group/gigpo.ts';
import { drGrpo, grpo } from './group/grpo.ts';
import { hgpo } from './group/hgpo.ts';
import { lightsearcher } from './group/lightsearcher.ts';
import { mcGrpo, mcGrpoPublic } from './group/mc-grpo.ts';
import { mobilegym } from './group/mobilegym.ts';
import { spa, spaPublic } from './group/spa.ts';
import { srpo } from './group/srpo.ts';
import { uiS1 } from './group/ui-s1.ts';
import { xrpo } from './group/xrpo.ts';
import { dart } from './masked/dart.ts';
import { echoEnv } from './masked/echo-env.ts';
import { habc } from './masked/habc.ts';
import { r3l } from './masked/r3l.ts';
import { mGrpo } from './roles/m-grpo.ts';
import { arise, sageRl } from './group/skill-rewards.ts';
import { skillR1 } from './roles/skill-r1.ts';
import { unitymasO } from './roles/unitymas-o.ts';
import { lgr } from './tree/lgr.ts';
import { portool, portoolFork } from './tree/portool.ts';

/** The estimators of advantages that can be chosen by name. */
export const estimators = createRegistry<Estimator>({
  noun: 'estimator',
  plural: 'estimators',
  about: 'How much each step was worth beside other tries: `espalier export --advantage`.',
  module: { member: 'estimator', powers: ['name', 'estimate'] },
  entries: [
    grpo,
    drGrpo,
    gigpo,
    gigpoPaper,
    hgpo,
    mcGrpo,
    mcGrpoPublic,
    portool,
    portoolFork,
    lgr,
    spa,
    spaPublic,
    r3l,
    habc,
    dart,
    xrpo,
    uiS1,
    echoEnv,
    mobilegym,
    lightsearcher,
    srpo,
    mGrpo,
    unitymasO,
    skillR1,
    arise,
    sageRl,
  ],
});
