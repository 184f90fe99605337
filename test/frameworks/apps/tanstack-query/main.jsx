import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** Tickets that a server holds: cached queries, a mutation that shows its result before the server has answered, refetches. */
const client = new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: false } } });

async function ask(path, method = 'GET') {
  const answer = await fetch(path, { method });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

function Ticket({ id, onBack }) {
  const { data, isPending, isError } = useQuery({ queryKey: ['ticket', id], queryFn: () => ask(`/api/tickets/${id}`) });
  if (isPending) return <p>Loading ticket {id}…</p>;
  if (isError) return <p role="alert">There is no ticket {id}.</p>;
  return (
    <article>
      <h2>{data.title}</h2>
      <p>{data.text}</p>
      <p>
        {data.votes} votes, {data.isOpen ? 'open' : 'closed'}
      </p>
      <button onClick={onBack}>All tickets</button>
    </article>
  );
}

function useVote() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: id => ask(`/api/tickets/${id}/vote`, 'POST'),
    async onMutate(id) {
      await queries.cancelQueries({ queryKey: ['tickets'] });
      const before = queries.getQueryData(['tickets']);
      queries.setQueryData(['tickets'], all =>
        all.map(ticket => (ticket.id === id ? { ...ticket, votes: ticket.votes + 1 } : ticket)),
      );
      return { before };
    },
    onError: (_, __, { before }) => queries.setQueryData(['tickets'], before),
    onSettled: () => queries.invalidateQueries(),
  });
}

function Tickets({ onOpen }) {
  const [showsClosed, setShowsClosed] = useState(true);
  const { data, isPending, isFetching } = useQuery({
    queryKey: ['tickets'],
    queryFn: () => ask('/api/tickets'),
    select: all => all.filter(({ isOpen }) => showsClosed || isOpen),
  });
  const queries = useQueryClient();
  const vote = useVote();
  const close = useMutation({
    mutationFn: id => ask(`/api/tickets/${id}/close`, 'POST'),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (isPending) return <p>Loading…</p>;
  return (
    <>
      <label>
        <input type="checkbox" checked={showsClosed} onChange={() => setShowsClosed(!showsClosed)} /> Show closed
      </label>
      <ul aria-busy={isFetching}>
        {data.map(({ id, title, votes, isOpen }) => (
          <li key={id}>
            <button onClick={() => onOpen(id)}>Open {title}</button> {votes} votes
            <button onClick={() => vote.mutate(id)}>Vote for {title}</button>
            {isOpen && <button onClick={() => close.mutate(id)}>Close {title}</button>}
          </li>
        ))}
      </ul>
      <button onClick={() => queries.invalidateQueries({ queryKey: ['tickets'] })}>Reload</button>
      {close.isError && <p role="alert">It could not be closed.</p>}
    </>
  );
}

function App() {
  const [open, setOpen] = useState(null);
  return (
    <>
      <h1>Tickets</h1>
      {open === null ? <Tickets onOpen={setOpen} /> : <Ticket id={open} onBack={() => setOpen(null)} />}
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
);
