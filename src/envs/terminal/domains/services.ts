import type { Random } from '../../../core/random.ts';
import type { Check, TerminalTask } from '../world/definition.ts';
import { sentence, textCheck, word, words, type TerminalTemplate } from './template.ts';

export const serviceTemplates: readonly TerminalTemplate[] = [
  {
    id: 'services/mend-config',
    split: 'train',
    about: 'Mend the configuration of a server.',
    needs: ['perl'],
    draw: mendConfig,
  },
  {
    id: 'services/start-script',
    split: 'train',
    about: 'Write the script that starts a server.',
    needs: ['perl'],
    draw: startScript,
  },
  { id: 'services/routes', split: 'test', about: 'Give a server the right routes.', needs: ['perl'], draw: routes },
];

/** A small server: reads `key value` lines of a file, and answers each connection with what a route names. */
const server = `#!/usr/bin/perl
# usage: server.pl CONFIG   keys: port N, greeting TEXT, route NAME FILE
use strict; use warnings; use Socket;
my (%set, %route);
open(my $in, '<', $ARGV[0] // 'server.conf') or die "no configuration\\n";
while (<$in>) {
  chomp; next if /^\\s*(#|$)/;
  if (/^route (\\S+) (\\S+)$/) { $route{$1} = $2 } elsif (/^(port|greeting) (.+)$/) { $set{$1} = $2 } else { die "line $.: cannot read: $_\\n" }
}
defined $set{$_} or die "$_ is missing\\n" for 'port', 'greeting';
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die; setsockopt($socket, SOL_SOCKET, SO_REUSEADDR, 1);
bind($socket, sockaddr_in($set{port}, INADDR_LOOPBACK)) or die "bind: $!\\n"; listen($socket, 5);
while (accept(my $client, $socket)) {
  my $asked = <$client> // ''; $asked =~ s/\\s+$//;
  my $text = $set{greeting};
  if ($asked ne '') { if (defined $route{$asked} && open(my $file, '<', $route{$asked})) { local $/; $text = <$file> } else { $text = "unknown: $asked" } }
  $text =~ s/\\s+$//; print $client "$text\\n"; close($client);
}
`;

/** Asks until the server listens. It gives up when the process that it is told of has ended, or when something listens elsewhere. */
const client = `#!/usr/bin/perl
# usage: ask.pl PORT [NAME [PID OF THE SERVER]]
use strict; use warnings; use Socket;
my ($port, $name, $server) = (@ARGV, '', '')[0 .. 2];
sub text_of { open(my $in, '<', $_[0]) or return ''; local $/; return <$in> // '' }
sub asked {
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or die;
  connect($socket, sockaddr_in($port, INADDR_LOOPBACK)) or return 0;
  select($socket); $| = 1; select(STDOUT);
  print {$socket} "$name\\n"; print <$socket>; exit(0);
}
for my $try (1 .. ($server eq '' ? 40 : 600)) {
  asked();
  if (text_of('/proc/net/tcp') =~ / 0A /) { asked(); last }
  last if $server ne '' && text_of("/proc/$server/stat") !~ /[)] [^Z]/;
  select(undef, undef, undef, 0.02);
}
print "no answer\\n"; exit(1);
`;

const programs = [
  { path: 'server.pl', content: server, mode: 0o755 },
  { path: 'ask.pl', content: client, mode: 0o755 },
];

function asks(id: string, { command, output }: { readonly command: string; readonly output: string }): Check {
  return { id, name: `the server answers ${id}`, kind: 'run', command, output };
}

function mendConfig(random: Random): TerminalTask {
  const [port, wrong] = [random.between(2000, 3999), random.between(4000, 5999)];
  const [name, other] = words(random, 2) as [string, string];
  const [text, greeting] = [sentence(random), sentence(random)];
  const broken = `# the server of ${name}\nport ${wrong}\ngreeting: ${greeting}\nroute ${name} pages/${other}.txt\n`;
  const start = './server.pl server.conf > /dev/null 2>&1 & s=$!;';
  const oracle = [
    `sed -i 's/^port .*/port ${port}/' server.conf`,
    "sed -i 's/^greeting: /greeting /' server.conf",
    `sed -i 's|pages/${other}.txt|pages/${name}.txt|' server.conf`,
  ];
  return {
    instruction: `server.pl is a server that reads server.conf, and ask.pl asks it (./ask.pl PORT NAME). Mend server.conf: the server must listen on port ${port}, keep its greeting, and answer ${name} with the text of pages/${name}.txt. Processes end with the command that starts them: start the server and ask it in one command to try.`,
    files: [
      ...programs,
      { path: 'server.conf', content: broken },
      { path: `pages/${name}.txt`, content: `${text}\n` },
      { path: `pages/${other}.txt`, content: `${sentence(random)}\n` },
    ],
    checks: [
      asks('a greeting', { command: `${start} ./ask.pl ${port} '' $s`, output: greeting }),
      asks('a name', { command: `${start} ./ask.pl ${port} ${name} $s`, output: text }),
    ],
    allow: ['server.conf'],
    oracle,
    mutants: [
      oracle.map(line => line.replace(`port ${port}`, `port ${port + 1}`)),
      [...oracle, `cp pages/${other}.txt pages/${name}.txt`],
      [...oracle, "sed -i 's/^greeting .*/greeting hello/' server.conf"],
    ],
  };
}

