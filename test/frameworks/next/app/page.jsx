'use client';
import Link from 'next/link';
import { useState } from 'react';
import { books } from './books.js';
import { useBasket } from './basket-state.jsx';

export default function Shop() {
  const [search, setSearch] = useState('');
  const { ids, add } = useBasket();
  const shown = books.filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <h1>Books</h1>
      <input aria-label="Search" value={search} onChange={event => setSearch(event.target.value)} />
      <ul>
        {shown.map(({ id, title, author }) => (
          <li key={id}>
            <Link href={`/books/${id}`}>{title}</Link> by {author}{' '}
            <button disabled={ids.includes(id)} onClick={() => add(id)}>
              Buy {title}
            </button>
          </li>
        ))}
      </ul>
      <p role="status">{ids.length} in the basket</p>
    </>
  );
}
