import { useMemo } from 'preact/hooks';
import type { EpisodeOutline, OutlineStep, StepDetail } from '../../api/api.ts';
import { get, useLoaded } from '../client.ts';
import { Text, Waiting } from '../parts/basics.tsx';
import { useAllTexts } from '../large-tree.ts';
import { pathTo } from '../paths.ts';
import { linkTo } from '../route.ts';
import { statusText } from '../words.ts';

interface CompareProps {
  readonly run: string;
  readonly episode: number;
  readonly outline: EpisodeOutline;
  readonly query: Readonly<Record<string, string>>;
}

/** Two branches from the last state they share, step by step. */
export function CompareView(props: CompareProps) {
  const outline = useAllTexts(props.run, props.episode, props.outline);
  return outline === null ? <Waiting /> : <Branches {...props} outline={outline} />;
}

function Branches({ run, episode, outline, query }: CompareProps) {
  const { steps } = outline;
  const ends = useMemo(() => endsOf(steps), [steps]);
  const left = Number(query['left'] ?? outline.leaf);
  const right = Number(query['right'] ?? ends.find(({ id }) => id !== left)?.id ?? left);
  const byId = new Map(steps.map(step => [step.id, step]));
  const [one, other] = [pathTo(steps, left), pathTo(steps, right)];
  const shared = one.findIndex((id, index) => other[index] !== id);
  const common = shared < 0 ? one.length : shared;
  const rows = Math.max(one.length, other.length) - common;
  const at = Number(query['at'] ?? 0);
  const here = (changes: Readonly<Record<string, string | number>>): string =>
    linkTo(['run', run, 'episode', episode], { ...query, view: 'branches', left, right, ...changes });
  const pair = [one[common + at], other[common + at]] as const;
  return (
    <section class="compare" aria-label="Branch against branch">
      <div class="ends">
        <EndChoice label="First branch ends at" ends={ends} value={left} go={id => here({ left: id, at: 0 })} />
        <EndChoice label="Second branch ends at" ends={ends} value={right} go={id => here({ right: id, at: 0 })} />
      </div>
      <p>
        {common === 0
          ? 'They part at the start of the task.'
          : `They share ${common} ${common === 1 ? 'step' : 'steps'} and part after step ${one[common - 1]}.`}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">After the parting</th>
            <th scope="col">First branch</th>
            <th scope="col">Second branch</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: Math.min(rows, 500) }, (_, index) => {
            const [a, b] = [byId.get(one[common + index] ?? -1), byId.get(other[common + index] ?? -1)];
            const isSame = a !== undefined && a.text === b?.text;
            return (
              <tr key={index} class={isSame ? '' : 'differs'} aria-current={index === at ? 'true' : undefined}>
                <th scope="row">
                  <a href={here({ at: index })}>Step {index + 1}</a>
                  {isSame ? '' : ' – differs'}
                </th>
                <StepCell step={a} />
                <StepCell step={b} />
              </tr>
            );
          })}
        </tbody>
      </table>
      <Screens run={run} episode={episode} pair={pair} />
    </section>
  );
}

function StepCell({ step }: { readonly step: OutlineStep | undefined }) {
  if (step === undefined) return <td class="soft">–</td>;
  return (
    <td>
      <Text>{step.text}</Text>
      <div class="soft">
        {step.role} · {statusText(step)}
        {step.rejection === null ? null : (
          <>
            : <Text>{step.rejection}</Text>
          </>
        )}
        {step.verdict === null ? null : step.verdict ? ' · ✓ passed' : ' · ✗ did not pass'}
      </div>
    </td>
  );
}

interface EndProps {
  readonly label: string;
  readonly ends: readonly OutlineStep[];
  readonly value: number;
  go(id: number): string;
}

function EndChoice({ label, ends, value, go }: EndProps) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={event => {
          location.hash = go(Number(event.currentTarget.value));
        }}
      >
        {ends.some(({ id }) => id === value) ? null : <option value={value}>step {value}</option>}
        {ends.map(step => (
          <option key={step.id} value={step.id}>
            {`step ${step.id}, ${statusText(step)}: ${shortened(step.text)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The last steps of branches. */
function endsOf(steps: readonly OutlineStep[]): OutlineStep[] {
  const parents = new Set(steps.map(({ parent }) => parent));
  return steps.filter(({ id }) => !parents.has(id)).slice(0, 500);
}

interface ScreensProps {
  readonly run: string;
  readonly episode: number;
  readonly pair: readonly [number | undefined, number | undefined];
}

/** The screens that both steps were taken on, with the lines marked that only one of them has. */
function Screens({ run, episode, pair }: ScreensProps) {
  const load = (node: number | undefined): Promise<StepDetail | null> =>
    node === undefined ? Promise.resolve(null) : get<StepDetail>('step', { run, episode, node });
  const [left, right] = pair;
  const one = useLoaded(() => load(left), [run, episode, left]);
  const other = useLoaded(() => load(right), [run, episode, right]);
  return (
    <div class="screens">
      <MarkedScreen title="First branch: screen before the step" own={one.data} against={other.data} />
      <MarkedScreen title="Second branch: screen before the step" own={other.data} against={one.data} />
    </div>
  );
}

interface MarkedProps {
  readonly title: string;
  readonly own: StepDetail | null;
  readonly against: StepDetail | null;
}

const mostLines = 2000;

function MarkedScreen({ title, own, against }: MarkedProps) {
  const lines = (detail: StepDetail | null): string[] =>
    (detail?.screen.text ?? '').split('\n').map(line => line.replace(/\[e\d+\] /, ''));
  const known = new Set(lines(against));
  return (
    <div>
      <h2>{title}</h2>
      <pre class="screen" tabIndex={0}>
        {own === null
          ? 'No step here.'
          : lines(own)
              .slice(0, mostLines)
              .map((line, index) => (
                <span key={index} class={against !== null && !known.has(line) ? 'marked' : ''}>
                  <Text>{`${line}\n`}</Text>
                </span>
              ))}
      </pre>
    </div>
  );
}
