import type { Random } from '../../../core/random.ts';
import type { TerminalTask } from '../world/definition.ts';
import { lines, names, textCheck, words, type TerminalTemplate } from './template.ts';

/** Challenges with flags, after CTF-Dojo. Every way to the flag counts. */
export const challengeTemplates: readonly TerminalTemplate[] = [
  {
    id: 'ctf/encodings',
    split: 'train',
    about: 'Undo several encodings in the right order.',
    needs: ['perl'],
    draw: encodings,
  },
  { id: 'ctf/modes', split: 'train', about: 'Read a flag from the modes of files.', needs: ['perl'], draw: modes },
  { id: 'ctf/injection', split: 'train', about: 'Make a service say its secret.', needs: ['perl'], draw: injection },
  { id: 'ctf/key', split: 'train', about: 'Find a key from a known beginning.', needs: ['perl'], draw: repeatedKey },
  {
    id: 'ctf/forensics',
    split: 'test',
    about: 'Find the parts of a flag in an image of a disk.',
    needs: ['perl'],
    draw: forensics,
  },
];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function text(random: Random, length: number, from = letters): string {
  return Array.from({ length }, () => random.pick([...from])).join('');
}

function flagOf(random: Random): string {
  return `flag{${text(random, 16)}}`;
}

const ask = 'Write the flag, and nothing else, to the file flag.txt. Files of your own belong in the folder scratch.';

/** What all challenges have: the flag is looked for in one file. */
function challenge(flag: string, rest: Omit<TerminalTask, 'checks' | 'allow'>): TerminalTask {
  const { oracle, mutants } = rest;
  return {
    ...rest,
    instruction: `${rest.instruction} ${ask}`,
    checks: [textCheck('flag.txt', flag)],
    allow: ['flag.txt', 'scratch', 'scratch/**'],
    files: [...rest.files, { path: 'scratch' }],
    oracle,
    mutants: [...mutants, ["grep -rhao 'flag{[a-z0-9]*}' . | head -1 > flag.txt"]],
  };
}

interface Encoding {
  readonly name: string;
  encode(given: string): string;
  readonly undo: string;
}

const rotation = (given: string): string =>
  given.replace(/[a-z]/gi, letter => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(base + ((letter.charCodeAt(0) - base + 13) % 26));
  });

const codes: readonly Encoding[] = [
  { name: 'base64', encode: given => Buffer.from(given).toString('base64'), undo: 'base64 -d' },
  {
    name: 'hexadecimal digits',
    encode: given => Buffer.from(given).toString('hex'),
    undo: "perl -ne 's/([0-9a-f]{2})/chr hex $1/ge; print'",
  },
  { name: 'letters moved by 13', encode: rotation, undo: "tr 'A-Za-z' 'N-ZA-Mn-za-m'" },
  {
    name: 'backwards',
    encode: given => [...given].toReversed().join(''),
    undo: "perl -ne 'chomp; print scalar reverse'",
  },
];

/** A note names the encodings, but not their order. */
function encodings(random: Random): TerminalTask {
  const flag = flagOf(random);
  const [first, ...rest] = random.shuffle(codes) as [Encoding, ...Encoding[]];
  const used = [first, ...rest.slice(0, random.between(1, 2))];
  const [name = '', decoy = ''] = words(random, 2);
  const secret = used.reduce((given, { encode }) => encode(given), flag);
  const undone = used.toReversed();
  const file = (at: number): string => (at === 0 ? `${name}.txt` : `scratch/${at}`);
  const steps = undone.map(
    ({ undo }, at) => `${undo} < ${file(at)} > ${at === undone.length - 1 ? 'flag.txt' : file(at + 1)}`,
  );
  const listed = random.shuffle(used).map(each => each.name);
  return challenge(flag, {
    instruction: `The file ${name}.txt holds a flag such as flag{0a1b2c}. The file notes.txt names what was done to it, in no order.`,
    files: [
      { path: `${name}.txt`, content: secret },
      { path: 'notes.txt', content: lines(listed) },
      { path: `${decoy}.txt`, content: Buffer.from(flagOf(random)).toString('base64') },
    ],
    oracle: steps,
    mutants: [
      [`cp ${name}.txt flag.txt`],
      [`base64 -d < ${decoy}.txt > flag.txt`],
      [`${undone[0]?.undo} < ${name}.txt > flag.txt`],
    ],
  });
}

