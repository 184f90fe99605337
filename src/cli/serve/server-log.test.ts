import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createServerLog } from './server-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-server-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the log of a server', () => {
  it('[SRV-33] has a JSON line for each event', () => {
    const path = join(folder, 'new', 'server.jsonl');
    const log = createServerLog(path, message => expect.fail(message));
    log.write('incident', { kind: 'refused-key' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ event: 'incident', kind: 'refused-key' });
  });

  it('[SRV-37] tells once that it cannot be written, and goes on when it can again', () => {
    const told: string[] = [];
    const [asFolder, belowFile] = [join(folder, 'folder.jsonl'), join(folder, 'file', 'server.jsonl')];
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(asFolder);
    const logs = [asFolder, belowFile].map(path => createServerLog(path, message => told.push(message)));
    for (const log of [...logs, ...logs]) log.write('listening', {});
    expect(told).toEqual(
      [asFolder, belowFile].map(path => expect.stringContaining(`The log ${path} cannot be written`)),
    );
    rmSync(join(folder, 'file'));
    for (const log of logs) log.write('stopped', {});
    expect(readFileSync(belowFile, 'utf8')).toContain('"event":"stopped"');
    expect(told).toHaveLength(2);
  });
});
