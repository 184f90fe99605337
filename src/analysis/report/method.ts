import { lastEvaluated, type ReportData } from './data.ts';
import { html, type Markup } from './html.ts';
import { table } from './section.ts';
import { count } from '../../core/text.ts';
import { durationText, listText } from './words.ts';

export function methodSection(data: ReportData): Markup {
  const seconds = data.arms.flatMap(({ rounds }) => rounds).reduce((sum, round) => sum + round.seconds, 0);
  return html`<section id="method"><h2>How it was measured</h2>
<div class="prose"><p><b>Success</b> is decided by a verifier that reads the privileged state, never by the agent or the teacher. An episode that was given up counts as not passed. One that broke at a boundary has no reward: it is left out of the rate, counted beside it, and the raw rate counts it as not passed.</p>
<p><b>Certified</b> means that the path was replayed in a fresh session from reset, and every digest, observation and the verdict agreed. Apps of ours are certified by construction: their states are immutable values. In other worlds an episode that passed without such a replay is counted apart, and is in no rate. <b>Restored</b> says only that a rollback put a snapshot back and compared it.</p>
${data.arms.some(arm => lastEvaluated(arm) !== undefined) ? estimatesText(data) : null}</div>
${table({ caption: 'The arms', head: ['Arm', 'What it is'], rows: data.arms.map(({ label, about }) => [label, about]) })}
${table({
  caption: 'The run',
  head: ['What', 'Value'],
  rows: [
    ['Command', html`<code>${data.command}</code>`],
    ['Seed', data.seed],
    ['Machine', data.machine],
    ['Espalier', data.version],
    ['Time', `${durationText(seconds)} in ${count(data.arms.length, 'arm')}`],
  ],
})}</section>`;
}

function estimatesText(data: ReportData): Markup {
  return html`<p><b>Two levels, never mixed.</b> New instances are tasks of training templates with seeds and data that were never collected on. Held-out templates were not trained on at all.</p>
<p><b>Intervals</b> cover 95 %. The rate of a level is the mean over apps of the mean over their templates, instances and trials; its interval comes from a hierarchical bootstrap over these four, 2,000 resamples or more. Few apps say little about apps in general: where they differ much, that interval is too narrow. Single templates, and wrong rejections, have Wilson intervals.</p>
<p><b>Baselines</b> ${data.baselines.length === 0 ? 'were not run here, so no rate above has anything to stand beside.' : html`stand beside every rate: ${listText(data.baselines.map(({ name }) => name))}.`}</p>`;
}