/** Six bits in the rights of others and of the group; files that their owner may not write are decoys. */
function modes(random: Random): TerminalTask {
  const flag = flagOf(random);
  const code = Buffer.from(flag).toString('base64').replaceAll('=', '');
  const bits = [...code].map(letter => alphabet.indexOf(letter));
  const width = String(bits.length).length + 1;
  const folder = random.pick(['vault', 'shelf', 'cellar']);
  let number = 0;
  const files = bits.flatMap(bit => {
    const own = { mode: 0o600 + bit };
    const decoys = random.chance(0.3) ? [{ mode: 0o400 + random.between(0, 63) }] : [];
    return [...decoys, own].map(({ mode }) => ({
      path: `${folder}/${String(number++).padStart(width, '0')}`,
      content: '',
      mode,
    }));
  });
  const decode = (list: string): string =>
    `perl -ne 'BEGIN { @a = ("A".."Z", "a".."z", 0..9, "+", "/") } /^.(..) / and print $a[oct $1]; END { print "=" x ${(4 - (code.length % 4)) % 4} }' ${list} | base64 -d > flag.txt`;
  return challenge(flag, {
    instruction: `Somebody hid a flag such as flag{0a1b2c} in the folder ${folder}: its files are empty. In the order of their names, the rights of the group and of others are two octal digits, together the number of a letter in base64. Files that their owner may not write are there to mislead.`,
    files: [{ path: folder }, ...files],
    oracle: [`stat -c '%a %n' ${folder}/* | grep '^6' > scratch/modes`, decode('scratch/modes')],
    mutants: [
      [`stat -c '%a %n' ${folder}/* | grep '^4' > scratch/modes`, decode('scratch/modes')],
      [`stat -c '%a %n' ${folder}/* | grep '^6' | sort -r > scratch/modes`, decode('scratch/modes')],
    ],
  });
}

/** A service on loopback that builds a command from what it is asked. Its secret is in its environment alone. */
function injection(random: Random): TerminalTask {
  const flag = flagOf(random);
  const port = random.between(2000, 5999);
  const users = names(random, 4);
  const seed = random.between(1000, 99_999);
  const [verb, quote] = [random.pick(['who', 'find', 'show', 'ask']), random.pick(["'", '"'])];
  const secret = `${text(random, 6, 'ABCDEFGHJKLMNPQRSTUVWXYZ')}_KEY`;
  const stream = keyStream(seed, flag.length);
  const hidden = [...flag].map((letter, at) =>
    (letter.charCodeAt(0) ^ (stream[at] ?? 0)).toString(16).padStart(2, '0'),
  );
  const service = `#!/usr/bin/perl
# usage: service.pl   answers "${verb} NAME" on port ${port}
use strict; use warnings; use Socket;
{ my $s = ${seed}; $ENV{${secret}} = join '', map { $s = ($s * 1103515245 + 12345) % 2147483648; chr(hex($_) ^ ($s >> 16 & 255)) } '${hidden.join('')}' =~ /../g; }
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die; setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
bind($socket, sockaddr_in(${port}, INADDR_LOOPBACK)) or die "bind: $!\\n"; listen($socket, 5);
while (accept(my $client, $socket)) {
  my $asked = <$client> // ''; $asked =~ s/\\s+$//;
  my $text = $asked =~ /^${verb} (.+)$/ ? \`grep -h ${quote}^$1:${quote} people.txt 2>&1\` : "unknown\\n";
  print $client $text; close($client);
}
`;
  const client = `#!/usr/bin/perl
# usage: ask.pl FILE   sends the first line of FILE to the service, and prints the answer
use strict; use warnings; use Socket;
open(my $in, '<', $ARGV[0]) or die "no file\\n"; my $line = <$in> // '';
for (1 .. 400) {
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or die;
  if (connect($socket, sockaddr_in(${port}, INADDR_LOOPBACK))) { select($socket); $| = 1; select(STDOUT); print {$socket} $line; print <$socket>; exit 0 }
  select(undef, undef, undef, 0.02);
}
exit 1;
`;
  const decoys = users.map(user => `${user}:${flagOf(random)}`);
  const start = './service.pl > /dev/null 2>&1 & ./ask.pl scratch/question > scratch/answer';
  const take = "grep -o 'flag{[a-z0-9]*}' scratch/answer > flag.txt";
  return challenge(flag, {
    instruction: `service.pl listens on port ${port} of this machine and answers "${verb} NAME" from people.txt; ask.pl sends it a line. It carries a flag such as flag{0a1b2c} in its variable ${secret}, which no answer shows. Get it. Flags in people.txt are not the one. Processes end with the command that starts them: start the service and ask it in one command.`,
    files: [
      { path: 'service.pl', content: service, mode: 0o755 },
      { path: 'ask.pl', content: client, mode: 0o755 },
      { path: 'people.txt', content: lines(decoys) },
    ],
    oracle: [
      `printf '%s\\n' ${quoted(`${verb} x${quote} /dev/null; printenv ${secret}; echo ${quote}`)} > scratch/question`,
      start,
      take,
    ],
    mutants: [
      [`echo '${verb} ${users[0]}' > scratch/question`, start, take],
      [`echo '${verb} $${secret}' > scratch/question`, start, take],
    ],
  });
}

