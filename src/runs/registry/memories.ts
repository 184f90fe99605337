import { createRegistry } from '../../core/naming/registry.ts';
import { exemplars } from '../../memory/writers/exemplars.ts';
import { guardrails } from '../../memory/writers/guardrails.ts';
import { mistakes } from '../../memory/writers/mistakes.ts';
import { reasoningBank } from '../../memory/writers/reasoning-bank.ts';
import { skills } from '../../memory/writers/skills.ts';
import type { MemoryWriter } from '../../memory/writers/writer.ts';

export const memories = createRegistry<MemoryWriter>({
  noun: 'memory',
  plural: 'memories',
  about: 'What is kept of episodes for later ones: espalier remember --memory.',
  entries: [reasoningBank, exemplars, mistakes, skills, guardrails],
});
