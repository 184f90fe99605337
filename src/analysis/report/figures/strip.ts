import { percentText } from '../../estimate.ts';
import type { Interval } from '../../stats.ts';
import { html, type Markup } from '../html.ts';
import { armClass } from './chart.ts';

export interface Strip {
  readonly rate: number;
  readonly interval: Interval;
  /** Of the arm. */
  readonly index: number;
}

/** A rate and its interval on a line from 0 to 100 %. */
export function strip({ rate, interval: { low, high }, index }: Strip): Markup {
  const at = (share: number): string => (3 + share * 94).toFixed(1);
  return html`<span class="strip ${armClass(index)}"><svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
<line class="whole" x1="3" x2="97" y1="6" y2="6"/><line class="span" x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/>
<line class="dot" x1="${at(rate)}" x2="${at(rate)}" y1="6" y2="6"/></svg><b>${percentText(rate)}</b> <small>${Math.round(low * 100)}–${Math.round(high * 100)}</small></span>`;
}

/** A paired difference and its interval on a line from −100 to 100 points, with a mark at 0. */
export function differenceStrip({ mean, low, high }: Interval & { readonly mean: number }, text: string): Markup {
  const at = (difference: number): string => (50 + difference * 47).toFixed(1);
  const kind = low > 0 ? 'better' : high < 0 ? 'worse' : 'open';
  return html`<span class="strip difference ${kind}"><svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
<line class="whole" x1="3" x2="97" y1="6" y2="6"/><line class="zero" x1="50" x2="50" y1="0" y2="12"/>
<line class="span" x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/><line class="dot" x1="${at(mean)}" x2="${at(mean)}" y1="6" y2="6"/></svg><b>${text}</b></span>`;
}
