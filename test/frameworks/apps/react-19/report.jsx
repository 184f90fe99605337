import { useId, useState } from 'react';

export default function Report({ expenses }) {
  const [isOpenOnly, setOpenOnly] = useState(false);
  const id = useId();
  const counted = expenses.filter(({ paid }) => !isOpenOnly || !paid);
  const kinds = Map.groupBy(counted, ({ kind }) => kind);
  return (
    <>
      <h2>Report</h2>
      <input id={id} type="checkbox" checked={isOpenOnly} onChange={() => setOpenOnly(!isOpenOnly)} />
      <label htmlFor={id}>Unpaid only</label>
      <ul>
        {[...kinds].map(([kind, all]) => (
          <li key={kind}>
            {kind}: {all.reduce((sum, { amount }) => sum + amount, 0).toFixed(2)}
          </li>
        ))}
      </ul>
    </>
  );
}
