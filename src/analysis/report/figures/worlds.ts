import type { Estimate } from '../../estimate.ts';
import { percentText } from '../../estimate.ts';
import { count } from '../../../core/text.ts';
import type { ReportWorlds } from '../data.ts';
import { html, type Markup } from '../html.ts';
import { behind } from '../section.ts';
import { figure, fullText, tidy } from '../words.ts';
import { drawChart, type ChartPoint, type Rule, type Series } from './chart.ts';

type Point = ReportWorlds['points'][number];
type LevelName = 'newInstances' | 'heldOut' | 'newComposition' | 'unseenSkill' | 'unseenApps';

interface Panel {
  readonly title: string;
  readonly remark: string;
  /** The first is the level itself; others are parts of it. */
  readonly lines: readonly { readonly level: LevelName; readonly label: string; readonly index: number }[];
}

const panels: readonly Panel[] = [
  {
    title: 'New instances',
    remark: 'Templates that were taught, other data.',
    lines: [{ level: 'newInstances', label: 'student', index: 0 }],
  },
  {
    title: 'New templates',
    remark:
      'Kinds of tasks that were never taught, in apps that were; known parts are controls that hand-written tasks use.',
    lines: [
      { level: 'heldOut', label: 'student', index: 0 },
      { level: 'newComposition', label: 'known parts', index: 2 },
      { level: 'unseenSkill', label: 'new parts', index: 3 },
    ],
  },
  {
    title: 'Unseen apps',
    remark: 'Apps that were never taught, about things that no taught app is about.',
    lines: [{ level: 'unseenApps', label: 'student', index: 0 }],
  },
];

/** The picture at the top: success on each level against the number of forged tasks that students were taught. */
export function worldsFigure(worlds: ReportWorlds): Markup {
  const students = worlds.points[0]?.students ?? 1;
  return html`<div class="panels three worlds">${panels.map(panel => drawPanel(worlds, panel))}</div>
<p class="finding">${tidy(
    `Every student is taught the same hand-written tasks; from left to right more forged tasks are added, half of them in made-up apps. Bands are 95 % intervals over apps, templates, tasks and ${count(students, 'training seed')}; thin lines are baselines on the same tasks.`,
  )}</p>
${behind(numbersBehind(worlds))}`;
}

function drawPanel(worlds: ReportWorlds, { title, remark, lines }: Panel): Markup {
  const { points, baselines } = worlds;
  const level = (lines[0] as Panel['lines'][number]).level;
  const measured = baselines.flatMap(baseline => {
    const rate = baseline[level]?.rate;
    return typeof rate === 'number' ? [{ label: baseline.name, rate }] : [];
  });
  const chart = drawChart({
    title,
    axis: 'Forged tasks taught',
    ticks: points.map((_, index) => index),
    tickLabels: points.map(({ tasks }) => figure(tasks)),
    series: lines.map(line => seriesOf(points, line)),
    rules: namedRules(measured),
    isNarrow: true,
  });
  const beside = measured.map(({ label, rate }) => `${label} ${percentText(rate)}`).join(', ');
  return html`<div>${chart}<p class="remark">${remark} ${beside === '' ? null : tidy(`Baselines: ${beside}.`)}</p></div>`;
}

function seriesOf(points: readonly Point[], { level, label, index }: Panel['lines'][number]): Series {
  const found = points.flatMap((point, x): ChartPoint[] => {
    const estimate = point[level];
    if (!isMeasured(estimate)) return [];
    return [{ x, estimate, at: `${count(point.tasks, 'forged task')}, ${count(point.apps, 'made-up app')}` }];
  });
  const last = found.at(-1);
  return {
    label: last === undefined ? label : tidy(`${label} ${percentText(last.estimate.rate)}`),
    index,
    points: found,
  };
}

/** Only the planner and the best of the others are named in the picture: the rest crowd near 0. */
function namedRules(measured: readonly Rule[]): Rule[] {
  const others = measured.filter(({ label }) => label !== 'planner');
  const best = others.toSorted((a, b) => b.rate - a.rate)[0];
  return measured.filter(rule => rule.label === 'planner' || rule === best);
}

function isMeasured(estimate: Estimate | null): estimate is Estimate & { readonly rate: number } {
  return estimate !== null && estimate.rate !== null;
}

const levels = [
  ['New instances', 'newInstances'],
  ['New templates', 'heldOut'],
  ['New composition', 'newComposition'],
  ['Unseen skill', 'unseenSkill'],
  ['Unseen apps', 'unseenApps'],
] as const;

function numbersBehind({ points, baselines }: ReportWorlds) {
  const rates = (own: Point | ReportWorlds['baselines'][number]): string[] =>
    levels.map(([, level]) => {
      const estimate = own[level] ?? null;
      return estimate === null ? '–' : fullText(estimate);
    });
  return {
    caption: 'Success rate with 95 % interval, by forged tasks taught; then the baselines.',
    head: ['Forged tasks', 'Made-up apps', 'Demonstrated steps', ...levels.map(([title]) => title)],
    rows: [
      ...points.map(point => [figure(point.tasks), figure(point.apps), figure(point.steps), ...rates(point)]),
      ...baselines.map(baseline => [baseline.name, '–', '–', ...rates(baseline)]),
    ],
  };
}
