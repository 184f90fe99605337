/** A part of a patch that can be applied by itself. */
export interface Hunk {
  readonly path: string;
  /** The lines that name the file, and how it is changed. */
  readonly head: string;
  /** From `@@` on; empty where a file comes, goes or is changed as a whole. */
  readonly body: string;
}

/** The parts of a patch: one for each hunk, or for each file that comes or goes. */
export function readPatch(patch: string): Hunk[] {
  return patch.split(/^(?=diff --git )/m).flatMap((file): Hunk[] => {
    const path =
      /^\+\+\+ b\/(.+?)\t?$/m.exec(file)?.[1] ??
      /^--- a\/(.+?)\t?$/m.exec(file)?.[1] ??
      /^diff --git a\/(.+) b\//.exec(file)?.[1];
    if (path === undefined) return [];
    const [head = '', ...bodies] = file.split(/^(?=@@ )/m);
    if (bodies.length === 0 || /^(?:new file|deleted file|old mode)/m.test(head))
      return [{ path, head: file, body: '' }];
    return bodies.map(body => ({ path, head, body }));
  });
}

function patchOf(hunks: readonly Hunk[]): string {
  const files = Map.groupBy(hunks, ({ head }) => head);
  return [...files].map(([head, all]) => `${head}${all.map(({ body }) => body).join('')}`).join('');
}

/** The command that applies a part: what an agent would type who knew it. */
export function applyCommand(hunk: Hunk): string {
  const patch = patchOf([hunk]);
  let word = 'END';
  while (patch.split('\n').includes(word)) word += '_';
  return `cd ~/project && git apply --recount --whitespace=nowarn <<'${word}'\n${patch}${word}`;
}

interface Flip {
  readonly from: RegExp;
  readonly to: string;
}

/** Small mistakes that somebody could make in a line. */
const flips: readonly Flip[] = [
  { from: /===/, to: '!==' },
  { from: /!==/, to: '===' },
  { from: /(?<![=!<>])==(?!=)/, to: '!=' },
  { from: /!=(?!=)/, to: '==' },
  { from: /<=/, to: '<' },
  { from: />=/, to: '>' },
  { from: /(?<=\s)<(?=\s)/, to: '<=' },
  { from: /(?<=\s)>(?=\s)/, to: '>=' },
  { from: /&&/, to: '||' },
  { from: /\|\|/, to: '&&' },
  { from: /\band\b/, to: 'or' },
  { from: /\bor\b/, to: 'and' },
  { from: /\bnot /, to: '' },
  { from: /(?<=\s)\+(?=\s)/, to: '-' },
  { from: /(?<=\s)-(?=\s)/, to: '+' },
  { from: /(?<=\s)\*(?=\s)/, to: '+' },
  { from: /\btrue\b/, to: 'false' },
  { from: /\bfalse\b/, to: 'true' },
  { from: /\bTrue\b/, to: 'False' },
  { from: /\bFalse\b/, to: 'True' },
  { from: /\breturn [^;]+;/, to: 'return undefined;' },
  { from: /\breturn (?!None\b)[^;]+$/, to: 'return None' },
  { from: /(?<![\w.])0(?![\w.])/, to: '1' },
  { from: /(?<![\w.])1(?![\w.])/, to: '2' },
];

const comment = /^\+\s*(?:\/\/|\/?\*|#|$|'''|""")/;

/** Parts with one line of theirs spoiled, in the order of the lines. */
export function spoil(hunk: Hunk): Hunk[] {
  const whole = hunk.body === '';
  const lines = (whole ? hunk.head : hunk.body).split('\n');
  return lines.flatMap((line, at): Hunk[] => {
    if (!line.startsWith('+') || line.startsWith('+++') || comment.test(line)) return [];
    return flips.flatMap(({ from, to }): Hunk[] => {
      const spoilt = `+${line.slice(1).replace(from, to)}`;
      if (spoilt === line) return [];
      const text = lines.with(at, spoilt).join('\n');
      return [whole ? { ...hunk, head: text } : { ...hunk, body: text }];
    });
  });
}
