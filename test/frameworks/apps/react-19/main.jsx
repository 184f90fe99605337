import { lazy, StrictMode, Suspense, use, useActionState, useOptimistic, useState, useTransition } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import styled from 'styled-components';

/** Expenses of a household: data behind a promise, a form with an action, optimistic marks, a report that is loaded late. */
const Report = lazy(() => import('./report.jsx'));
const loaded = new Promise(resolve => {
  setTimeout(resolve, 80, [
    { id: 1, what: 'Flour', amount: 4.2, kind: 'food', paid: true },
    { id: 2, what: 'Train ticket', amount: 32, kind: 'travel', paid: false },
    { id: 3, what: 'Light bulbs', amount: 11.5, kind: 'home', paid: false },
  ]);
});
const later = (milliseconds, value) => new Promise(resolve => setTimeout(resolve, milliseconds, value));

const Row = styled.tr`
  color: ${({ $paid }) => ($paid ? '#2a7' : '#a33')};
  opacity: ${({ $isSaving }) => ($isSaving ? 0.5 : 1)};
`;
const Panel = styled.div`
  border: 1px solid #ccc;
  padding: 8px;
`;

function AddForm({ onAdd }) {
  const [problem, submit, isPending] = useActionState(async (_, data) => {
    const [what, amount] = [String(data.get('what')).trim(), Number(data.get('amount'))];
    await later(50);
    if (what === '') return 'Say what it was.';
    if (!(amount > 0)) return 'The amount must be above zero.';
    onAdd({ what, amount, kind: String(data.get('kind')), paid: false });
    return null;
  }, null);
  return (
    <form action={submit}>
      <label>
        What <input name="what" />
      </label>
      <label>
        Amount <input name="amount" inputMode="decimal" />
      </label>
      <label>
        Kind{' '}
        <select name="kind">
          <option>food</option>
          <option>travel</option>
          <option>home</option>
        </select>
      </label>
      <button disabled={isPending}>Add expense</button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}

function Expenses() {
  const first = use(loaded);
  const [expenses, setExpenses] = useState(first);
  const [shown, mark] = useOptimistic(expenses, (all, id) =>
    all.map(each => (each.id === id ? { ...each, paid: !each.paid, isSaving: true } : each)),
  );
  const [isOpen, setOpen] = useState(false);
  const [, startTransition] = useTransition();
  const pay = id =>
    startTransition(async () => {
      mark(id);
      await later(60);
      setExpenses(all => all.map(each => (each.id === id ? { ...each, paid: !each.paid } : each)));
    });
  const add = expense => setExpenses(all => [...all, { ...expense, id: all.length + 1 }]);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>What</th>
            <th>Amount</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, what, amount, paid, isSaving = false }) => (
            <Row key={id} $paid={paid} $isSaving={isSaving}>
              <td>{what}</td>
              <td>{amount.toFixed(2)}</td>
              <td>
                <button onClick={() => pay(id)}>{paid ? `Reopen ${what}` : `Pay ${what}`}</button>
              </td>
            </Row>
          ))}
        </tbody>
      </table>
      <AddForm onAdd={add} />
      <button aria-expanded={isOpen} onClick={() => startTransition(() => setOpen(!isOpen))}>
        Report
      </button>
      {isOpen &&
        createPortal(
          <Panel>
            <Suspense fallback={<p>Loading the report…</p>}>
              <Report expenses={expenses} />
            </Suspense>
          </Panel>,
          document.getElementById('aside'),
        )}
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <title>Expenses</title>
    <h1>Expenses</h1>
    <Suspense fallback={<p>Loading…</p>}>
      <Expenses />
    </Suspense>
    <aside id="aside" aria-label="Report" />
  </StrictMode>,
);
