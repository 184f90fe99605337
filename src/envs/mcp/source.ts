import type { ToolInfo } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import type { ToolCall } from './answer.ts';
import type { Connection, Deadlines, ServerAddress } from './connection.ts';
import { openRecording, readRecording, type CallRecord, type CallResult, type ServerRecord } from './recording.ts';

/** Where a call is made, and by whom. */
type CallPlace = Pick<CallRecord, 'at' | 'by'>;

/** What answers the calls of one session. */
export interface ToolLink {
  /** Null when the call was never made in this state, and there is nobody to ask. */
  ask(call: ToolCall, place: CallPlace): Promise<CallResult | null>;
  /** The calls that can be answered in this state; null when all can. */
  known(at: string): readonly ToolCall[] | null;
  close(): Promise<void>;
}

/** What answers the calls of all sessions: a server, or what is recorded of one. */
export interface ToolSource {
  readonly server: ServerRecord;
  open(task: string): Promise<ToolLink>;
  close(): void;
}

export interface LiveOptions {
  readonly server: ServerAddress;
  /** File that every call is written to. */
  readonly recording: string;
  readonly deadlines: Deadlines;
}

/** A server: a session of its own for every session here. */
export async function createLiveSource(options: LiveOptions): Promise<ToolSource> {
  // Loaded when somebody needs it: it is large.
  const { connectTo } = await import('./connection.ts');
  const first = await connectTo(options);
  const { name, title, tools, prior } = first;
  await first.close();
  const server = { name, title, tools };
  const writer = openRecording(options.recording, server);
  return {
    server,
    open: async task =>
      recordedLink(await connectTo({ ...options, prior }), tools, {
        session: writer.nextSession(),
        task,
        write: writer.write,
      }),
    close: writer.close,
  };
}

interface Writing extends Pick<CallRecord, 'session' | 'task'> {
  write(call: CallRecord): void;
}

function recordedLink(
  connection: Pick<Connection, 'call' | 'close'>,
  toolsAtStart: readonly ToolInfo[],
  { session, task, write }: Writing,
): ToolLink {
  const digest = createDigest();
  const listed = (tools: readonly ToolInfo[]): string => digest(tools.map(tool => ({ ...tool })));
  let last = listed(toolsAtStart);
  let index = 0;
  return {
    async ask(call, place) {
      const { answer, tools } = await connection.call(call);
      const isChanged = tools !== undefined && listed(tools) !== last;
      const heard: CallResult = isChanged ? { answer, tools } : { answer };
      if (isChanged) last = listed(tools);
      write({ session, index: index++, task, ...place, ...call, ...heard });
      return heard;
    },
    known: () => null,
    close: connection.close,
  };
}

/** What is recorded of a server, without the server. */
export function createRecordedSource(path: string): ToolSource {
  const { server, find, callsAt } = readRecording(path);
  const link: ToolLink = {
    ask: (call, { at }) => Promise.resolve(find(at, call)),
    known: callsAt,
    close: () => Promise.resolve(),
  };
  return { server, open: () => Promise.resolve(link), close: () => undefined };
}
