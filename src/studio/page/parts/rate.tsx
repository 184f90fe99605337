import type { RateView } from '../../api/api-learning.ts';
import { figure, percent } from '../words.ts';

/** A share with its interval; a dash where nothing was measured. */
export function RateText({ rate }: { readonly rate: RateView | null }) {
  if (rate === null) return <>–</>;
  return (
    <span title={`${figure(rate.passed)} of ${figure(rate.of)}`}>
      {percent(rate.rate)}{' '}
      <span class="soft">
        {Math.round(100 * rate.low)}–{Math.round(100 * rate.high)}
      </span>
    </span>
  );
}
