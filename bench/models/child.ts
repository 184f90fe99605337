import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';

/** A program of ours beside this one, so that the two share no event loop. */
export interface Child<T> {
  readonly pid: number;
  /** The next thing that it says. */
  heard(): Promise<T>;
  close(): Promise<void>;
}

/** Starts a file of this folder with something to read in its arguments. */
export function startChild<T>(file: string, argument: object): Child<T> {
  // Written in TypeScript, or built from it: the neighbours are what this is.
  const path = join(import.meta.dirname, file + extname(import.meta.filename));
  const child = fork(path, [JSON.stringify(argument)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const said: T[] = [];
  const waiting: { resolve(said: T): void; reject(cause: Error): void }[] = [];
  let failure: Error | null = null;
  child.on('message', message => {
    const first = waiting.shift();
    if (first === undefined) said.push(message as T);
    else first.resolve(message as T);
  });
  const exited = once(child, 'exit').then(([code]) => {
    failure = new Error(`${file} ended with ${String(code)}.`);
    for (const { reject } of waiting.splice(0)) reject(failure);
  });
  return {
    pid: child.pid as number,
    heard: () =>
      new Promise((resolve, reject) => {
        if (said.length > 0) resolve(said.shift() as T);
        else if (failure === null) waiting.push({ resolve, reject });
        else reject(failure);
      }),
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** What the parent said to begin with; ends this program when the parent lets go of it. */
export function readArgument<T>(): T {
  process.on('disconnect', () => process.exit(0));
  return JSON.parse(process.argv[2] as string) as T;
}

export function tellParent(message: object): void {
  process.send?.(message);
}
