import { labelOf, type ReportData } from '../data.ts';
import { html } from '../html.ts';
import { type Part, section } from '../section.ts';
import { figure } from '../words.ts';
import { strip } from './strip.ts';

const title = 'Was the teacher right?';

export function teacherSection(data: ReportData): Part {
  const measured = data.rejections.filter(({ lived }) => lived > 0);
  if (measured.length === 0) {
    const missing =
      'No rejected branch lived on in this run, so wrong rejections cannot be told from right ones. The branching variant lets them live on.';
    return { title, missing };
  }
  return section({
    id: 'teacher',
    title,
    finding: `A rejected branch that lives on and passes the verifier was rejected wrongly, or was no more than a detour: ${measured
      .map(({ arm, lived, passed }) => `${figure(passed)} of ${figure(lived)} with ${labelOf(data, arm)}`)
      .join('; ')}. Intervals are Wilson, 95 %.`,
    body: html`<div class="scroll"><table class="strips snug"><caption><span>Wrong rejections among the rejected branches that lived on</span></caption>
<thead><tr><th scope="col">Arm</th><th scope="col">Rejected</th><th scope="col">Lived on</th><th scope="col">Passed</th><th scope="col" class="wide">Wrongly rejected</th></tr></thead>
<tbody>${measured.map(({ arm, rejected, lived, passed, interval }) => {
      const rate = passed / lived;
      return html`<tr><th scope="row">${labelOf(data, arm)}</th><td>${figure(rejected)}</td><td>${figure(lived)}</td><td>${figure(passed)}</td>
<td class="wide">${strip({
        rate,
        interval,
        index: Math.max(
          0,
          data.arms.findIndex(({ id }) => id === arm),
        ),
      })}</td></tr>`;
    })}</tbody></table></div>`,
  });
}
