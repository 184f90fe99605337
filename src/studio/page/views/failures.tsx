import type { FailureGroups, NamedCount } from '../../api/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { NotShown, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure, percent } from '../words.ts';

/** The failures of a run by cause, the most frequent first. */
export function FailuresView({ run, version }: { readonly run: string; readonly version: number }) {
  const { data, error } = useLoaded(() => get<FailureGroups>('failures', { run }), [run, version]);
  if (error !== null) return <NotShown>{error}</NotShown>;
  if (data === null) return <Waiting />;
  return (
    <>
      <h1>Why episodes fail</h1>
      <p class="soft">
        {data.failures === 0
          ? 'No episode of this run failed.'
          : 'By the checks that failed and the step that left them so.'}
        {data.read < data.failures
          ? ` ${figure(data.read)} of ${figure(data.failures)} were read; those of more than 2,000 steps are not.`
          : ''}
      </p>
      {data.groups.length === 0 ? null : (
        <div class="wide text" tabIndex={0} role="group" aria-label="Failures by cause">
          <table>
            <thead>
              <tr>
                <th scope="col">What went wrong</th>
                <th scope="col">Episodes</th>
                <th scope="col">Where</th>
                <th scope="col">Example</th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {data.groups.map(({ cause, count, of, checks, templates, example, advice }) => (
                <tr key={cause}>
                  <th scope="row">
                    <a href={linkTo(['run', run], { failure: cause })}>{cause.replaceAll('-', ' ')}</a>
                  </th>
                  <td>
                    {figure(count)} <span class="soft">{percent(count / of)}</span>
                  </td>
                  <td>
                    {listed(templates)}
                    {checks.length === 0 ? null : <p class="soft">Failed: {listed(checks)}</p>}
                  </td>
                  <td>
                    <p class="soft">
                      <Text>{example.task}</Text>
                    </p>
                    {example.wanted.length === 0 ? null : <p>Wanted, and not so: {example.wanted.join('; ')}.</p>}
                    {example.shown.length === 0 ? null : <p>The screen at the end has: {example.shown.join('; ')}.</p>}
                    <a href={linkTo(['run', run, 'episode', example.episode])}>
                      <Text>{example.reason}</Text>
                    </a>
                  </td>
                  <td>{advice}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const mostListed = 3;

function listed(counts: readonly NamedCount[]): string {
  const shown = counts.slice(0, mostListed).map(({ name, count }) => `${name} (${count})`);
  return shown.join(', ') + (counts.length > mostListed ? ` and ${counts.length - mostListed} more` : '');
}
