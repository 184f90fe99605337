import { useState } from 'preact/hooks';
import type { EpisodePage, Facet } from '../../api/api.ts';
import type { SignalCount } from '../../api/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { Text } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure } from '../words.ts';

/** The table of episodes that is looked at: its run, and the filters in the address. */
export interface EpisodesPlace {
  readonly run: string;
  readonly query: Readonly<Record<string, string>>;
}

interface FiltersProps extends EpisodesPlace {
  readonly page: EpisodePage | null;
}

/** Where filters stand beside the table. On less they would push it off the screen, so they begin closed. */
const wide = '(min-width: 901px)';

const fields = ['where', 'text', 'screen', 'cost'] as const;

/** Everything that narrows the table. What is set stands in the address. */
export function Filters({ run, query, page }: FiltersProps) {
  const go = (changes: Readonly<Record<string, string>>): void => {
    location.hash = linkTo(['run', run], { ...query, ...changes });
  };
  const search = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    go(Object.fromEntries(fields.map(name => [name, String(data.get(name) ?? '')])));
  };
  const facets = page?.facets;
  return (
    <aside aria-label="Filters">
      <details class="filters" open={matchMedia(wide).matches}>
        <summary>Filters</summary>
        <form onSubmit={search} key={fields.map(name => query[name] ?? '').join('\n')}>
          <label>
            Condition
            <input name="where" placeholder="signal.loops > 0 and steps > 5" defaultValue={query['where'] ?? ''} />
          </label>
          <label>
            Text in task, key or reason
            <input name="text" type="search" defaultValue={query['text'] ?? ''} />
          </label>
          <label>
            Text on a screen
            <input name="screen" type="search" defaultValue={query['screen'] ?? ''} />
          </label>
          <label>
            Cost at least
            <input name="cost" inputMode="decimal" defaultValue={query['cost'] ?? ''} />
          </label>
          <button type="submit">Search</button>
        </form>
        <FacetLinks title="Outcome" name="outcome" facets={facets?.outcomes ?? []} run={run} query={query} />
        <FacetLinks title="Why it did not pass" name="cause" facets={facets?.causes ?? []} run={run} query={query} />
        <SignalLinks run={run} query={query} />
        <FacetLinks title="Task template" name="template" facets={facets?.templates ?? []} run={run} query={query} />
        <FacetLinks title="Student" name="student" facets={facets?.students ?? []} run={run} query={query} />
        <Choice label="Phase" name="phase" choices={phases} query={query} go={go} />
        <Choice label="Steps by" name="actor" choices={actors} query={query} go={go} />
        <Choice label="Order" name="sort" choices={orders} query={query} go={go} />
      </details>
    </aside>
  );
}

type Choices = readonly (readonly [value: string, text: string])[];

const phases: Choices = [
  ['', 'training and evaluation'],
  ['collect', 'training'],
  ['evaluate', 'evaluation'],
];
const actors: Choices = [
  ['', 'anybody'],
  ['teacher', 'a teacher who corrected'],
  ['human', 'a person'],
];
const orders: Choices = [
  ['', 'as planned'],
  ['latest', 'latest first'],
  ['steps', 'most steps first'],
  ['corrections', 'most corrections first'],
  ['cost', 'most expensive first'],
  ['seconds', 'slowest first'],
];

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly choices: Choices;
  readonly query: EpisodesPlace['query'];
  go(changes: Readonly<Record<string, string>>): void;
}

function Choice({ label, name, choices, query, go }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={query[name] ?? ''} onChange={event => go({ [name]: event.currentTarget.value })}>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Labels of signals as conditions, where espalier annotate has been run. */
function SignalLinks({ run, query }: EpisodesPlace) {
  const { data } = useLoaded(() => get<SignalCount[]>('signals', { run }), [run]);
  const facets = (data ?? []).map(({ signal, label, episodes }) => ({
    value: `known(signal.${signal}.${label}) and signal.${signal}.${label} != 0`,
    text: `${signal}: ${label}`,
    count: episodes,
  }));
  return <FacetLinks title="Signal" name="where" facets={facets} run={run} query={query} />;
}

interface FacetProps extends EpisodesPlace {
  readonly title: string;
  readonly name: string;
  readonly facets: readonly (Facet & { readonly text?: string })[];
}

const mostShown = 12;

function FacetLinks({ title, name, facets, run, query }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  if (facets.length === 0) return null;
  const chosen = query[name];
  const shown = isWhole ? facets : facets.slice(0, mostShown);
  return (
    <section class="facet">
      <h2>{title}</h2>
      <ul>
        {shown.map(({ value, text, count }) => (
          <li key={value}>
            <a
              href={linkTo(['run', run], { ...query, [name]: value === chosen ? null : value })}
              aria-current={value === chosen ? 'true' : undefined}
            >
              <Text>{text ?? value}</Text>
            </a>
            <span class="soft">{figure(count)}</span>
          </li>
        ))}
      </ul>
      {facets.length > mostShown && !isWhole ? (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show {figure(facets.length - mostShown)} more
        </button>
      ) : null}
    </section>
  );
}