function startScript(random: Random): TerminalTask {
  const port = random.between(2000, 5999);
  const [name] = words(random, 1) as [string];
  const [text, greeting] = [sentence(random), sentence(random)];
  const write = (config: string): string => `printf '${config}' > ${name}.conf`;
  const config = `port ${port}\\ngreeting ${greeting}\\nroute ${name} ${name}.txt\\n`;
  const script = `printf '#!/bin/sh\\ncd "$(dirname "$0")"\\nexec ./server.pl ${name}.conf\\n' > start.sh`;
  return {
    instruction: `Write ${name}.conf for server.pl (see its first lines): port ${port}, the greeting "${greeting}", and the route ${name} to the file ${name}.txt. Then write start.sh, a program that starts the server with it in the foreground, whatever the working folder is. ./ask.pl PORT NAME asks the server; processes end with the command that starts them.`,
    files: [...programs, { path: `${name}.txt`, content: `${text}\n` }],
    checks: [
      asks('a greeting', {
        command: `(cd / && exec ~/start.sh) > /dev/null 2>&1 & ./ask.pl ${port} '' $!`,
        output: greeting,
      }),
      asks('a name', {
        command: `(cd / && exec ~/start.sh) > /dev/null 2>&1 & ./ask.pl ${port} ${name} $!`,
        output: text,
      }),
    ],
    allow: [`${name}.conf`, 'start.sh'],
    oracle: [write(config), script, 'chmod +x start.sh'],
    mutants: [
      [write(config), script.replace('cd "$(dirname "$0")"', 'true'), 'chmod +x start.sh'],
      [write(config.replace(`route ${name} `, `route x${name} `)), script, 'chmod +x start.sh'],
      [write(config.replace(String(port), String(port + 1))), script, 'chmod +x start.sh'],
    ],
  };
}

function routes(random: Random): TerminalTask {
  const port = random.between(2000, 5999);
  const pages = words(random, random.between(3, 4)).map(name => ({
    name,
    text: sentence(random),
    draft: random.chance(0.4),
  }));
  const [first, ...rest] = pages as [(typeof pages)[number], ...typeof pages];
  const all = [
    { ...first, draft: false },
    ...rest,
    { name: word(random).concat('x'), text: sentence(random), draft: true },
  ];
  const path = ({ name, draft }: { name: string; draft: boolean }): string =>
    `pages/${name}.${draft ? 'draft' : 'page'}`;
  const start = './server.pl server.conf > /dev/null 2>&1 & s=$!;';
  const add = 'for f in pages/*.page; do n=$(basename "$f" .page); echo "route $n $f"; done >> server.conf';
  return {
    instruction: `Add a route to server.conf for every file of pages that ends in .page, by its name without the ending, and no route for drafts. Then let the server listen on port ${port}. server.pl tells the format; ./ask.pl PORT NAME asks. Processes end with the command that starts them.`,
    files: [
      ...programs,
      { path: 'server.conf', content: `port 1999\ngreeting ${sentence(random)}\n` },
      ...all.map(page => ({ path: path(page), content: `${page.text}\n` })),
    ],
    checks: all
      .map(page =>
        asks(page.name, {
          command: `${start} ./ask.pl ${port} ${page.name} $s`,
          output: page.draft ? `unknown: ${page.name}` : page.text,
        }),
      )
      .concat([textCheck(path(first.draft ? { ...first, draft: false } : first), `${first.text}\n`)]),
    allow: ['server.conf'],
    oracle: [add, `sed -i 's/^port .*/port ${port}/' server.conf`],
    mutants: [
      [add.replaceAll('.page', '.*'), `sed -i 's/^port .*/port ${port}/' server.conf`],
      [add.replace('>> server.conf', '> server.conf'), `sed -i 's/^port .*/port ${port}/' server.conf`],
      [add, `sed -i 's/^port .*/port ${port + 1}/' server.conf`],
    ],
  };
}
