import { For } from 'solid-js';

export default function History(props) {
  return (
    <ol aria-label="History">
      <For each={props.entries}>
        {({ at, text }) => (
          <li>
            <time>{at.slice(11, 16)}</time> {text}
          </li>
        )}
      </For>
    </ol>
  );
}
