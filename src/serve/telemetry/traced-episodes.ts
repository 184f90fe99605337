import type { EpisodeEnd } from '../../core/episode/events.ts';
import { causeText } from '../../core/errors.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import type { Episodes } from '../../episode/driven/episodes.ts';
import type { Attributes, SpanExporter } from './otlp.ts';

export interface TracerOptions {
  readonly exporter: SpanExporter;
  /** Milliseconds since 1970. */
  now(): number;
  /** So many random bytes, in hexadecimal. */
  randomHex(bytes: number): string;
}

/** The spans of episodes: one trace for each, with a span for every reset, step, rollback, fork and verification. */
export interface Tracer {
  /** The same episodes, traced. */
  trace(episodes: Episodes): Episodes;
  /** An episode has ended: its own span ends, too. */
  end(key: string, end: Pick<EpisodeEnd, 'outcome' | 'reason' | 'message' | 'counts'>): void;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}

export function createTracer(options: TracerOptions): Tracer {
  const open = new Map<string, EpisodeTrace>();
  return {
    trace: episodes => ({
      ...episodes,
      async open(request) {
        const { task, client } = request;
        const trace = beginTrace(options, { ...aboutTask(task), 'espalier.student': client });
        const episode = await trace.opened('reset', () => episodes.open(request));
        open.set(episode.key, trace);
        return tracedBranch(episode, trace);
      },
      async resume(episode, request) {
        const { task, student } = episode.head;
        const trace = beginTrace(options, { ...aboutTask(task), 'espalier.student': student });
        const resumed = await trace.opened('resume', () => episodes.resume(episode, request));
        if (resumed.branches.size > 0) open.set(episode.head.key, trace);
        const traced = [...resumed.branches].map(([number, branch]) => [number, tracedBranch(branch, trace)] as const);
        return { ...resumed, branches: new Map(traced) };
      },
    }),
    end(key, { outcome, reason, message, counts }) {
      const trace = open.get(key);
      open.delete(key);
      const about = { 'espalier.episode': key, 'espalier.outcome': outcome, 'espalier.reason': reason };
      trace?.end({ ...about, 'espalier.steps': counts.steps }, outcome === 'errored' ? (message ?? reason) : null);
    },
    close: () => options.exporter.close(),
  };
}

function aboutTask({ id, environment, template }: { id: string; environment: string; template: string }): Attributes {
  return { 'espalier.task': id, 'espalier.environment': environment, 'espalier.template': template };
}

interface EpisodeTrace {
  span<T>(request: SpanRequest<T>): Promise<T>;
  /** The first span. When it fails, the trace has ended. */
  opened<T>(name: string, work: () => Promise<T>): Promise<T>;
  end(attributes: Attributes, error: string | null): void;
}

interface SpanRequest<T> {
  readonly name: string;
  readonly attributes?: Attributes;
  work(): Promise<T>;
  /** What the result adds to the attributes. */
  result?(value: T): Attributes;
  /** What is wrong with a result; null when nothing is. */
  errorIn?(value: T): string | null;
}

function beginTrace({ exporter, now, randomHex }: TracerOptions, about: Attributes): EpisodeTrace {
  const trace = randomHex(16);
  const root = randomHex(8);
  const begun = now();
  let running = 0;
  /** The span of the episode ends after those within it. */
  let sendRoot: (() => void) | null = null;
  const settle = (): void => {
    if (running > 0) return;
    sendRoot?.();
    sendRoot = null;
  };
  const span: EpisodeTrace['span'] = async ({ name, attributes = {}, work, result, errorIn }) => {
    const begin = { trace, id: randomHex(8), parent: root, name, start: now() };
    running++;
    try {
      const value = await work();
      const all = { ...attributes, ...result?.(value) };
      exporter.add({ ...begin, end: now(), attributes: all, error: errorIn?.(value) ?? null });
      return value;
    } catch (cause) {
      exporter.add({ ...begin, end: now(), attributes, error: causeText(cause) });
      throw cause;
    } finally {
      running--;
      settle();
    }
  };
  const end: EpisodeTrace['end'] = (attributes, error) => {
    const own = { trace, id: root, parent: null, name: 'episode', start: begun };
    sendRoot = () => exporter.add({ ...own, end: now(), attributes: { ...about, ...attributes }, error });
    settle();
  };
  return {
    span,
    end,
    async opened(name, work) {
      try {
        return await span({ name, work });
      } catch (cause) {
        end({}, causeText(cause));
        throw cause;
      }
    },
  };
}

function tracedBranch(episode: DrivenEpisode, trace: EpisodeTrace): DrivenEpisode {
  const attributes = { 'espalier.branch': episode.branch };
  return {
    ...episode,
    step: (action, remarks) =>
      trace.span({
        name: 'step',
        attributes: { ...attributes, 'espalier.action': action.kind },
        work: () => episode.step(action, remarks),
        result: ({ id, outcome }) => ({ 'espalier.node': id, 'espalier.problem': outcome.problem?.code ?? null }),
      }),
    rollback: node =>
      trace.span({
        name: 'rollback',
        attributes: { ...attributes, 'espalier.node': node },
        work: () => episode.rollback(node),
        result: ({ method }) => ({ 'espalier.method': method }),
      }),
    fork: async () =>
      tracedBranch(
        await trace.span({
          name: 'fork',
          attributes,
          work: () => episode.fork(),
          result: ({ branch }) => ({ 'espalier.fork': branch }),
        }),
        trace,
      ),
    verify: () => trace.span({ name: 'verify', attributes, work: () => episode.verify() }),
    finish: stopped =>
      trace.span({
        name: 'verify',
        attributes,
        work: () => episode.finish(stopped),
        result: ({ outcome }) => ({ 'espalier.outcome': outcome }),
        errorIn: ({ outcome, message, reason }) => (outcome === 'errored' ? (message ?? reason) : null),
      }),
  };
}
