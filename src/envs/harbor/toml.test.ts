import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseToml } from './toml.ts';

const documents = [
  '',
  '# only a comment',
  'a = 1\nb = "two" # three\n',
  'a.b.c = 1\na.b.d = 2\n"quoted key" = 3\n\'a.b\' = 4\n1234 = 5',
  '[a]\nb = 1\n[a.c]\nd = 2\n[e.f]\ng = 3\n[e]\nh = 4',
  '[[steps]]\nname = "one"\n[steps.agent]\ntimeout_sec = 1.5\n[[steps]]\nname = "two"\n[[steps.parts]]\nx = 1',
  'list = [1, 2,\n  3, # comment\n]\nnested = [[1], ["a", "b"]]\nempty = []',
  'table = { a = 1, "b c" = [true, false], d.e = "f" }\nnone = {}',
  'numbers = [0, +1, -17, 1_000, 0xDEAD_beef, 0o755, 0b1101, 1.5, -0.25, 6.02e23, 1e-3, 5E+2]',
  'far = [inf, -inf, +inf]',
  String.raw`text = "tab\t quote\" slash\\ e\u00e9 \U0001F600"`,
  "raw = 'C:\\path\\n'\nlong = '''\nfirst 'quoted' line\nsecond'''",
  'long = """\nfirst\nsecond \\\n   joined "quotes" ""two"" """',
  'crlf = 1\r\nnext = "a"\r\n[t]\r\nx = true\r\n',
  '__proto__ = 1\n[constructor]\nname = 2',
];

const wrong = [
  'a = ',
  'a = 1 b = 2',
  'a = 1\na = 2',
  '[a]\n[a]',
  '[a]\nb = 1\n[a.b]\nc = 1',
  'a = {b = 1}\n[a.c]\nd = 1',
  'a = [1]\n[[a]]\nb = 1',
  'a = "open',
  "a = 'open",
  'a = """open',
  'a = [1, 2',
  'a = {b = 1',
  'a = 01',
  'a = 1__0',
  'a = "\\x"',
  'a = "\\ud800"',
  '[a',
  'a',
  '= 1',
  'a = tru',
];

const reader = `
import json, math, sys, tomllib
def plain(value):
    if isinstance(value, float) and not math.isfinite(value): return repr(value)
    if isinstance(value, dict): return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list): return [plain(item) for item in value]
    return value
def read(text):
    try: return plain(tomllib.loads(text))
    except tomllib.TOMLDecodeError: return None
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`;

/** As Python's own reader reads them; null for what is no TOML. */
function readByPython(texts: readonly string[]): unknown[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', reader], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown[];
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'number' && !Number.isFinite(item) ? String(item).replace('Infinity', 'inf') : item,
    ),
  );
}

describe('TOML', () => {
  it('[HAR-4] is read as Python reads it', () => {
    expect(documents.map(text => plain(parseToml(text, 'task.toml')))).toEqual(readByPython(documents));
  });

  it('[HAR-4] is refused where Python refuses it, with the line', () => {
    expect(readByPython(wrong)).toEqual(wrong.map(() => null));
    for (const text of wrong)
      expect(() => parseToml(text, 'task.toml'), text).toThrow(/^task\.toml, line \d+: not TOML/);
  });

  it('[HAR-4] keeps dates as texts', () => {
    expect(plain(parseToml('day = 2026-01-02\nat = 2026-01-02T03:04:05Z\ntime = 03:04:05.5', 'x'))).toEqual({
      day: '2026-01-02',
      at: '2026-01-02T03:04:05.000Z',
      time: '03:04:05.500',
    });
  });
});
