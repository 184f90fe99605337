import { createRegistry } from '../../core/naming/registry.ts';
import { mistakeNotebook } from '../../memory/practised/mistake-notebook.ts';
import { mocha } from '../../memory/practised/mocha.ts';
import { selfGenIce } from '../../memory/practised/self-gen-ice.ts';
import { skillOpt } from '../../memory/practised/skill-opt.ts';
import { arise } from '../../memory/writers/arise.ts';
import { at2qa } from '../../memory/writers/at2qa.ts';
import { continualHarness } from '../../memory/writers/continual-harness.ts';
import { dreamGym } from '../../memory/writers/dream-gym.ts';
import { dynasaur } from '../../memory/writers/dynasaur.ts';
import { echoTrail } from '../../memory/writers/echo-trail.ts';
import { matts } from '../../memory/writers/matts.ts';
import { memCoder } from '../../memory/writers/mem-coder.ts';
import { reasoningBank } from '../../memory/writers/reasoning-bank.ts';
import { reconAct } from '../../memory/writers/recon-act.ts';
import { spark } from '../../memory/writers/spark.ts';
import { steveEvolving } from '../../memory/writers/steve-evolving.ts';
import { trad } from '../../memory/writers/trad.ts';
import { webXSkill } from '../../memory/writers/web-x-skill.ts';
import type { MemoryMethod } from '../../memory/writers/writer.ts';

const notes = [reasoningBank, matts, spark, mistakeNotebook, continualHarness];
const examples = [trad, selfGenIce, echoTrail, at2qa, memCoder];
const skills = [webXSkill, arise, dynasaur, steveEvolving, reconAct, skillOpt, mocha];

export const memories = createRegistry<MemoryMethod>({
  noun: 'memory',
  plural: 'memories',
  about: 'What is kept of episodes for later ones: espalier remember --memory.',
  module: { member: 'memory', powers: ['name', 'write'] },
  entries: [...notes, ...examples, ...skills, dreamGym],
});
