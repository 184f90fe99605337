import { batch, computed, effect, signal } from '@preact/signals';
import { render } from 'preact';
import { createPortal } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A shop basket: signals, a toast that goes by itself, a voucher, an order form in a portal. */
const products = [
  { id: 'tea', name: 'Green tea', price: 450 },
  { id: 'cup', name: 'Blue cup', price: 1200 },
  { id: 'tray', name: 'Oak tray', price: 3400 },
  { id: 'spoon', name: 'Silver spoon', price: 990 },
];
const basket = signal(new Map());
const voucher = signal('');
const toast = signal(null);
const orders = signal([]);
const discount = computed(() => (voucher.value.toUpperCase() === 'SPRING' ? 0.1 : 0));
const total = computed(() => {
  let sum = 0;
  for (const [id, count] of basket.value) sum += count * products.find(product => product.id === id).price;
  return Math.round(sum * (1 - discount.value));
});
const money = cents => `${(cents / 100).toFixed(2)} €`;

effect(() => {
  document.title = basket.value.size === 0 ? 'Shop' : `Shop (${basket.value.size})`;
});
effect(() => {
  if (toast.value === null) return undefined;
  const timer = setTimeout(() => (toast.value = null), 3000);
  return () => clearTimeout(timer);
});

function put(id, by) {
  const next = new Map(basket.value);
  const count = (next.get(id) ?? 0) + by;
  if (count > 0) next.set(id, count);
  else next.delete(id);
  batch(() => {
    basket.value = next;
    toast.value = by > 0 ? `Added ${products.find(product => product.id === id).name}` : null;
  });
}

function Product({ product }) {
  return (
    <li>
      <span>
        {product.name} {money(product.price)}
      </span>
      <button onClick={() => put(product.id, 1)}>Add {product.name}</button>
    </li>
  );
}

function Basket() {
  return (
    <section aria-label="Basket">
      {basket.value.size === 0 ? <p>The basket is empty.</p> : null}
      <ul>
        {[...basket.value].map(([id, count]) => (
          <li key={id}>
            {products.find(product => product.id === id).name} × {count}
            <button aria-label={`One ${id} less`} onClick={() => put(id, -1)}>
              −
            </button>
          </li>
        ))}
      </ul>
      <label>
        Voucher <input value={voucher} onInput={event => (voucher.value = event.currentTarget.value)} />
      </label>
      <p role="status">Total {money(total.value)}</p>
    </section>
  );
}

function Order({ onClose }) {
  const [name, setName] = useState('');
  const field = useRef(null);
  useEffect(() => field.current.focus(), []);
  const send = event => {
    event.preventDefault();
    orders.value = [...orders.value, { name, total: total.value }];
    basket.value = new Map();
    onClose();
  };
  return createPortal(
    <form class="dialog" role="dialog" aria-label="Order" onSubmit={send}>
      <label>
        Your name <input ref={field} required value={name} onInput={event => setName(event.currentTarget.value)} />
      </label>
      <button>Send the order</button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </form>,
    document.body,
  );
}

function App() {
  const [isOrdering, setOrdering] = useState(false);
  return (
    <>
      <h1>Tea shop</h1>
      <ul aria-label="Products">
        {products.map(product => (
          <Product key={product.id} product={product} />
        ))}
      </ul>
      <Basket />
      <button disabled={basket.value.size === 0} onClick={() => setOrdering(true)}>
        Order
      </button>
      <ol aria-label="Orders">
        {orders.value.map((order, index) => (
          <li key={index}>
            {order.name}: {money(order.total)}
          </li>
        ))}
      </ol>
      {toast.value !== null && <p role="alert">{toast.value}</p>}
      {isOrdering && <Order onClose={() => setOrdering(false)} />}
    </>
  );
}

render(<App />, document.getElementById('root'));
