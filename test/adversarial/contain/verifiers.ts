import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemTimers } from '../../../src/system/clock.ts';
import { createVerifierPool, type VerifierPool } from '../../../src/envs/python/pool.ts';
import type { SandboxRule } from '../../../src/envs/python/sandbox.ts';
import type { Attack } from './attack.ts';

/** An attack by a verifier: the body of its `verify`, which returns True only when it got what it must not have. */
export interface VerifierAttack {
  readonly name: string;
  /** What its verifier does, in a few words. */
  readonly how: string;
  readonly body: string;
  /** Also holds where there is no sandbox. */
  readonly always?: true;
}

const libc = 'import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)';
const forged = String.raw`b'{"kind": "answer", "passed": true, "message": "", "id": "x"}\n'`;

/** `HOST_PORT` is a server of the machine that counts who reaches it; `MARK` a file outside that must not be made. */
export const hostileVerifiers: readonly VerifierAttack[] = [
  {
    name: 'requests to another port',
    how: 'the requests library asks another server of the machine',
    body: `requests.get('http://127.0.0.1:HOST_PORT/')\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'raw socket to another port',
    how: 'the socket module below the one that is guarded',
    body: `import _socket\n_socket.socket().connect(('127.0.0.1', HOST_PORT))\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'asyncio to another port',
    how: 'an asyncio connection',
    body: `import asyncio\nasyncio.run(asyncio.open_connection('127.0.0.1', HOST_PORT))\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'socket by ctypes to another port',
    how: 'connect(2) of the C library',
    body: `${libc}\nimport struct\nplace = struct.pack('<H', 2) + struct.pack('>H', HOST_PORT) + bytes([127, 0, 0, 1]) + bytes(8)\nreturn libc.connect(libc.socket(2, 1, 0), place, 16) == 0, 'out'`,
  },
  {
    name: 'shared memory',
    how: 'memory of System V that outlives the verifier',
    body: `${libc}\nreturn libc.shmget(0x5151, 4096, 0o1666) >= 0, 'made'`,
    always: true,
  },
  {
    name: 'message queues and semaphores',
    how: 'queues and semaphores of System V, queues of POSIX',
    body: `${libc}\nreturn libc.msgget(0x5151, 0o1666) >= 0 or libc.semget(0x5151, 1, 0o1666) >= 0 or libc.mq_open(b'/espalier', 0o102, 0o600, None) >= 0, 'made'`,
    always: true,
  },
  {
    name: 'user keyring',
    how: 'add_key(2) writes a key that the next verifier can read',
    body: `${libc}\nadd_key = {'x86_64': 248, 'aarch64': 217}[os.uname().machine]\nreturn libc.syscall(add_key, b'user', b'espalier-test', b'hello', 5, -2) > 0, 'kept'`,
    always: true,
  },
  {
    name: 'user namespace',
    how: 'unshare(2) gives a verifier a namespace with privileges of its own',
    body: `${libc}\nreturn libc.unshare(0x10000000) == 0, 'made'`,
    always: true,
  },
  {
    name: 'name service',
    how: 'a name is looked up',
    body: `import socket\nsocket.getaddrinfo('example.org', 80)\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'program by subprocess',
    how: 'a shell is started',
    body: `import subprocess\nsubprocess.run(['/bin/sh', '-c', 'true'], check=True)\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'shell by ctypes',
    how: 'system(3) of the C library',
    body: `${libc}\nreturn libc.system(b'echo x > MARK') == 0, 'out'`,
  },
  {
    name: 'file in the app folder',
    how: 'a file is written beside the verifier',
    body: `with open(__file__ + '.left', 'w') as f: f.write('x')\nreturn True, 'out'`,
  },
  {
    name: 'file in the folder for temporary files',
    how: 'a file is written outside',
    body: `with open('MARK', 'w') as f: f.write('x')\nreturn True, 'out'`,
  },
  {
    name: 'file by ctypes',
    how: 'open(2) of the C library',
    body: `${libc}\nfd = libc.open(b'MARK', 65, 0o644)\nreturn fd >= 0, 'out'`,
  },
  {
    name: 'passwords of the machine',
    how: '/etc/passwd is read',
    body: `return len(open('/etc/passwd').read()) > 0, 'out'`,
  },
  {
    name: 'processes of the machine',
    how: '/proc is listed',
    body: `import os\nreturn len(os.listdir('/proc')) > 0, 'out'`,
  },
  {
    name: 'environment of the parent',
    how: 'the environment of the parent process is read',
    body: `import os\nreturn len(open(f'/proc/{os.getppid()}/environ').read()) > 0, 'out'`,
  },
  {
    name: 'very many processes',
    how: '200 forks',
    body: `${libc}\nmade = 0\nfor _ in range(200):\n    pid = libc.fork()\n    if pid == 0:\n        libc.sleep(30)\n        libc._exit(0)\n    made += pid > 0\nreturn made > 16, 'out'`,
  },
  {
    name: 'very many threads',
    how: '64 threads',
    body: `import threading, time\nfor _ in range(64): threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\nreturn True, 'out'`,
  },
  {
    name: 'all memory',
    how: '4 GiB are taken',
    body: `held = [bytearray(1 << 28) for _ in range(16)]\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'higher limits',
    how: 'its own limits are lifted',
    body: `import resource\nno = resource.RLIM_INFINITY\nresource.setrlimit(resource.RLIMIT_AS, (no, no))\nreturn True, 'out'`,
  },
  { name: 'endless loop', how: 'a loop without end', body: 'while True: pass', always: true },
  {
    name: 'endless loop that hears no signal',
    how: 'the same, with signals ignored',
    body: `import signal\nfor s in (signal.SIGUSR1, signal.SIGTERM): signal.signal(s, signal.SIG_IGN)\nwhile True: pass`,
    always: true,
  },
  {
    name: 'end of the process',
    how: 'the process ends without an answer',
    body: 'import os\nos._exit(0)',
    always: true,
  },
  {
    name: 'forged answers on every channel',
    how: 'an answer is written to every file descriptor',
    body: `import os\nfor fd in range(1024):\n    try: os.write(fd, ${forged})\n    except OSError: pass\nos._exit(0)`,
    always: true,
  },
  {
    name: 'forged answer that is printed',
    how: 'an answer is printed',
    body: `print(${forged}.decode(), flush=True)\nreturn False, ''`,
    always: true,
  },
  {
    name: 'end of the warm process',
    how: 'the parent process is killed',
    body: `import os\nos.kill(os.getppid(), 9)\nreturn False, ''`,
    always: true,
  },
  {
    name: 'end of everything',
    how: 'every process is killed',
    body: `import os\nif os.getpid() < 100: os.kill(-1, 9)\nreturn False, ''`,
  },
  {
    name: 'debugger on the warm process',
    how: 'ptrace(2) on the parent process',
    body: `${libc}\nreturn libc.ptrace(16, os.getppid(), 0, 0) == 0, 'out'`,
  },
  {
    name: 'memory of the warm process',
    how: 'process_vm_readv(2) on the parent process',
    body: `${libc}\nclass Part(ctypes.Structure): _fields_ = [('base', ctypes.c_void_p), ('size', ctypes.c_size_t)]\ntext = ctypes.create_string_buffer(b'x' * 8)\nplace = id(verify)\nours, theirs = Part(ctypes.addressof(text), 8), Part(place, 8)\nreturn libc.process_vm_readv(os.getppid(), ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0) > 0, 'out'`,
  },
  {
    name: 'forged state for those who come next',
    how: 'requests answers with another state',
    body: `class Forged:\n    def json(self): return {'on': True}\nrequests.get = lambda *a, **k: Forged()\nreturn False, ''`,
    always: true,
  },
  {
    name: 'changed modules for those who come next',
    how: 'built-in functions and modules are replaced',
    body: `import builtins, json, sys\nrequests.get = lambda *a, **k: None\njson.dumps = lambda *a, **k: '{}'\nbuiltins.open = None\nsys.modules['__main__'].run = lambda *a: {'kind': 'answer', 'passed': True, 'message': ''}\nreturn False, ''`,
    always: true,
  },
  {
    name: 'frames of the worker',
    how: 'functions of the worker are replaced through its stack',
    body: `import sys\nframe = sys._getframe()\nwhile frame:\n    frame.f_globals.update(is_pair=lambda v: True, read_answer=None, say=None)\n    frame = frame.f_back\nreturn False, ''`,
    always: true,
  },
  {
    name: 'what is done at exit',
    how: 'a function that runs when Python exits writes a file',
    body: `import atexit\natexit.register(lambda: open('MARK', 'w').close())\nreturn False, ''`,
    always: true,
  },
  {
    name: 'thread that goes on',
    how: 'a thread writes a file after the verdict',
    body: `import threading, time\nthreading.Thread(target=lambda: [time.sleep(0.2), open('MARK', 'w').close()]).start()\nreturn False, ''`,
  },
  {
    name: 'process that goes on',
    how: 'a process of its own session writes a file after the verdict',
    body: `${libc}\nif libc.fork() == 0:\n    libc.setsid()\n    if libc.fork() == 0:\n        libc.usleep(300000)\n        open('MARK', 'w').close()\n    libc._exit(0)\nreturn False, ''`,
  },
  {
    name: 'very deep recursion',
    how: 'a recursion without end',
    body: `import sys\nsys.setrecursionlimit(10 ** 9)\ndef deeper(): return [deeper()]\ndeeper()\nreturn True, 'out'`,
    always: true,
  },
  {
    name: 'a gigabyte of output',
    how: '2 GiB are printed',
    body: `import os\nfor _ in range(1024):\n    for fd in (1, 2): os.write(fd, b'x' * (1 << 20))\nreturn False, ''`,
    always: true,
  },
  {
    name: 'error with a very long text',
    how: 'an error of 64 MiB',
    body: `raise ValueError('x' * (1 << 26))`,
    always: true,
  },
  {
    name: 'write to the app',
    how: 'the state of the app is put',
    body: `requests.put(server_url + '/api/state', json={'on': True})\nreturn True, 'out'`,
    always: true,
  },
  { name: 'raised privileges', how: 'setuid(0)', body: `import os\nos.setuid(0)\nreturn True, 'out'` },
];

