import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionFile, type SessionRecord } from './session-file.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-sessions-'));
  path = join(folder, 'sessions.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

function record(session: string, branch = 0): SessionRecord {
  return { session, episode: 'collect/0/mail/star-message/3/0', branch, environment: 'mail', name: null, end: null };
}

describe('the file of sessions', () => {
  it('[SRV-63] has a record after the next save, and not before', () => {
    const file = createSessionFile(path);
    file.add(record('one'));
    file.add(record('two', 1));
    expect(file.read().records).toEqual([]);
    file.save();
    expect(file.read()).toEqual({ records: [record('one'), record('two', 1)], cutOff: 0 });
    file.save();
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  });

  it('[SRV-66] leaves out a last line that was cut off, and says so', () => {
    const file = createSessionFile(path);
    file.replace([record('one')]);
    appendFileSync(path, '{"session":"s-cut');
    expect(file.read()).toEqual({ records: [record('one')], cutOff: 17 });
    file.replace([record('one')]);
    appendFileSync(path, '\0\0\0\n');
    expect(file.read()).toEqual({ records: [record('one')], cutOff: 4 });
  });

  it('[SRV-66] names the line that is damaged before others', () => {
    const file = createSessionFile(path);
    file.replace([record('one'), record('two'), record('three')]);
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [lines[0], lines[1]?.slice(0, 30), lines[2], ''].join('\n'));
    expect(() => file.read()).toThrow(`Line 2 of ${path} is not the record of a session.`);
  });

  it('[SRV-73] says that a newer version wrote a record, and leaves the file as it is', () => {
    const file = createSessionFile(path);
    const newer = `${JSON.stringify({ ...record('two'), lease: 5 })}\n`;
    for (const lines of [newer, newer + JSON.stringify(record('three')) + '\n']) {
      file.replace([record('one')]);
      appendFileSync(path, lines);
      const written = readFileSync(path, 'utf8');
      expect(() => file.read()).toThrow(
        `Line 2 of ${path} has members that this version does not know. A newer version of Espalier wrote it; use that one.`,
      );
      expect(readFileSync(path, 'utf8')).toBe(written);
    }
  });

  it('[SRV-66] has whole lines only, also after a write that failed half way', () => {
    let isFull = true;
    const file = createSessionFile(path, (opened, text) => {
      writeFileSync(opened, isFull ? text.slice(0, 30) : text);
      if (isFull) throw new Error('ENOSPC: no space left on device');
    });
    file.replace([record('one')]);
    file.add(record('two'));
    expect(() => file.save()).toThrow('ENOSPC');
    isFull = false;
    file.add(record('three'));
    file.save();
    expect(file.read()).toEqual({ records: [record('one'), record('two'), record('three')], cutOff: 0 });
  });
});
