import { arch } from 'node:os';

/** Numbers of the system calls that programs have no use for, by processor. */
const processors = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    socket: 41,
    prlimit: 302,
    // unshare, setns, mount, umount2, pivot_root, chroot, ptrace, process_vm_writev, bpf, perf_event_open, userfaultfd,
    // add_key, request_key, keyctl, io_uring_setup, syslog, open_tree, move_mount, fsopen, fsmount, mount_setattr; and memory that no
    // limit of a process counts: memfd_create, memfd_secret, shmget; and what outlives a program:
    // semget, msgget, mq_open
    refused: [
      272, 308, 165, 166, 155, 161, 101, 311, 321, 298, 323, 248, 249, 250, 425, 103, 428, 429, 430, 432, 442, 319, 447,
      29, 64, 68, 240,
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    socket: 198,
    prlimit: 261,
    refused: [
      97, 268, 40, 39, 41, 51, 117, 271, 280, 241, 282, 217, 218, 219, 425, 116, 428, 429, 430, 432, 442, 279, 447, 194,
      190, 186, 180,
    ],
  },
} as const;

/** Every CLONE_NEW… flag: user, mount, PID, network, IPC, UTS, cgroup and time namespaces. */
const namespaceFlags = 0x7e020080;

/** AF_VSOCK: sockets to the host of a virtual machine. A network namespace does not contain them. */
const virtualMachineSockets = 40;

const load = 0x20;
const jumpEqual = 0x15;
const jumpGreaterOrEqual = 0x35;
const jumpAnyBit = 0x45;
const answer = 0x06;

const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = 0x00050001;
/** "Not implemented": the C library then uses clone, whose flags a filter can see. */
const notImplemented = 0x00050026;

/** Programs of the other calling convention of x86-64 have numbers from here on. */
const x32 = 0x40000000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * A seccomp filter for bubblewrap: no new namespaces (inside one, a program could mount a disk without a limit), no
 * mounts, no tracing, no sockets to the host of a virtual machine, no limits of other processes. Null on a processor that
 * it does not know.
 */
export function systemCallFilter(processor: string = arch()): Buffer | null {
  const known = Object.entries(processors).find(([name]) => name === processor)?.[1];
  if (known === undefined) return null;
  const refusal = (number: number): Instruction[] => [
    [jumpEqual, 0, 1, number],
    [answer, 0, 0, refuse],
  ];
  const instructions: Instruction[] = [
    // struct seccomp_data: the number at 0, the processor at 4, the first argument at 16.
    [load, 0, 0, 4],
    [jumpEqual, 1, 0, known.audit],
    [answer, 0, 0, kill],
    [load, 0, 0, 0],
    [jumpGreaterOrEqual, 0, 1, x32],
    [answer, 0, 0, refuse],
    ...known.refused.flatMap(refusal),
    [jumpEqual, 0, 1, known.clone3],
    [answer, 0, 0, notImplemented],
    [jumpEqual, 0, 3, known.clone],
    [load, 0, 0, 16],
    [jumpAnyBit, 0, 1, namespaceFlags],
    [answer, 0, 0, refuse],
    [jumpEqual, 0, 3, known.socket],
    [load, 0, 0, 16],
    [jumpEqual, 0, 1, virtualMachineSockets],
    [answer, 0, 0, refuse],
    // Limits of another process: the first one of a sandbox may be somebody of the same name.
    [jumpEqual, 0, 3, known.prlimit],
    [load, 0, 0, 16],
    [jumpEqual, 1, 0, 0],
    [answer, 0, 0, refuse],
    [answer, 0, 0, allow],
  ];
  return Buffer.concat(instructions.map(encoded));
}

function encoded([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
