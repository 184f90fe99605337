import { resolve } from 'node:path';
import type { StudentEntry, TeacherEntry } from '../agents/agent-entry.ts';
import type { Registry } from '../../core/naming/registry.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { strategies } from '../registry/strategies.ts';
import { students } from '../registry/students.ts';
import { teachers } from '../registry/teachers.ts';

/** The member `student` of a config that a name stands for: an entry of the registry, or a module. */
export function studentNamed(name: string): Readonly<Record<string, unknown>> {
  return agentNamed(students, name);
}

/** The member `teacher` of a config that a name stands for: an entry of the registry, or a module. */
export function teacherNamed(name: string): Readonly<Record<string, unknown>> {
  return agentNamed(teachers, name);
}

function agentNamed(
  registry: Registry<StudentEntry> | Registry<TeacherEntry>,
  name: string,
): Readonly<Record<string, unknown>> {
  for (const entry of registry.entries) {
    const config = entry.read(name);
    if (config !== null) return config;
  }
  return isModulePath(name) ? { kind: 'module', file: resolve(name) } : { kind: registry.need(name).name };
}

/** The strategy of a name as a member of a config, without defaults. */
export function strategyNamed(name: string): Record<string, unknown> {
  return isModulePath(name)
    ? { kind: 'module', file: resolve(name), options: {} }
    : { kind: strategies.need(name).name };
}
