import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  ErrorBoundary,
  For,
  lazy,
  Show,
  Suspense,
} from 'solid-js';
import { createStore, produce } from 'solid-js/store';
import { Portal, render } from 'solid-js/web';

/** A stock room: a store, a fetched resource, keyed lists, a portal, a part that is loaded late. */
const History = lazy(() => import('./history.jsx'));

async function fetchStock() {
  const answer = await fetch('/stock.json');
  return answer.json();
}

function Line(props) {
  const isLow = createMemo(() => props.item.count < props.item.least);
  return (
    <tr classList={{ low: isLow() }}>
      <td>{props.item.name}</td>
      <td>{props.item.count}</td>
      <td>
        <button onClick={() => props.onTake(props.item)}>Take {props.item.name}</button>
        <button onClick={() => props.onOrder(props.item)}>Order {props.item.name}</button>
        <Show when={isLow()}>
          <strong>low</strong>
        </Show>
      </td>
    </tr>
  );
}

function Ordering(props) {
  const [count, setCount] = createSignal('10');
  const isValid = () => Number.isInteger(Number(count())) && Number(count()) > 0;
  return (
    <Portal>
      <div class="dialog" role="dialog" aria-label="Order">
        <label>
          How many {props.item.name} <input value={count()} onInput={event => setCount(event.currentTarget.value)} />
        </label>
        <button disabled={!isValid()} onClick={() => props.onDone(Number(count()))}>
          Place order
        </button>
        <button onClick={() => props.onDone(0)}>Never mind</button>
      </div>
    </Portal>
  );
}

function Stock(props) {
  const [state, setState] = createStore({ items: props.first, history: [], ordering: null });
  const [filter, setFilter] = createSignal('');
  const [isOpen, setOpen] = createSignal(false);
  const shown = createMemo(() => state.items.filter(({ name }) => name.toLowerCase().includes(filter().toLowerCase())));
  const note = text => setState('history', history => [...history, { at: new Date().toISOString(), text }]);
  createEffect(() => {
    document.title = `Stock (${state.items.filter(({ count, least }) => count < least).length} low)`;
  });
  const take = item => {
    setState(
      'items',
      each => each.id === item.id,
      produce(each => void (each.count = Math.max(0, each.count - 1))),
    );
    note(`took one ${item.name}`);
  };
  const order = count => {
    const item = state.ordering;
    if (count > 0) {
      setState(
        'items',
        each => each.id === item.id,
        'count',
        before => before + count,
      );
      note(`ordered ${count} ${item.name}`);
    }
    setState('ordering', null);
  };
  return (
    <>
      <input aria-label="Filter" value={filter()} onInput={event => setFilter(event.currentTarget.value)} />
      <table>
        <tbody>
          <For
            each={shown()}
            fallback={
              <tr>
                <td>Nothing is called so.</td>
              </tr>
            }
          >
            {item => <Line item={item} onTake={take} onOrder={() => setState('ordering', item)} />}
          </For>
        </tbody>
      </table>
      <button aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
        History
      </button>
      <Show when={isOpen()}>
        <Suspense fallback={<p>Loading…</p>}>
          <History entries={state.history} />
        </Suspense>
      </Show>
      <Show when={state.ordering}>{item => <Ordering item={item()} onDone={order} />}</Show>
    </>
  );
}

function App() {
  const [stock, { refetch }] = createResource(fetchStock);
  return (
    <ErrorBoundary fallback={<p role="alert">The stock room is closed.</p>}>
      <h1>Stock room</h1>
      <button onClick={refetch}>Count again</button>
      <Show when={stock()} fallback={<p>Counting…</p>} keyed>
        {first => <Stock first={first} />}
      </Show>
    </ErrorBoundary>
  );
}

render(() => <App />, document.getElementById('root'));
