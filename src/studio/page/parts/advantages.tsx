import { useState } from 'preact/hooks';
import type { StepAdvantages } from '../../api/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { Problem, Waiting } from './basics.tsx';

interface AdvantagesProps {
  readonly run: string;
  readonly episode: number;
  readonly node: number;
}

/** What each estimator says a step was worth. Asked when it is opened: the other tries at the task are read for it. */
export function Advantages(props: AdvantagesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Advantages of this step</summary>
      {isOpen ? <AdvantageTable {...props} /> : null}
    </details>
  );
}

function AdvantageTable({ run, episode, node }: AdvantagesProps) {
  const load = (): Promise<StepAdvantages> => get<StepAdvantages>('advantages', { run, episode, node });
  const { data, error } = useLoaded(load, [run, episode, node]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  return (
    <table>
      <caption class="soft">
        Beside {data.episodes === 1 ? 'the other branches of this episode' : `${data.episodes} episodes of this task`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Estimator</th>
          <th scope="col">Advantage</th>
          <th scope="col">In the loss</th>
        </tr>
      </thead>
      <tbody>
        {data.advantages.map(({ estimator, advantage, isCounted, why }) => (
          <tr key={estimator}>
            <th scope="row">{estimator}</th>
            <td class={advantage === null || advantage === 0 ? 'soft' : advantage > 0 ? 'good' : 'bad'}>
              {advantage === null ? `none: ${why ?? ''}` : advantage.toFixed(3)}
            </td>
            <td>{advantage === null ? '' : isCounted ? 'yes' : 'masked'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
