/** A file, a folder or a link that a world begins with; `path` has no slash in front. */
export interface InitialFile {
  readonly path: string;
  readonly mode?: number;
  readonly content?: string | Uint8Array;
  /** Where a link leads. */
  readonly link?: string;
  /** Of a folder: nothing of what lay there before shows through. */
  readonly isFresh?: boolean;
}

/**
 * What a layer holds at a path. `gone` hides something of the root, `removed` something of a layer below. A `new-folder` stands for all
 * that lay there before; one that does so for a folder of the root is a `hiding-folder`.
 */
export interface LayerEntry {
  readonly kind: 'folder' | 'new-folder' | 'hiding-folder' | 'file' | 'link' | 'removed' | 'gone' | 'special';
  readonly path: string;
  readonly mode: number;
  /** Of a file, the target of a link, or what is special. */
  readonly content: Buffer;
  /** What else is known: extended attributes, other names of the same file, an owner who is not the usual one. */
  readonly about?: Buffer;
}

/** A layer that was frozen: nothing writes to it any more. */
export interface Layer {
  readonly id: string;
  readonly entries: readonly LayerEntry[];
}

/** Where a shell stands, and what it has exported, as it wrote it down. */
export interface Place {
  readonly folder: string;
  readonly exports: string;
}

export interface Limits {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** Address space of each process, and memory of all together where there are control groups. */
  readonly memoryBytes: number;
  readonly processes: number;
  readonly openFiles: number;
  readonly fileBytes: number;
  readonly outputBytes: number;
}

export const usualLimits: Limits = {
  wallSeconds: 20,
  cpuSeconds: 20,
  memoryBytes: 4 * 2 ** 30,
  processes: 128,
  openFiles: 512,
  fileBytes: 64 * 2 ** 20,
  outputBytes: 2 ** 20,
};

/** What is done in a sandbox. */
export type Command =
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly content: string };

export interface RunRequest {
  readonly command: Command;
  readonly place: Place;
  /** Variables that a shell begins with, before those that were exported. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Folders of the store that are there for this command only, read-only: from, to. */
  readonly folders?: readonly (readonly [from: string, to: string])[];
  /** Pins times and random numbers: files get this time, in seconds since 1970, and devices of random numbers give the same ones. */
  readonly stamp?: number;
  /** The user to run as; the usual one when left out. */
  readonly user?: number;
  /** The name of a layer of the store that the command makes. Nobody is told what it holds. */
  readonly keepAs?: string;
}

export interface Ran {
  /** What ended it: itself, the time, too much output, a full disk, or a signal from outside. What fills the disk is undone. */
  readonly ended: 'itself' | 'time' | 'output' | 'disk' | 'killed';
  /** The exit code; 128 and the number of a signal that ended it. Null where a limit did. */
  readonly exitCode: number | null;
  readonly output: Buffer;
  /** Null when the shell did not say. */
  readonly place: Place | null;
  readonly cpuSeconds: number;
  /** What it wrote; null when it wrote nothing. */
  readonly layer: Layer | null;
}

interface KeysRequest extends Omit<RunRequest, 'command' | 'keepAs'> {
  readonly keys: string;
  readonly rows: number;
  readonly columns: number;
  /** How long to wait for the program in front to wait for more. */
  readonly seconds: number;
}

/** A sandbox whose processes live on from command to command. One request at a time. */
export interface LiveSandbox {
  /** Runs a command beside what lives there; what it wrote is not told. Null when the sandbox has ended. */
  run(request: RunRequest): Promise<Ran | null>;
  /** Types into its terminal, where a shell begins; null when the sandbox has ended. */
  type(request: KeysRequest): Promise<{ readonly output: Buffer; readonly isOpen: boolean } | null>;
  /** What was written since it began, the command lines that live there, by their depth, and whether one runs instead of waiting. */
  look(): Promise<{
    readonly entries: readonly LayerEntry[];
    readonly processes: readonly string[];
    readonly isRunning: boolean;
  }>;
  /** What was written since it began, as a layer of its own; null when the disk is full. */
  freeze(): Promise<Layer | null>;
  close(): Promise<void>;
}

/** Where the layers of a world and of its forks lie, under one limit on disk. */
export interface Pool {
  /** Writes files into a layer of their own. */
  lay(files: readonly InitialFile[]): Promise<Layer>;
  /** Runs a command over layers, named by their ids, the newest first. */
  run(layers: readonly string[], request: RunRequest): Promise<Ran>;
  /** A sandbox that stays, over layers. */
  openLive(layers: readonly string[], request: Omit<RunRequest, 'command'>): Promise<LiveSandbox>;
  /** Removes a layer that no state has any more. */
  remove(layer: string): Promise<void>;
  close(): Promise<void>;
}

/** A way to have sandboxes on this machine. */
export interface Sandboxes {
  /** The home of the user, where worlds begin. */
  readonly home: string;
  /** What stands on the root below all layers; folders of the system are not listed. */
  readonly root: readonly LayerEntry[];
  /** Whether the limits on memory, processes and processors count for all processes of a sandbox together. */
  readonly limitsTogether: boolean;
  openPool(): Promise<Pool>;
  close(): Promise<void>;
}
