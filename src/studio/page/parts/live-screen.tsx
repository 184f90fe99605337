import { useMemo, useState } from 'preact/hooks';
import type { Action } from '../../../core/action.ts';
import { readScreen, type ScreenLine } from '../../../core/episode/screen-text.ts';
import { Text } from './basics.tsx';

interface LiveScreenProps {
  readonly screen: string;
  readonly isOver: boolean;
  act(action: Action): void;
}

const mostLines = 3000;

/** The screen that an agent sees, as controls: the same elements, the same actions, nothing more. */
export function LiveScreen({ screen, isOver, act }: LiveScreenProps) {
  const lines = useMemo(() => readScreen(screen), [screen]);
  return (
    <ul class="live-screen">
      {lines.slice(0, mostLines).map((line, index) => (
        <li key={`${index} ${line.ref ?? ''} ${line.name}`} style={{ paddingInlineStart: `${line.depth * 14}px` }}>
          {line.ref === null ? <Plain line={line} /> : <Control line={line} isOver={isOver} act={act} />}
        </li>
      ))}
    </ul>
  );
}

function Plain({ line }: { readonly line: ScreenLine }) {
  const isTitle = ['page', 'region', 'dialog', 'navigation', 'list', 'heading', 'search', 'form'].includes(line.role);
  return (
    <span class={isTitle ? 'place' : ''}>
      {line.role === 'text' ? null : <span class="soft">{line.role} </span>}
      <Text>{line.name}</Text>
      {line.value === null ? null : <Text>{`: ${line.value}`}</Text>}
    </span>
  );
}

interface ControlProps extends Omit<LiveScreenProps, 'screen'> {
  readonly line: ScreenLine;
}

function Control({ line, isOver, act }: ControlProps) {
  const ref = line.ref ?? '';
  const isDisabled = isOver || line.states.includes('disabled');
  if (line.options.length > 0)
    return (
      <label>
        <Text>{line.name}</Text>{' '}
        <select
          disabled={isDisabled}
          value={line.value ?? ''}
          onChange={event => act({ kind: 'select', ref, option: event.currentTarget.value })}
        >
          {line.options.includes(line.value ?? '') ? null : <option>{line.value ?? ''}</option>}
          {line.options.map(option => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </label>
    );
  if (line.value !== null || ['textbox', 'searchbox', 'spinbutton'].includes(line.role))
    return <Field line={line} isDisabled={isDisabled} act={act} />;
  return (
    <button
      type="button"
      class={`element ${line.role}`}
      disabled={isDisabled}
      onClick={() => act({ kind: 'click', ref })}
    >
      <span class="soft">{line.role} </span>
      <Text>{line.name === '' ? ref : line.name}</Text>
      {line.states.length === 0 ? null : <span class="soft"> ({line.states.join(', ')})</span>}
    </button>
  );
}

interface FieldProps {
  readonly line: ScreenLine;
  readonly isDisabled: boolean;
  act(action: Action): void;
}

function Field({ line, isDisabled, act }: FieldProps) {
  const [text, setText] = useState(line.value ?? '');
  return (
    <form
      class="field"
      onSubmit={event => {
        event.preventDefault();
        act({ kind: 'fill', ref: line.ref ?? '', text });
      }}
    >
      <label>
        <Text>{line.name}</Text>{' '}
        <input disabled={isDisabled} value={text} onInput={event => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={isDisabled}>
        Fill
      </button>
    </form>
  );
}
