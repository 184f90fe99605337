import { describe, expect, it } from 'vitest';
import { createScreen } from './screen.ts';

async function shown(printed: string): Promise<string> {
  const screen = createScreen({ rows: 24, columns: 80 });
  await screen.write(Buffer.from(printed));
  const text = screen.text();
  screen.close();
  return text;
}

describe('screens', () => {
  it.each(['L', 'M', 'S', 'T', '^', 'b', 'I', 'Z'])(
    '[TERM-11] do not repeat for hours what a program says with %s',
    async final => {
      expect(await shown(`x\u001B[2147483647${final}y`)).toBe('xy');
      expect(await shown(`\u001B[2;1Hx\u001B[1${final}y`)).toContain('y');
    },
  );

  it('[TERM-11] have at most some marks for a character, and no sizes, titles or files of a program', async () => {
    expect((await shown(`a${'\u0301'.repeat(5000)}b`)).length).toBeLessThan(1000);
    expect(await shown(`a\u001B[8;9;9t\u001B]0;title\u0007\u001B]52;c;eA==\u0007\u001B[?3h\u001BP+q\u001B\\b`)).toBe(
      'ab',
    );
  });

  it('[TERM-11] draw what a line and columns more or less leave', async () => {
    expect(await shown('one\r\ntwo\r\n\u001B[1;1H\u001B[1Lnew')).toBe('new\none\ntwo');
    expect(await shown('x\u001B[3b')).toBe('xxxx');
  });
});
