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
  /** Of a file, or the target of a link. */
  readonly content: Buffer;
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
  /** Address space of each process. */
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

/** Where the layers of a world and of its forks lie, under one limit on disk. */
export interface Pool {
  /** Writes files into a layer of their own. */
  lay(files: readonly InitialFile[]): Promise<Layer>;
  /** Runs a command over layers, named by their ids, the newest first. */
  run(layers: readonly string[], request: RunRequest): Promise<Ran>;
  close(): Promise<void>;
}

/** A way to have sandboxes on this machine. */
export interface Sandboxes {
  /** The home of the user, where worlds begin. */
  readonly home: string;
  /** What stands on the root below all layers; folders of the system are not listed. */
  readonly root: readonly LayerEntry[];
  openPool(): Promise<Pool>;
  close(): Promise<void>;
}
