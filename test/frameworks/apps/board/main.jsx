import {
  closestCorners,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** A board whose cards are dragged, by pointer or by keys, between three columns; a card can be opened and changed. */
const first = {
  Todo: ['Write the offer', 'Order chairs', 'Call the printer'],
  Doing: ['Paint the door'],
  Done: ['Rent the hall'],
};

function Card({ title, onOpen }) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: title });
  const style = { transform: CSS.Transform.toString(transform), transition, opacity: isDragging ? 0.5 : 1 };
  return (
    <li ref={setNodeRef} style={style}>
      <span {...attributes} {...listeners} aria-label={`Drag ${title}`} className="handle">
        ⠿
      </span>
      {title} <button onClick={onOpen}>Open {title}</button>
    </li>
  );
}

function Column({ name, titles, onOpen }) {
  const { setNodeRef } = useDroppable({ id: name });
  return (
    <section aria-label={name} className="column">
      <h2>
        {name} ({titles.length})
      </h2>
      <SortableContext id={name} items={titles} strategy={verticalListSortingStrategy}>
        <ul ref={setNodeRef}>
          {titles.map(title => (
            <Card key={title} title={title} onOpen={() => onOpen(title)} />
          ))}
        </ul>
      </SortableContext>
    </section>
  );
}

function Details({ title, columns, onMove, onClose }) {
  return (
    <div className="dialog" role="dialog" aria-label={title}>
      <h2>{title}</h2>
      {Object.keys(columns)
        .filter(name => !columns[name].includes(title))
        .map(name => (
          <button key={name} onClick={() => onMove(title, name)}>
            Move to {name}
          </button>
        ))}
      <button onClick={onClose}>Close</button>
    </div>
  );
}

function App() {
  const [columns, setColumns] = useState(first);
  const [open, setOpen] = useState(null);
  const [title, setTitle] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const columnOf = id => (id in columns ? id : Object.keys(columns).find(name => columns[name].includes(id)));
  const move = (card, to, before = null) => {
    setColumns(all => {
      const bare = Object.fromEntries(
        Object.entries(all).map(([name, cards]) => [name, cards.filter(each => each !== card)]),
      );
      const at = before === null ? -1 : bare[to].indexOf(before);
      return { ...bare, [to]: bare[to].toSpliced(at < 0 ? bare[to].length : at, 0, card) };
    });
    setOpen(null);
  };
  const drop = ({ active, over }) => {
    if (over !== null && over.id !== active.id) move(active.id, columnOf(over.id), over.id in columns ? null : over.id);
  };
  const add = event => {
    event.preventDefault();
    if (title.trim() !== '' && columnOf(title.trim()) === undefined)
      setColumns(all => ({ ...all, Todo: [...all.Todo, title.trim()] }));
    setTitle('');
  };
  return (
    <>
      <h1>Board</h1>
      <form onSubmit={add}>
        <label>
          New card <input value={title} onChange={event => setTitle(event.target.value)} />
        </label>
        <button>Add card</button>
      </form>
      <DndContext sensors={sensors} collisionDetection={closestCorners} onDragEnd={drop}>
        <div className="columns">
          {Object.keys(columns).map(name => (
            <Column key={name} name={name} titles={columns[name]} onOpen={setOpen} />
          ))}
        </div>
      </DndContext>
      {open !== null && <Details title={open} columns={columns} onMove={move} onClose={() => setOpen(null)} />}
    </>
  );
}

createRoot(document.getElementById('root')).render(<App />);
