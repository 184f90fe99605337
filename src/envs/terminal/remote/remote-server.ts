/** A sandbox at somebody else's server. */
export interface RemoteSandbox {
  /** Runs a Perl program of ours as whoever may see all files, and gives what it printed. */
  exec(call: { readonly program: string; readonly input: string; readonly seconds: number }): Promise<string>;
  /** Says that it is still used. True when it had been paused meanwhile and goes on now. */
  keep(): Promise<boolean>;
  /** A snapshot by its id; null when the server makes none. */
  snapshot(): Promise<string | null>;
  kill(): Promise<void>;
}

/** A server of sandboxes. What a crash left there is gone once it is opened. */
export interface RemoteServer {
  /** A sandbox as its template has it, or one that goes on from a snapshot. */
  create(snapshot: string | null): Promise<RemoteSandbox>;
  /** Removes every sandbox and snapshot of this process. */
  close(): Promise<void>;
}
