import { css, cx } from '@emotion/css';
import { useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { createRoot } from 'react-dom/client';
import 'react-day-picker/style.css';

/** Holidays of a team: a calendar with ranges, days that are taken, styles made by scripts (Emotion). */
const people = ['Ines', 'Jon', 'Mika'];
const day = text => new Date(`${text}T00:00:00`);
const shape = date =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
const taken = [day('2026-02-10'), day('2026-02-11'), day('2026-03-05')];
const colours = { Ines: '#264', Jon: '#642', Mika: '#426' };

const list = css`
  padding: 0;
  li {
    display: flex;
    gap: 8px;
  }
`;

function Holiday({ holiday, onCancel }) {
  const line = css({ borderLeft: `4px solid ${colours[holiday.who]}`, paddingLeft: 4, '&:hover': { opacity: 0.8 } });
  const label = `${holiday.who}, ${holiday.from} to ${holiday.to}`;
  return (
    <li className={cx(line)}>
      {label} <button onClick={onCancel}>Cancel {label}</button>
    </li>
  );
}

function App() {
  const [who, setWho] = useState(people[0]);
  const [range, setRange] = useState(undefined);
  const [month, setMonth] = useState(day('2026-02-01'));
  const [isOpen, setOpen] = useState(false);
  const [holidays, setHolidays] = useState([{ id: 1, who: 'Jon', from: '2026-02-16', to: '2026-02-20' }]);
  const isReady = range?.from !== undefined && range.to !== undefined;
  const book = () => {
    const from = shape(range.from);
    const to = shape(range.to);
    setHolidays(all => [...all, { id: Math.max(0, ...all.map(({ id }) => id)) + 1, who, from, to }]);
    setRange(undefined);
    setOpen(false);
  };
  return (
    <>
      <h1>Holidays</h1>
      <fieldset>
        <legend>Who</legend>
        {people.map(name => (
          <label key={name}>
            <input type="radio" name="who" checked={who === name} onChange={() => setWho(name)} /> {name}
          </label>
        ))}
      </fieldset>
      <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isReady ? `${shape(range.from)} to ${shape(range.to)}` : 'Choose days'}
      </button>
      {isOpen && (
        <DayPicker
          mode="range"
          month={month}
          onMonthChange={setMonth}
          selected={range}
          onSelect={setRange}
          disabled={taken}
          footer={isReady ? 'Ready to book' : 'First and last day'}
        />
      )}
      <button disabled={!isReady} onClick={book}>
        Book the days
      </button>
      <ul className={list} aria-label="Booked">
        {holidays.map(holiday => (
          <Holiday
            key={holiday.id}
            holiday={holiday}
            onCancel={() => setHolidays(all => all.filter(({ id }) => id !== holiday.id))}
          />
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById('root')).render(<App />);
