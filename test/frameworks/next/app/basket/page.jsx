'use client';
import { useBasket } from '../basket-state.jsx';
import { books } from '../books.js';

export default function BasketPage() {
  const { ids, remove } = useBasket();
  const chosen = books.filter(({ id }) => ids.includes(id));
  return (
    <>
      <h1>Basket</h1>
      {chosen.length === 0 && <p>The basket is empty.</p>}
      <ul>
        {chosen.map(({ id, title, price }) => (
          <li key={id}>
            {title}, {price} € <button onClick={() => remove(id)}>Remove {title}</button>
          </li>
        ))}
      </ul>
      <p role="status">Total {chosen.reduce((sum, { price }) => sum + price, 0)} €</p>
    </>
  );
}
