import { useState } from 'preact/hooks';
import type { FigurePoint } from '../../api/api-learning.ts';
import { visible } from '../words.ts';

interface SpotsProps {
  readonly title: string;
  readonly points: readonly FigurePoint[];
}

/** The points of a figure, laid over it: each says what it is when the mouse or the focus is on it. Arrow keys walk along them. */
export function Spots({ title, points }: SpotsProps) {
  const [shown, setShown] = useState<FigurePoint | null>(null);
  if (points.length === 0) return null;
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const from = event.target as HTMLElement;
    const next = step === 1 ? from.nextElementSibling : from.previousElementSibling;
    if (step === 0 || !(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="spots">
      <div role="group" aria-label={`Points of: ${visible(title)}. Arrow keys walk along them.`} onKeyDown={walk}>
        {points.map((point, index) => (
          <span
            key={index}
            class="spot"
            role="img"
            tabIndex={index === 0 ? 0 : -1}
            aria-label={visible(point.text)}
            style={{ left: `${100 * point.x}%`, top: `${100 * point.y}%` }}
            onMouseEnter={() => setShown(point)}
            onMouseLeave={() => setShown(null)}
            onFocus={() => setShown(point)}
            onBlur={() => setShown(null)}
          />
        ))}
      </div>
      {shown === null ? null : <Tip point={shown} />}
    </div>
  );
}

/** Grows away from the nearer edge, so that it stays inside the figure. */
function Tip({ point: { x, y, text } }: { readonly point: FigurePoint }) {
  const across = x > 0.5 ? { right: `${100 * (1 - x)}%` } : { left: `${100 * x}%` };
  const along = y > 0.5 ? { bottom: `${100 * (1 - y) + 4}%` } : { top: `${100 * y + 4}%` };
  return (
    <span class="tip" aria-hidden="true" style={{ ...across, ...along }}>
      {visible(text)}
    </span>
  );
}
