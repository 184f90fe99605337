import { createRegistry } from '../../core/naming/registry.ts';
import type { StudentEntry } from '../agents/agent-entry.ts';
import { gullible } from '../agents/students/gullible.ts';
import { learned } from '../agents/students/learned.ts';
import { model } from '../agents/students/model.ts';
import { noisyOracle } from '../agents/students/noisy-oracle.ts';
import { oracle } from '../agents/students/oracle.ts';
import { planner } from '../agents/students/planner.ts';
import { programs } from '../agents/students/programs.ts';
import { random } from '../agents/students/random.ts';
import { remembering } from '../agents/students/remembering.ts';
import { search } from '../agents/students/search.ts';
import { small } from '../agents/students/small.ts';
import { steps } from '../agents/students/steps.ts';
import { team } from '../agents/students/team.ts';
import { untrained } from '../agents/students/untrained.ts';

/** The last one takes every text that names no other. */
export const studentEntries = [
  untrained,
  small,
  random,
  planner,
  oracle,
  search,
  noisyOracle,
  programs,
  team,
  gullible,
  model,
  remembering,
  steps,
  learned,
] as const;

export const students = createRegistry<StudentEntry>({
  noun: 'student',
  plural: 'students',
  about: 'Who acts: --student of collect and eval.',
  module: { member: 'policy', powers: ['name', 'act'] },
  entries: studentEntries,
});
