import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLayeredSandboxes, type LayeredOptions } from './layered-sandboxes.ts';
import {
  usualLimits,
  type Command,
  type Limits,
  type Pool,
  type Ran,
  type RunRequest,
  type Sandboxes,
} from './sandbox.ts';

const store = mkdtempSync(join(tmpdir(), 'espalier-store-'));
afterAll(() => rmSync(store, { recursive: true, force: true }));
const users: readonly (readonly [string, LayeredOptions])[] =
  getuid?.() === 0
    ? [
        ['root', {}],
        ['an ordinary user', { startAs: { uid: 65_534, gid: 65_534 } }],
        ['the root of an image', { store }],
      ]
    : [['an ordinary user', {}]];

const perl = (code: string): string => `perl -e '${code}'`;
/** A system call by its number on x64; prints what it gave. */
const call = (...given: readonly (number | string)[]): string =>
  perl(`my ($number, @given) = (${given.join(', ')}); print syscall($number, @given), "\\n"`);
const refused = /-1|not permitted|denied|Invalid argument|Read-only|No such|not found|cannot|failed|must be/i;

/** What is tried, and what must come of it. */
const attempts: readonly (readonly [name: string, command: string, contained: RegExp])[] = [
  ['mount a file system', 'mount -t tmpfs none /mnt 2>&1', refused],
  ['mount by a system call', call(165, '"none"', '"/mnt"', '"tmpfs"', 0, '""'), /^-1$/m],
  ['make a user namespace', 'unshare -Ur true 2>&1', refused],
  ['make a mount namespace', 'unshare -m true 2>&1', refused],
  ['unshare by a system call', call(272, 0x10000000), /^-1$/m],
  ['clone into a user namespace', call(56, 0x10000000 + 17, 0, 0, 0, 0), /^-1$/m],
  ['clone3', call(435, 0, 0), /^-1$/m],
  ['enter the namespaces of the first process', 'nsenter -t 1 -m true 2>&1', refused],
  ['change the root', call(161, '"/tmp"'), /^-1$/m],
  ['pivot the root', call(155, '"/tmp"', '"/tmp"'), /^-1$/m],
  ['unmount /proc', 'umount /proc 2>&1; umount -l /usr 2>&1', refused],
  ['remount /usr for writing', 'mount -o remount,rw /usr 2>&1', refused],
  ['write to /usr', 'cp /bin/true /usr/bin/escaped 2>&1; ls /usr/bin/escaped 2>&1', /No such file/],
  ['move /usr away', 'mv /usr /tmp/usr 2>&1; ls -d /usr', /\/usr/],
  ['set the core pattern', 'echo x > /proc/sys/kernel/core_pattern', /denied|Read-only/],
  ['press the magic key', 'echo c > /proc/sysrq-trigger', refused],
  ['read the memory of the kernel', 'head -c1 /proc/kcore 2>&1; head -c1 /dev/mem 2>&1', refused],
  ['read the log of the kernel', 'head -c1 /proc/kmsg 2>&1; head -c1 /dev/kmsg 2>&1', refused],
  ['make a block device', 'mknod disk b 254 0 2>&1; head -c1 disk 2>&1', refused],
  ['make a character device', 'mknod mem c 1 1 2>&1', refused],
  ['make a whiteout', 'mknod out c 0 0 2>&1', refused],
  ['trace the first process', call(101, 16, 1, 0, 0), /^-1$/m],
  ['read through the root of the first process', 'ls /proc/1/root/ 2>&1', refused],
  ['read the memory of the first process', 'head -c1 /proc/1/mem 2>&1; cat /proc/1/environ 2>&1', refused],
  ['open descriptors of the first process', 'ls /proc/1/fd/ 2>&1', refused],
  ['kill the first process', 'kill -9 1; sleep 0.05; echo still here', /still here/],
  ['see processes of the machine', 'ls /proc | grep -c "^[0-9]"', /^[3-6]$/m],
  ['reach the internet', '(exec 5<>/dev/tcp/1.1.1.1/53) 2>&1', /unreachable/],
  ['open a raw socket', perl('print socket(S, 2, 3, 1) ? "open" : "-1"'), /-1/],
  ['open a socket to the host of a virtual machine', perl('print socket(S, 40, 1, 0) ? "open" : "-1"'), /-1/],
  ['read the passwords', 'cat /etc/shadow /root/.ssh/id_rsa 2>&1', refused],
  ['link to a file of the system', 'ln /usr/bin/id id 2>&1', /cross-device|not permitted/],
  ['make a set-uid program', 'cp /usr/bin/id own; chmod u+s own; ./own -u', /^1000$/m],
  ['use a set-uid program', 'su -c id root < /dev/null 2>&1; id -u', /1000/],
  ['give a program capabilities', 'cp /usr/bin/id own; setcap cap_sys_admin+ep own 2>&1', refused],
  ['change the user', 'perl -e \'$> = 0; $< = 0; print "$>\\n"\'', /^1000$/m],
  ['load a BPF program', call(321, 5, 0, 0), /^-1$/m],
  ['watch events of the processor', call(298, 0, 0, -1, -1, 0), /^-1$/m],
  ['handle page faults', call(323, 0), /^-1$/m],
  ['use io_uring', call(425, 8, 0), /^-1$/m],
  ['keep a key', call(248, '"user"', '"k"', '"v"', 1, -3), /^-1$/m],
  ['hide memory in a file', call(319, '"m"', 0), /^-1$/m],
  ['share memory beyond the end', call(29, 0, 4096, 0x3ff), /^-1$/m],
  ['set the clock', 'date -s 2001-01-01 2>&1; date +%Y', /20[2-9]\d/],
  ['set the host name', 'hostname escaped 2>&1; cat /proc/sys/kernel/hostname', /^box$/m],
  ['restart the machine', call(169, 0xfee1dead, 672274793, 0x1234567), /^-1$/m],
  ['write to a disk of the machine', 'ls /dev | grep -E "^(sd|vd|nvme|loop|kvm|fuse)" | wc -l', /^0$/m],
  ['see control groups', 'ls /sys/fs/cgroup 2>&1', refused],
  ['see the path of its control group', 'cut -d: -f3- /proc/self/cgroup | sort -u', /^\/\n$/],
  ['mount control groups', 'mkdir c; mount -t cgroup2 none c 2>&1; mount -t cgroup -o memory none c 2>&1', refused],
  ['enter a namespace of control groups', call(272, 0x2000000), /^-1$/m],
  ['leave its control group', 'find / -name cgroup.procs 2>/dev/null | wc -l', /^0$/m],
  [
    'reach the machine through what the helper has open',
    'for f in /proc/self/fd/*; do readlink $f; done | grep -c espalier',
    /^0$/m,
  ],
  [
    'leave something in /dev',
    'echo x > /dev/note; ln -sfn /tmp/own /dev/fd; ls /dev/note; readlink /dev/fd',
    /No such[^]*\n\/proc\/self\/fd$/m,
  ],
  ['limit the first process', call(302, 1, 7, 'pack("QQ", 0, 0)', 0), /^-1$/m],
  [
    'open a descriptor of the first process',
    `${perl('my $f = syscall(434, 1, 0); print $f < 0 ? -1 : syscall(438, $f, 1, 0)')}`,
    /^-1$/m,
  ],
  [
    'signal the first process by a descriptor',
    `${perl('my $f = syscall(434, 1, 0); syscall(424, $f, 9, 0, 0); sleep 0')}; echo still here`,
    /still here/,
  ],
  ['read the memory of the first process by a system call', call(310, 1, '"x" x 16', 1, '"x" x 16', 1, 0), /^-1$/m],
  ['open a file by its handle', call(304, -100, 'pack("LlQ", 8, 1, 2)', 0), /^-1$/m],
  ['open a file system', call(430, '"tmpfs"', 0), /^-1$/m],
  ['pick a mounted file system', call(433, -100, '"/"', 0), /^-1$/m],
  ['look for a key', call(249, '"user"', '"k"', 0, 0), /^-1$/m],
  ['join a key ring', call(250, 1, '"k"'), /^-1$/m],
  ['ask the log of the kernel', call(103, 3, '"x" x 100', 100), /^-1$/m],
  ['load a module', `${call(175, '"x"', 1, '""')}; ${call(313, 0, '""', 0)}`, /^-1\n-1$/m],
  ['swap to a file', `head -c 9000 /dev/zero > s; ${call(167, '"s"', 0)}`, /^-1$/m],
  ['keep accounts of processes', call(163, '"log"'), /^-1$/m],
  ['reach ports of the processor', call(172, 3), /^-1$/m],
  ['step the clock', call(227, 0, 'pack("qq", 0, 0)'), /^-1$/m],
  ['slow the clock', call(159, 'pack("LLq", 0x4000, 0, 1) . "\\0" x 300'), /^-1$/m],
  ['take turns before everybody', call(144, 0, 1, 'pack("i", 1)'), /^-1$/m],
  [
    'make a file that nobody can remove',
    'touch f; perl -e \'open(my $f, "<", "f"); my $x = pack("q", 16); print ioctl($f, 0x40086602, $x) ? "done" : "-1"\'',
    /^-1$/m,
  ],
  [
    'give a file powers by an attribute',
    `touch f; ${call(188, '"f"', '"security.capability"', 'pack("LLLLL", 0x02000001, 0x200000, 0, 0, 0)', 20, 0)}`,
    /^-1$/m,
  ],
  [
    'set attributes of layers that root may set',
    `mkdir d; ${call(188, '"d"', '"trusted.overlay.opaque"', '"y"', 1, 0)}`,
    /^-1$/m,
  ],
  ['bring a whiteout from elsewhere', 'mknod /dev/shm/w c 0 0 && mv /dev/shm/w ~/out 2>&1; ls ~/out 2>&1', refused],
  ['change the program that runs', '(exec 5<>/proc/self/exe) 2>&1', /denied|busy|Read-only/],
  [
    'move what is mounted',
    'mv /proc /p 2>&1; rmdir /dev 2>&1; mv /usr /u 2>&1; ls -d /proc /dev /usr',
    /\/dev\n\/proc\n\/usr$/m,
  ],
  [
    'have files of a format opened by a program of its own',
    'echo ":x:M::x::/tmp/x:" > /proc/sys/fs/binfmt_misc/register',
    refused,
  ],
  ['name the program that loads modules', 'echo /tmp/x > /proc/sys/kernel/modprobe', refused],
  [
    'see namespaces of the first process',
    'ls /proc/1/ns 2>&1; readlink /proc/1/exe /proc/1/cwd; echo none',
    /denied[^]*^none$/m,
  ],
  [
    'keep more watches of files than there are',
    perl('my $n = 0; $n++ while $n < 200 && syscall(253) >= 0; print $n, "\\n"'),
    /^16$/m,
  ],
  [
    'save itself when memory is short',
    'echo -1000 > /proc/self/oom_score_adj; echo 0 > /proc/1/oom_score_adj; cat /proc/self/oom_score_adj',
    /denied[^]*denied[^]*\n(?:0|500)$/m,
  ],
];

