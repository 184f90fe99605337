import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../system/clock.ts';
import { asksModels, openAgents } from '../jobs/agents.ts';
import { readConfig, type ConfigDraft } from '../config/config.ts';
import { studentNamed, teacherNamed } from '../config/named-agents.ts';
import { students } from './students.ts';
import { teachers } from './teachers.ts';

const person = { ask: () => Promise.resolve(''), say: () => undefined, readAction: () => ({ expected: 'nothing' }) };

function open(agents: Partial<ConfigDraft>) {
  const config = readConfig({ run: 'one', environments: ['mail'], ...agents }, 'test');
  const connect = () => Promise.reject(new Error('connected'));
  return openAgents(config, { clock: createSystemClock(), human: person, connect });
}

describe('registries of agents', () => {
  it('[CLI-7] every entry has the name that configs know it by', () => {
    for (const { name, config } of [...students.entries, ...teachers.entries])
      expect(config.shape.kind.value).toBe(name);
  });

  it('[CLI-7] students and teachers are made by their entries', async () => {
    for (const name of ['untrained', 'random', 'planner']) {
      const { student } = await open({ student: studentNamed(name) as ConfigDraft['student'] });
      expect(student(null).name).toBe(name);
    }
    for (const name of ['planner', 'human']) {
      const { teacher } = await open({ teacher: teacherNamed(name) as ConfigDraft['teacher'] });
      expect(teacher?.(null).name).toBe(name);
    }
    const alone = await open({ strategy: { kind: 'linear' }, teacher: teacherNamed('none') as ConfigDraft['teacher'] });
    expect(alone.teacher).toBeNull();
    const model = 'openai:one@http://127.0.0.1:9/v1';
    await expect(open({ student: studentNamed(model) as ConfigDraft['student'] })).rejects.toThrow('connected');
    await expect(open({ teacher: teacherNamed(model) as ConfigDraft['teacher'] })).rejects.toThrow('connected');
  });

  it('[TEAM-9] a team or a memory with a model in it is asked where models are', () => {
    const model = 'openai:one@http://127.0.0.1:9/v1';
    expect(asksModels(studentNamed(model))).toBe(true);
    expect(asksModels(studentNamed(`team:Ann=random,Bob=${model}`))).toBe(true);
    expect(asksModels(studentNamed(`remembering:memory.json,${model}`))).toBe(true);
    for (const name of ['random', 'team:Ann=random,Bob=planner', 'remembering:memory.json,small', './policy.ts'])
      expect(asksModels(studentNamed(name))).toBe(false);
  });

  it('[CLI-7] a text names the entry that reads it, a module, or a file', () => {
    expect(studentNamed('random')).toEqual({ kind: 'random' });
    expect(studentNamed('openai:one@http://127.0.0.1:9/v1')).toMatchObject({ kind: 'model', model: 'openai:one' });
    expect(studentNamed('/runs/student.json')).toEqual({ kind: 'learned', file: '/runs/student.json' });
    expect(studentNamed('/mine.ts')).toEqual({ kind: 'module', file: '/mine.ts' });
    expect(teacherNamed('/mine.ts')).toEqual({ kind: 'module', file: '/mine.ts' });
    expect(() => teacherNamed('plannr')).toThrow('There is no teacher "plannr". Did you mean "planner"?');
  });
});
