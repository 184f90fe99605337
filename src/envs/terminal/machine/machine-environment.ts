import type { Action } from '../../../core/action.ts';
import type { Environment } from '../../../core/contracts.ts';
import { createTerminalEnvironment, drawTask, type TerminalEnvironmentOptions } from '../environment.ts';
import { createMachineSession, type OpenMachine } from './machine-session.ts';
import type { TerminalTask } from '../world/definition.ts';
import { createMachineWorld, type MachineWorld } from './machine-world.ts';
import type { Machines } from './machines.ts';

export interface LiveEnvironmentOptions extends Pick<TerminalEnvironmentOptions, 'id' | 'templates'> {
  /** What worlds are made in, when the first task is opened. */
  host(): Promise<WorldHost>;
}

/** Where machines come from. */
export interface WorldHost {
  world(task: TerminalTask): Promise<MachineWorld>;
  close(): Promise<void>;
}

export interface MachineEnvironmentOptions extends Pick<LiveEnvironmentOptions, 'id' | 'templates'> {
  machines(): Promise<Machines>;
}

/** Terminal worlds that are virtual machines of this machine. */
export function createMachineEnvironment({ machines, ...options }: MachineEnvironmentOptions): Environment {
  return createLiveEnvironment({
    ...options,
    async host() {
      const made = await machines();
      return { world: task => createMachineWorld(made, task), close: () => made.close() };
    },
  });
}

/** Terminal worlds that are machines: what runs in them is forked and restored alive. */
export function createLiveEnvironment({ id, templates, host }: LiveEnvironmentOptions): Environment {
  const nowhere = (): never => {
    throw new Error('Machines have no sandboxes of this machine.');
  };
  const { lightForks: _light, ...light } = createTerminalEnvironment({ id, templates, sandboxes: nowhere });
  let made: Promise<WorldHost> | null = null;
  const opened = new Map<string, Promise<OpenMachine>>();
  return {
    ...light,
    async open(task) {
      const known = opened.get(task.seal) ?? openTask(task);
      opened.set(task.seal, known);
      const open = await known;
      return createMachineSession(open, open.world.start);
    },
    async close() {
      opened.clear();
      await (await made)?.close();
      made = null;
    },
  };
  async function openTask(task: Parameters<Environment['open']>[0]): Promise<OpenMachine> {
    const template = templates.find(each => each.id === task.template);
    if (template === undefined) throw new Error(`There is no template ${task.template}.`);
    const definition = drawTask(template, task.seed);
    const world = await (await (made ??= host())).world(definition);
    const commands = definition.oracle.map((command): Action => ({ kind: 'call', tool: 'run', input: { command } }));
    const finish: Action = {
      kind: 'finish',
      ...(definition.answer === undefined ? {} : { answer: definition.answer }),
    };
    return { task, definition, world, solution: [...commands, finish] };
  }
}