/** As one word of a shell. */
function quoted(line: string): string {
  return `'${line.replaceAll("'", String.raw`'\''`)}'`;
}

function keyStream(seed: number, length: number): number[] {
  let state = BigInt(seed);
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return Number((state >> 16n) & 255n);
  });
}

/** Every flag begins alike: that is as much of the text as the key is long. */
function repeatedKey(random: Random): TerminalTask {
  const flag = flagOf(random);
  const key = text(random, 5);
  const [name = ''] = words(random, 1);
  const xor = (given: string, by: string): Buffer =>
    Buffer.from([...given].map((letter, at) => letter.charCodeAt(0) ^ by.charCodeAt(at % by.length)));
  const program = (pad: string, from: string): string =>
    `perl -e 'open F, "${name}.bin"; binmode F; local $/; $_ = <F>; $k = ${from}; print $_ ^ substr($k x 20, 0, length)' > ${pad}`;
  const key5 = `perl -e 'open F, "${name}.bin"; binmode F; read F, $_, 5; print $_ ^ "flag{"' > scratch/key`;
  return challenge(flag, {
    instruction: `The file ${name}.bin holds a flag such as flag{0a1b2c}. Each of its bytes was combined by exclusive or with a key of five letters or digits, again and again from its beginning.`,
    files: [{ path: `${name}.bin`, content: xor(flag, key) }],
    oracle: [key5, program('flag.txt', '`cat scratch/key`')],
    mutants: [
      [program('flag.txt', '"flag{"')],
      [
        `perl -e 'open F, "${name}.bin"; binmode F; read F, $_, 4; print $_ ^ "flag"' > scratch/key`,
        program('flag.txt', '`cat scratch/key`'),
      ],
    ],
  });
}

/** Parts lie among noise, in any order. A part whose sum of bytes does not fit was overwritten. */
function forensics(random: Random): TerminalTask {
  const flag = flagOf(random);
  const count = random.between(3, 5);
  const size = Math.ceil(flag.length / count);
  const sum = (given: string): number => [...given].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const record = (at: number, part: string, off = 0): Buffer =>
    Buffer.from(`<part ${at} of ${count} sum ${sum(part) + off} data ${part}>`);
  const parts = Array.from({ length: count }, (_, at) => flag.slice(at * size, (at + 1) * size));
  const right = parts.map((part, at) => record(at + 1, part));
  const wrong = parts.map((_, at) => record(at + 1, text(random, size), random.between(1, 9)));
  const noise = (): Buffer =>
    Buffer.from(Array.from({ length: random.between(200, 900) }, () => random.between(0, 255)));
  const image = Buffer.concat(random.shuffle([...right, ...wrong]).flatMap(each => [noise(), each]));
  const [name = ''] = words(random, 1);
  const find = `perl -0777 -ne 'print "$1 $2 $3\\n" while /<part (\\d+) of \\d+ sum (\\d+) data ([^>]*)>/g' ${name}.img > scratch/parts`;
  const join = (condition: string, order = 'sort -n'): string =>
    `${order} scratch/parts | perl -ane '$s = 0; $s += ord for split //, $F[2]; print $F[2] if ${condition}' > flag.txt`;
  return challenge(flag, {
    instruction: `${name}.img is the image of a disk. Among its bytes lie ${count} parts of a flag such as flag{0a1b2c}, in no order, as <part 1 of ${count} sum 345 data abc>: sum is that of the codes of the letters after data. Parts whose sum is not right were overwritten, and do not count.`,
    files: [{ path: `${name}.img`, content: image }],
    oracle: [find, join('$s == $F[1]')],
    mutants: [
      [find, join('$s != $F[1]')],
      [find, join('1')],
      [find, join('$s == $F[1]', 'sort -rn')],
    ],
  });
}
