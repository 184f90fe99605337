import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';

/** A program of this folder in a process of its own. */
export interface Child<T> {
  /** The next thing that it says. */
  heard(): Promise<T>;
  say(message: object): void;
  close(): Promise<void>;
  /** Without a chance to put anything in order. */
  kill(): Promise<void>;
}

export function startChild<T>(file: string, argument: object): Child<T> {
  const path = join(import.meta.dirname, file + extname(import.meta.filename));
  const child = fork(path, [JSON.stringify(argument)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  return {
    async heard() {
      const gone = exited.then(([code]) => {
        throw new Error(`${file} ended with ${String(code)}.`);
      });
      const [message] = (await Promise.race([once(child, 'message'), gone])) as [T];
      return message;
    },
    say: message => void child.send(message),
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
