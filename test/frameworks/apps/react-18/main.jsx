import {
  createContext,
  memo,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useState,
  useTransition,
} from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** A todo list with filters by address, a search, and a confirmation in a portal. It lives in localStorage. */
const seed = [
  { id: 1, title: 'Water the plants', done: false },
  { id: 2, title: 'Pay the rent', done: true },
  { id: 3, title: 'Call the plumber', done: false },
  { id: 4, title: 'Return the drill', done: false },
];
const filters = { all: () => true, open: todo => !todo.done, done: todo => todo.done };

function change(todos, action) {
  switch (action.kind) {
    case 'add':
      return [...todos, { id: Math.max(0, ...todos.map(todo => todo.id)) + 1, title: action.title, done: false }];
    case 'toggle':
      return todos.map(todo => (todo.id === action.id ? { ...todo, done: !todo.done } : todo));
    case 'remove':
      return todos.filter(todo => todo.id !== action.id);
    case 'clear':
      return todos.filter(todo => !todo.done);
    default:
      throw new Error(`There is no ${action.kind}.`);
  }
}

const Dispatch = createContext(null);

function useHash() {
  const read = () => location.hash.slice(2) || 'all';
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = () => setRoute(read());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route in filters ? route : 'all';
}

const Item = memo(function Item({ todo }) {
  const dispatch = useContext(Dispatch);
  return (
    <li>
      <label>
        <input type="checkbox" checked={todo.done} onChange={() => dispatch({ kind: 'toggle', id: todo.id })} />{' '}
        {todo.title}
      </label>
      <button aria-label={`Delete ${todo.title}`} onClick={() => dispatch({ kind: 'remove', id: todo.id })}>
        ×
      </button>
    </li>
  );
});

function Confirm({ count, onClose }) {
  const dispatch = useContext(Dispatch);
  const clear = () => {
    dispatch({ kind: 'clear' });
    onClose();
  };
  return createPortal(
    <div className="dialog" role="dialog" aria-label="Clear finished">
      <p>Remove {count} finished todos?</p>
      <button onClick={clear}>Remove them</button>
      <button onClick={onClose}>Keep them</button>
    </div>,
    document.body,
  );
}

function App() {
  const [todos, dispatch] = useReducer(change, seed, first => JSON.parse(localStorage.getItem('todos')) ?? first);
  const [title, setTitle] = useState('');
  const [search, setSearch] = useState('');
  const [asks, setAsks] = useState(false);
  const [isPending, startTransition] = useTransition();
  const route = useHash();
  const wanted = useDeferredValue(search);
  useEffect(() => localStorage.setItem('todos', JSON.stringify(todos)), [todos]);
  const shown = useMemo(
    () => todos.filter(filters[route]).filter(todo => todo.title.toLowerCase().includes(wanted.toLowerCase())),
    [todos, route, wanted],
  );
  const add = event => {
    event.preventDefault();
    if (title.trim() !== '') dispatch({ kind: 'add', title: title.trim() });
    setTitle('');
  };
  const finished = todos.filter(todo => todo.done).length;
  return (
    <Dispatch.Provider value={dispatch}>
      <h1>Todos</h1>
      <form onSubmit={add}>
        <input aria-label="New todo" value={title} onChange={event => setTitle(event.target.value)} />
        <button>Add</button>
      </form>
      <input
        type="search"
        placeholder="Search"
        value={search}
        onChange={event => startTransition(() => setSearch(event.target.value))}
      />
      <nav>
        {Object.keys(filters).map(name => (
          <a key={name} href={`#/${name}`} aria-current={route === name ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <ul aria-busy={isPending}>
        {shown.map(todo => (
          <Item key={todo.id} todo={todo} />
        ))}
      </ul>
      <p role="status">{todos.length - finished} left</p>
      <button disabled={finished === 0} onClick={() => setAsks(true)}>
        Clear finished
      </button>
      {asks && <Confirm count={finished} onClose={() => setAsks(false)} />}
    </Dispatch.Provider>
  );
}

createRoot(document.getElementById('root')).render(<App />);
