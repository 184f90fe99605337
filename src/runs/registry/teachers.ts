import { createRegistry } from '../../core/naming/registry.ts';
import type { TeacherEntry } from '../agents/agent-entry.ts';
import { human } from '../agents/teachers/human.ts';
import { model } from '../agents/teachers/model.ts';
import { none } from '../agents/teachers/none.ts';
import { oracle } from '../agents/teachers/oracle.ts';
import { planner } from '../agents/teachers/planner.ts';
import { search } from '../agents/teachers/search.ts';
import { studio } from '../agents/teachers/studio.ts';

export const teacherEntries = [planner, oracle, search, human, studio, none, model] as const;

export const teachers = createRegistry<TeacherEntry>({
  noun: 'teacher',
  plural: 'teachers',
  about: 'Who reviews and corrects: --teacher of collect.',
  module: { member: 'teacher', powers: ['name', 'review', 'correct'] },
  entries: teacherEntries,
});
