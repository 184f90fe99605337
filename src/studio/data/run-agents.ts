import type { Policy, Teacher } from '../../core/episode/agents.ts';
import type { Phase } from '../../core/episode/events.ts';
import { EspalierError } from '../../core/errors.ts';
import type { AgentRole } from '../api/api.ts';
import type { AgentSetting } from '../../runs/agents/agent-entry.ts';
import { openStudent, openTeacher } from '../../runs/jobs/agents.ts';
import type { RunConfig } from '../../runs/config/config.ts';
import { findConfig } from '../../runs/folder/folder.ts';
import type { Host } from '../../runs/host/host.ts';
import { connectTo } from '../../runs/models/connect.ts';
import { createModels, type Models } from '../../runs/models/open-models.ts';

/** The student and the teacher of a run, to ask them for advice. */
export interface RunAgents {
  /** Who can be asked about an episode of this phase. */
  offered(phase: Phase): readonly AgentRole[];
  student(): Promise<Policy>;
  teacher(): Promise<Teacher>;
  close(): void;
}

export function createRunAgents(folder: string, host: Host): RunAgents {
  const config = findConfig(folder);
  let models: Models | null = null;
  const settingOf = ({ spending }: RunConfig): AgentSetting => {
    models ??= createModels({
      spending,
      folder,
      clock: host.clock,
      timers: host.timers,
      readKey: host.variable,
      onNotice: host.onNotice,
      onStop: () => undefined,
    });
    const hurry = new AbortController().signal;
    return { clock: host.clock, onNotice: host.onNotice, connect: connectTo({ models, hurry }) };
  };
  // Each is opened alone: a student whose file is gone does not keep the teacher from answering.
  let student: ReturnType<typeof openStudent> | null = null;
  let teacher: ReturnType<typeof openTeacher> | null = null;
  return {
    offered: phase => (config === null || config.student.kind === 'object' ? [] : rolesIn(phase)),
    async student() {
      if (config === null || config.student.kind === 'object') throw noConfig(folder);
      student ??= openStudent(config.student, settingOf(config));
      return (await student).make(null);
    },
    async teacher() {
      if (config === null) throw noConfig(folder);
      teacher ??= openTeacher(teacherOf(config), settingOf(config));
      const make = await teacher;
      if (make === null) throw noConfig(folder);
      return make(null);
    },
    close: () => models?.close(),
  };
}

/** The student of an evaluation is another one than that of the config. */
function rolesIn(phase: Phase): readonly AgentRole[] {
  return phase === 'collect' ? ['student', 'teacher'] : ['teacher'];
}

/** The planner where the run had nobody, or a person. */
function teacherOf({ teacher }: RunConfig): RunConfig['teacher'] {
  const isAbsent = ['none', 'human', 'studio', 'object'].includes(teacher.kind);
  return isAbsent ? { kind: 'planner', errors: 0, strict: false } : teacher;
}

function noConfig(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `${folder} does not say who its student and its teacher are.`,
    expected: 'Expected a run of espalier collect, which keeps its config.json.',
  });
}
