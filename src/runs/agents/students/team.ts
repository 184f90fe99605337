import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Policy } from '../../../core/episode/agents.ts';
import { invalidOption } from '../../../core/errors.ts';
import { defineStudent, type OpenedAgent } from '../agent-entry.ts';

const prefix = 'team:';

/** `team:planner=./planner.json,executor=random`: a student for each role. */
export const team = defineStudent({
  name: 'team',
  usage: 'team:<role>=<student>,…',
  about: 'A student for each role of a team world.',
  config: z.strictObject({
    kind: z.literal('team'),
    members: z.record(
      z.string().min(1),
      z.strictObject({
        student: z.string().min(1),
        /** Of its file when the run began, where it is one. */
        sha256: z.string().nullable().default(null),
      }),
    ),
  }),
  read: text => (text.startsWith(prefix) ? { kind: 'team', members: membersIn(text) } : null),
  parts: ({ members }) => Object.values(members).map(({ student }) => student),
  settle({ kind, members }) {
    const settled = Object.entries(members).map(([role, { student, sha256: before }]) => {
      const sha256 = existsSync(student) ? hash('sha256', readFileSync(student)) : null;
      if (before !== null && before !== sha256)
        throw invalidOption(
          `The student ${student} of the role "${role}" is not the one that the run began with: its hash is ${sha256 ?? 'none'}.`,
          `Expected the hash ${before}: put that student back, or start another run or round with --student.`,
        );
      return [role, { student, sha256 }] as const;
    });
    return { kind, members: Object.fromEntries(settled) };
  },
  async open({ members }, setting) {
    const { createTeam } = await import('../../../agents/team.ts');
    const opened: [string, OpenedAgent<Policy>['make']][] = [];
    const names: string[] = [];
    for (const [role, { student }] of Object.entries(members)) {
      if (setting.student === undefined) throw new Error('A team is made of students that nobody opens here.');
      const { make, identity = student } = await setting.student(student);
      if (make(null).privileged === true && 'needs' in make(null))
        throw invalidOption(`The student ${student} searches: it cannot play a role.`, 'Expected another student.');
      opened.push([role, make]);
      names.push(`${role} ${identity}`);
    }
    return {
      identity: `team of ${names.join(' and ')}`,
      make: head => createTeam(new Map(opened.map(([role, make]) => [role, make(head)] as const))),
    };
  },
});

function membersIn(text: string): Readonly<Record<string, { readonly student: string }>> {
  const members = text
    .slice(prefix.length)
    .split(/,(?=[\w-]+=)/)
    .map(part => {
      const [, role, student] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
      if (role === undefined || student === undefined || student.startsWith(prefix))
        throw invalidOption(
          `"${part}" in the student "${text}" is no role with its student.`,
          'Expected team:<role>=<student>,<role>=<student>, such as team:planner=untrained,executor=random.',
        );
      return [role, { student: student.endsWith('.json') ? resolve(student) : student }] as const;
    });
  return Object.fromEntries(members);
}
