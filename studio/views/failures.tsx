import type { FailureGroups } from '../../src/server/studio/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { Problem, Text, Waiting } from '../parts/basics.tsx';
import { linkTo } from '../route.ts';
import { figure, percent } from '../words.ts';

/** The failures of a run by cause, the most frequent first. */
export function FailuresView({ run, version }: { readonly run: string; readonly version: number }) {
  const { data, error } = useLoaded(() => get<FailureGroups>('failures', { run }), [run, version]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  return (
    <>
      <h1>Why episodes fail</h1>
      <p class="soft">
        {data.failures === 0
          ? 'No episode of this run failed.'
          : 'The cause is read from the first step that shows one.'}
        {data.read < data.failures
          ? ` ${figure(data.read)} of ${figure(data.failures)} were read; those of more than 2,000 steps are not.`
          : ''}
      </p>
      {data.groups.length === 0 ? null : (
        <div class="wide text" tabIndex={0} role="group" aria-label="Failures by cause">
          <table>
            <thead>
              <tr>
                <th scope="col">Cause</th>
                <th scope="col">Episodes</th>
                <th scope="col">Example</th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {data.groups.map(({ cause, count, of, example, advice }) => (
                <tr key={cause}>
                  <th scope="row">
                    <a href={linkTo(['run', run], { failure: cause })}>{cause.replaceAll('-', ' ')}</a>
                  </th>
                  <td>
                    {figure(count)} <span class="soft">{percent(count / of)}</span>
                  </td>
                  <td>
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
