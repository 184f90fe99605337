import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  getFilteredRowModel,
  getPaginationRowModel,
  getSortedRowModel,
  useReactTable,
} from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Link, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';

/** An inventory: sorting, filters, pages and selection by TanStack Table; a page for each thing by wouter. */
const words = ['lamp', 'chair', 'desk', 'shelf', 'clock', 'mirror', 'carpet'];
const colours = ['red', 'oak', 'black'];
const things = Array.from({ length: 21 }, (_, index) => ({
  id: index + 1,
  name: `${colours[index % 3]} ${words[index % 7]}`,
  price: ((index * 37) % 90) + 10,
  stock: (index * 13) % 8,
}));

const column = createColumnHelper();
const columns = [
  column.display({
    id: 'select',
    header: ({ table }) => (
      <input
        type="checkbox"
        aria-label="Select all"
        checked={table.getIsAllPageRowsSelected()}
        onChange={table.getToggleAllPageRowsSelectedHandler()}
      />
    ),
    cell: ({ row }) => (
      <input
        type="checkbox"
        aria-label={`Select ${row.original.name}`}
        checked={row.getIsSelected()}
        onChange={row.getToggleSelectedHandler()}
      />
    ),
  }),
  column.accessor('name', {
    header: 'Name',
    cell: ({ row, getValue }) => <Link href={`/thing/${row.original.id}`}>{getValue()}</Link>,
  }),
  column.accessor('price', { header: 'Price', cell: ({ getValue }) => `${getValue()} €` }),
  column.accessor('stock', { header: 'Stock' }),
];

function Inventory({ data, onReprice }) {
  const [sorting, setSorting] = useState([]);
  const [globalFilter, setGlobalFilter] = useState('');
  const [rowSelection, setRowSelection] = useState({});
  const table = useReactTable({
    data,
    columns,
    state: { sorting, globalFilter, rowSelection },
    initialState: { pagination: { pageSize: 5 } },
    onSortingChange: setSorting,
    onGlobalFilterChange: setGlobalFilter,
    onRowSelectionChange: setRowSelection,
    getCoreRowModel: getCoreRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  });
  const selected = table.getSelectedRowModel().rows;
  return (
    <>
      <h1>Inventory</h1>
      <input aria-label="Filter" value={globalFilter} onChange={event => setGlobalFilter(event.target.value)} />
      <table>
        <thead>
          {table.getHeaderGroups().map(group => (
            <tr key={group.id}>
              {group.headers.map(header => (
                <th key={header.id} onClick={header.column.getToggleSortingHandler()} scope="col">
                  {flexRender(header.column.columnDef.header, header.getContext())}
                  {{ asc: ' ▲', desc: ' ▼' }[header.column.getIsSorted()] ?? ''}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map(row => (
            <tr key={row.id}>
              {row.getVisibleCells().map(cell => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button disabled={!table.getCanPreviousPage()} onClick={() => table.previousPage()}>
        Previous page
      </button>
      <button disabled={!table.getCanNextPage()} onClick={() => table.nextPage()}>
        Next page
      </button>
      <p role="status">
        Page {table.getState().pagination.pageIndex + 1} of {table.getPageCount()}, {selected.length} selected
      </p>
      <button disabled={selected.length === 0} onClick={() => onReprice(selected.map(row => row.original.id))}>
        Reduce by half
      </button>
    </>
  );
}

function Thing({ thing }) {
  return (
    <>
      <h1>{thing.name}</h1>
      <p>
        {thing.price} €, {thing.stock} in stock
      </p>
      <Link href="/">Back to the inventory</Link>
    </>
  );
}

function App() {
  const [prices, setPrices] = useState({});
  const data = useMemo(() => things.map(thing => ({ ...thing, price: prices[thing.id] ?? thing.price })), [prices]);
  const reprice = ids =>
    setPrices(before => ({ ...before, ...Object.fromEntries(ids.map(id => [id, data[id - 1].price / 2])) }));
  return (
    <Router hook={useHashLocation}>
      <Switch>
        <Route path="/thing/:id">{({ id }) => <Thing thing={data[Number(id) - 1]} />}</Route>
        <Route>
          <Inventory data={data} onReprice={reprice} />
        </Route>
      </Switch>
    </Router>
  );
}

createRoot(document.getElementById('root')).render(<App />);
