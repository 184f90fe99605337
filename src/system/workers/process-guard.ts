import { syncBuiltinESMExports } from 'node:module';

/** Ends this program, whatever was put in the place of `process.exit` since. */
export const endProcess: (code: number) => never = process.exit.bind(process);

/**
 * Lets no code of others end this program by mistake: what would do it throws instead, so that it is told as an error of whoever
 * called. Other processes can be killed as before. A worker thread may exit: that ends the thread alone.
 */
export function guardProcess({ isWorker }: { readonly isWorker: boolean }): void {
  const { kill } = process;
  if (!isWorker) {
    replace('exit', () => refuse('process.exit'));
    replace('abort', () => refuse('process.abort'));
  }
  replace('kill', (pid: number, signal?: string | number) => {
    // 0 and negative numbers are groups of processes: ours may be one of them.
    if (signal !== 0 && (pid === process.pid || pid <= 0)) refuse('process.kill of its own process');
    return kill.call(process, pid, signal);
  });
  syncBuiltinESMExports();
}

function replace(name: 'exit' | 'abort' | 'kill', value: (...given: never[]) => unknown): void {
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
}

function refuse(what: string): never {
  throw new Error(`${what} was called, which would end the whole run`);
}