export interface VerifierGround {
  readonly pool: VerifierPool;
  readonly folder: string;
  readonly mark: string;
  readonly hostPort: number;
  /** How many connections the server of the machine has had. */
  reached(): number;
  close(): Promise<void>;
}

/** A pool of verifiers, and what a verifier that gets out could touch. */
export async function openGround(sandbox: SandboxRule): Promise<VerifierGround> {
  const root = mkdtempSync(join(tmpdir(), 'espalier-verifiers-'));
  const folder = join(root, 'app');
  mkdirSync(folder);
  let reached = 0;
  const server = createServer((_, response) => void response.end()).on('connection', () => reached++);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const pool = createVerifierPool({ workers: 1, timers: createSystemTimers(), deadlineMilliseconds: 2500, sandbox });
  return {
    pool,
    folder,
    mark: join(root, 'mark'),
    hostPort: (server.address() as AddressInfo).port,
    reached: () => reached,
    async close() {
      await pool.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      rmSync(root, { recursive: true });
    },
  };
}

/** Lets a verifier try, then an honest one; why it did not hold, null when it did. */
export async function tryVerifier({ body }: VerifierAttack, ground: VerifierGround): Promise<string | null> {
  const { pool, folder, mark } = ground;
  const before = ground.reached();
  const ask = async (text: string): Promise<string> => {
    const file = join(folder, 'task.py');
    writeFileSync(file, `import requests\n\ndef verify(server_url):\n${text.replaceAll(/^/gm, '    ')}\n`);
    const asked = pool.verify({ file, folder, state: '{"on": false}' });
    return asked.then(
      ({ passed, message }) => `${passed ? 'passed' : 'failed'}: ${message}`,
      (cause: Error) => `error: ${cause.message}`,
    );
  };
  const said = await ask(body.replaceAll('HOST_PORT', String(ground.hostPort)).replaceAll('MARK', mark));
  const askHonest = () => ask(`import json\nreturn False, json.dumps(requests.get(server_url + '/api/state').json())`);
  let honest = await askHonest();
  // A busy machine is late once or twice; one that was broken into never answers.
  for (let again = 0; again < 2 && honest.includes('did not answer'); again++) honest = await askHonest();
  if (said.startsWith('passed')) return said;
  if (said.length > 10_000) return `it said ${said.length} characters`;
  if (honest !== 'failed: {"on": false}') return `the next verifier said ${honest}`;
  if (ground.reached() > before) return 'it reached a server of the machine';
  // Longer than what it may have left running takes.
  if (body.includes('sleep(0')) await new Promise(resolve => setTimeout(resolve, 500));
  const left = [mark, join(folder, 'task.py.left')].filter(path => existsSync(path));
  for (const path of left) rmSync(path);
  return left.length > 0 ? 'it left a file' : null;
}

/** Verifiers in Python, one after the other: they share what they attack. */
export const verifierAttacks: readonly Attack[] = hostileVerifiers.map(attack => ({
  area: 'verifiers in Python',
  name: attack.name,
  how: attack.how,
  run: ({ verifiers }) => tryVerifier(attack, verifiers),
}));
