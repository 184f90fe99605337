import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemTimers } from '../../../system/clock.ts';
import type { Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import { createBrowserPool } from './pool.ts';

const timers = createSystemTimers();
const folder = mkdtempSync(join(tmpdir(), 'launch-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** Profiles in a folder that nobody else puts any into. */
const profiles = (): number => readdirSync(folder).filter(name => name.startsWith('espalier-browser-')).length;

/** What is said when a page of this program is wanted. */
async function failure(path: string, given: Timers = timers): Promise<EspalierError> {
  const pool = createBrowserPool({ timers: given, path });
  const cause = await pool.open({ width: 800, height: 600 }).catch((thrown: unknown) => thrown);
  expect(pool.figures()).toMatchObject({ openPages: 0, processes: [] });
  await pool.close();
  if (cause instanceof EspalierError) return cause;
  throw new Error(`Nothing was refused: ${String(cause)}`);
}

describe('a program that is no browser', () => {
  it('[WEB-2] one that dies at once is named together with what it said', async () => {
    const path = program(
      'broken',
      '#!/bin/sh\necho "libnss3.so: cannot open shared object file" >&2\necho more >&2\nexit 127\n',
    );
    const { boundary, code, message } = await failure(path);
    expect([boundary, code]).toEqual(['environment', 'unavailable']);
    expect(message).toContain(`The browser ${path} does not start: libnss3.so: cannot open shared object file.`);
  });

  it('[WEB-2] one that the system cannot run is named', async () => {
    const path = program('pictures', '#!/no/such/interpreter\n');
    expect((await failure(path)).message).toContain(`The browser ${path} does not start: spawn ${path} ENOENT.`);
  });

  it('[WEB-2] one that speaks another language is named, and ended', async () => {
    const path = program('chatter', "#!/bin/sh\nprintf 'hello\\0' >&4\nexec sleep 1000\n");
    expect((await failure(path)).message).toContain(`The browser ${path} does not start: The browser went away`);
  });

  it('[WEB-2] one that closes its ears is named, and ended', async () => {
    const path = program('deaf', '#!/bin/sh\nexec 3<&- 4>&-\nexec sleep 1000\n');
    expect((await failure(path)).code).toBe('unavailable');
  });

  it('[WEB-2] one that says nothing is given up after its time, and ended', async () => {
    const path = program('silent', '#!/bin/sh\nsleep 1000 &\nwait\n');
    const waits: number[] = [];
    const hasty: Timers = {
      after(milliseconds, run) {
        waits.push(milliseconds);
        return timers.after(milliseconds === 20_000 ? 50 : milliseconds, run);
      },
    };
    expect((await failure(path, hasty)).message).toContain('does not start: no answer in 20000 ms.');
    expect(waits[0]).toBe(20_000);
  });

  it('[WEB-2] nothing is left behind by any of them', async () => {
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      for (const name of ['broken', 'pictures', 'chatter']) await failure(join(folder, name));
      expect(profiles()).toBe(0);
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    }
  });
});
