import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { isStateSession, type Environment, type Plan } from '../../core/contracts.ts';
import { causeText, DivergenceError } from '../../core/errors.ts';
import { openEnvironment } from '../../runs/environments/open-environment.ts';
import { planServed, type PlanRequest } from '../../serve/assembly/served-planner.ts';
import { createSystemClock } from '../clock.ts';
import { createSystemHost } from '../workers/host.ts';
import { guardProcess } from '../workers/process-guard.ts';
import type { PlanMessage, PlanReply } from './plan-thread.ts';

type PlanWork = (request: PlanRequest) => Promise<Plan>;

/** Opens environments by name when they are needed, takes the path again and plans from there. */
function createPlanWork(names: readonly string[]): PlanWork {
  const host = createSystemHost({ workers: 0 });
  const plan = planServed(createSystemClock());
  const open = Promise.all(names.map(name => openEnvironment(name, { host })));
  const find = async (id: string): Promise<Environment> => {
    const found = (await open).find(environment => environment.id === id);
    if (found === undefined) throw new Error(`There is no environment "${id}" to plan in.`);
    return found;
  };
  return async ({ task, actions, digest }) => {
    const session = await (await find(task.environment)).open(task);
    try {
      if (!isStateSession(session)) throw new Error(`The world of ${task.id} shows no state.`);
      for (const action of actions) session.step(action);
      if (session.digest() !== digest) throw new DivergenceError(actions.length, digest, session.digest());
      return plan(session);
    } finally {
      await session.close();
    }
  };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  guardProcess({ isWorker: true });
  const work = createPlanWork(workerData as readonly string[]);
  port.on('message', ({ id, ...request }: PlanMessage) => {
    const reply = (message: PlanReply): void => port.postMessage(message);
    work(request).then(
      plan => reply({ id, plan }),
      (cause: unknown) => reply({ id, error: causeText(cause) }),
    );
  });
}