/** What the root of an image may do: to its own files, in its own layers. */
const own = new Set([
  'write to /usr',
  'read the passwords',
  'make a set-uid program',
  'use a set-uid program',
  'change the user',
]);

describe.each(users)('escapes as %s', (_, options) => {
  const isImage = options.store !== undefined;
  let [folder, canary] = ['', ''];
  let [sandboxes, pool, server, local]: [Sandboxes?, Pool?, Server?, Server?] = [];
  const abstractName = `\0espalier-escape-${process.pid}`;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-canary-'));
    canary = join(folder, 'canary');
    writeFileSync(canary, 'secret', { mode: 0o644 });
    chmodSync(folder, 0o755);
    server = createServer(socket => socket.end('secret')).listen(0, '127.0.0.1');
    local = createServer(socket => socket.end('secret')).listen(abstractName);
    sandboxes = await createLayeredSandboxes({
      ...options,
      disk: { bytes: 24 * 2 ** 20, files: 3000 },
    });
    pool = await sandboxes.openPool();
  });
  afterAll(async () => {
    await sandboxes?.close();
    for (const each of [server, local]) each?.close();
    rmSync(folder, { recursive: true });
  });

  const request = (command: string | Command, limits: Partial<Limits> = {}): RunRequest => ({
    command: typeof command === 'string' ? { kind: 'run', command } : command,
    place: { folder: '/home/user', exports: '' },
    environment: { HOME: '/home/user', PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8' },
    limits: { ...usualLimits, ...limits },
  });
  const run = async (command: string | Command, limits: Partial<Limits> = {}): Promise<Ran> =>
    (pool as Pool).run([], request(command, limits));

  it.each(attempts.filter(([name]) => !isImage || !own.has(name)))(
    '[TERM-10] cannot %s',
    async (name, command, contained) => {
      const { output } = await run(command);
      expect(output.toString(), name).toMatch(contained);
      expect(output.toString()).not.toContain('secret');
    },
  );

  it.each(isImage ? ['/usr'] : [])('[TERM-10] changes %s in its own layer alone', async () => {
    const { output } = await run('id -u; cp /bin/true /usr/bin/escaped && ls /usr/bin/escaped; chmod 000 /usr/bin/env');
    expect(output.toString()).toBe('0\n/usr/bin/escaped\n');
    expect(existsSync('/usr/bin/escaped')).toBe(false);
    expect(statSync('/usr/bin/env').mode & 0o111).toBe(0o111);
    expect((await run('ls /usr/bin/escaped 2>&1')).output.toString()).toMatch(/No such file/);
  });

  it('[TERM-10] can limit itself, and write to its output by name', async () => {
    const { output } = await run('ulimit -n 20; ulimit -n; echo out > /dev/stdout; echo error > /dev/stderr');
    expect(output.toString()).toBe('20\nout\nerror\n');
  });

  it('[TERM-10] cannot set attributes that layers are read by', async () => {
    const { layer } = await run(`mkdir d; ${call(188, '"d"', '"user.overlay.opaque"', '"y"', 1, 0)}`);
    expect(layer?.entries.find(({ path }) => path === 'home/user/d')).toMatchObject({ kind: 'folder' });
  });

  it('[TERM-10] cannot reach files, ports and sockets of the machine', async () => {
    const { port } = (server as Server).address() as { port: number };
    const name = abstractName.slice(1);
    const tries = [
      `cat ${canary}; ls ${folder}; cat /proc/1/root${canary}; cat /proc/self/cwd/../../..${canary}`,
      `ln -s / root; cat root${canary}; ln -s /proc/1/root down; cat down${canary}`,
      `(exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5)`,
      perl(`use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("Sa*", 1, "\\0${name}")) and print <S>`),
    ];
    for (const command of tries) expect((await run(`${command} 2>&1`)).output.toString()).not.toContain('secret');
    for (const path of [canary, `/proc/1/root${canary}`]) {
      const { exitCode, output } = await run({ kind: 'read', path });
      expect([exitCode, output.toString().includes('secret')]).toEqual([1, false]);
    }
  });

  it('[TERM-10] cannot have files of the machine frozen by a link where a folder was', async () => {
    const live = await (pool as Pool).openLive([], request(''));
    const swaps = [
      'for my $d (0 .. 39) { mkdir "d$d"; symlink $ARGV[0], "s$d";',
      'for my $f ("a" .. "n", "canary") { open(my $o, ">", "d$d/$f") } }',
      'while (1) { for (0 .. 39) { my ($d, $s) = ("d$_", "s$_"); syscall(316, -100, $d, -100, $s, 2) } }',
    ];
    const begun = 'until [ -e d39/canary ] || [ -e s39/canary ]; do sleep 0.05; done; sleep 0.1';
    await live.run(request(`cd /tmp; setsid perl -e '${swaps.join(' ')}' ${folder} > /dev/null 2>&1 & ${begun}`));
    const layer = await live.freeze();
    expect(layer?.entries.length).toBeGreaterThan(100);
    expect(layer?.entries.filter(({ content }) => content.toString() === 'secret')).toEqual([]);
    await live.close();
  });

  it('[TERM-3] undoes what is too deep, and what has more holes than there is disk, whatever its mode', async () => {
    const deep = `n=$(printf 'd%.0s' $(seq 200)); for i in $(seq 30); do mkdir $n; cd $n; done`;
    const holes = perl('for (1 .. 20) { open(my $f, ">", "f$_"); truncate($f, 6e7) }');
    const locked = 'mkdir d; head -c 60M /dev/zero > d/f; chmod 000 d/f d';
    for (const command of [deep, holes, locked])
      expect(await run(`cd /tmp; ${command}`), command).toMatchObject({ ended: 'disk', layer: null });
    expect(await run('head -c 9M /dev/zero > /tmp/file; wc -c < /tmp/file')).toMatchObject({
      ended: 'itself',
      exitCode: 0,
    });
  });

  it('[TERM-13] limits memory of all processes together, where there are control groups', async ({ skip }) => {
    if (!sandboxes?.limitsTogether) skip('there are no control groups');
    const each = perl('my $x = "a" x 30e6; sleep 1; print "al", "ive\\n"');
    const memoryBytes = 200 * 2 ** 20;
    const taken = async (count: number): Promise<number> => {
      const command = `for i in $(seq ${count}); do ${each} & done; wait`;
      return (await run(command, { memoryBytes, wallSeconds: 20 })).output.toString().split('alive').length - 1;
    };
    expect(await taken(2)).toBe(2);
    expect(await taken(20)).toBeLessThan(5);
    // Memory in files that nobody sees counts as well.
    const shared = 'for i in $(seq 20); do head -c 15M /dev/zero > /dev/shm/f$i; done; du -sm /dev/shm | cut -f1';
    expect(Number((await run(shared)).output.toString().split('\n').at(-2))).toBeLessThan(17);
    expect(await taken(2)).toBe(2);
  });

  it('[TERM-3] stops floods of processes, memory, files and time, and goes on', async () => {
    const bomb = await run('f() { f | f & }; f; sleep 5', { wallSeconds: 1 });
    expect(bomb.ended).toBe('time');
    expect((await run(perl('my $x = "a" x 6e9; print "escaped"'))).output.toString()).not.toContain('escaped');
    expect(await run('sleep 30', { wallSeconds: 0.2 })).toMatchObject({ ended: 'time', exitCode: null });
    expect((await run(perl('1 while 1'), { cpuSeconds: 1, wallSeconds: 10 })).exitCode).toBeGreaterThan(128);
    const disk = await run('dd if=/dev/zero of=big bs=1M count=60 2>&1; echo $?');
    expect(disk).toMatchObject({ ended: 'disk', layer: null });
    const inodes = await run(perl('for (1 .. 9000) { open(my $f, ">", "f$_") or last }'));
    expect(inodes).toMatchObject({ ended: 'disk', layer: null });
    expect(await run('echo fine > file && cat file')).toMatchObject({ ended: 'itself', exitCode: 0 });
  });
});
