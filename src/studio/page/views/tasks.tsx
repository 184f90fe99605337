import { useState } from 'preact/hooks';
import type { TakeOver } from '../../api/api.ts';
import type { RunEnvironment, RunTemplate } from '../../api/api-tasks.ts';
import { get, messageOf, post, useLoaded } from '../client.ts';
import { NotShown, Problem, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure, percent } from '../words.ts';

/** The environments of a run with their templates. Any task can be played. */
export function TasksView({ run, version }: { readonly run: string; readonly version: number }) {
  const { data, error } = useLoaded(() => get<RunEnvironment[]>('tasks', { run }), [run, version]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  return (
    <>
      <h1>Tasks and worlds</h1>
      {data.map(environment => (
        <section key={environment.id}>
          <h2>
            <Text>{environment.id}</Text>{' '}
            <span class="soft">
              <Text>{environment.name === environment.id ? '' : environment.name}</Text>
            </span>
          </h2>
          {environment.problem === null ? null : <Problem>{environment.problem}</Problem>}
          {environment.rungs.length === 0 ? null : (
            <p class="soft">Forged. Every task was admitted step by step: {environment.rungs.join(' → ')}.</p>
          )}
          <Templates run={run} environment={environment} />
        </section>
      ))}
    </>
  );
}

function Templates({ run, environment }: { readonly run: string; readonly environment: RunEnvironment }) {
  return (
    <div class="wide text" tabIndex={0} role="group" aria-label={`Templates of ${environment.id}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Template</th>
            <th scope="col">Split</th>
            <th scope="col">Right ending</th>
            <th scope="col">Episodes passed</th>
            <th scope="col">Play</th>
          </tr>
        </thead>
        <tbody>
          {environment.templates.map(template => (
            <tr key={template.id}>
              <th scope="row">
                <a href={linkTo(['run', run], { template: `${environment.id}/${template.id}` })}>
                  <Text>{template.id}</Text>
                </a>
                <div class="soft about">
                  <Text>{template.about.slice(0, 300)}</Text>
                </div>
              </th>
              <td>{template.split}</td>
              <td>{template.kind}</td>
              <td>
                {template.episodes === 0
                  ? '–'
                  : `${percent(template.passed / template.episodes)} of ${figure(template.episodes)}`}
              </td>
              <td>
                {environment.problem === null ? (
                  <PlayForm run={run} environment={environment.id} template={template} />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PlayFormProps {
  readonly run: string;
  readonly environment: string;
  readonly template: RunTemplate;
}

/** Opens a task at its start. What is done there can be kept as a demonstration. */
function PlayForm({ run, environment, template }: PlayFormProps) {
  const [said, setSaid] = useState('');
  const play = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const seed = Number(new FormData(event.currentTarget as HTMLFormElement).get('seed'));
    const person = localStorage.getItem('person') ?? 'me';
    setSaid('Opening …');
    try {
      const request = { run, person, environment, template: template.id, seed };
      const { id } = await post<TakeOver>('take-over/play', request);
      location.hash = linkTo(['take-over', id]);
    } catch (cause) {
      setSaid(messageOf(cause));
    }
  };
  const name = `Seed of a task of ${template.id}`;
  return (
    <form class="field" onSubmit={event => void play(event)}>
      <input name="seed" type="number" min={0} aria-label={name} defaultValue={String(template.seeds[0] ?? 1)} />
      <button type="submit" aria-label={`Play a task of ${template.id}`}>
        Play
      </button>
      <span role="status" class="soft">
        {said}
      </span>
    </form>
  );
}
