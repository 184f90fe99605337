import { createEmbeddedScreenshots } from '../report/embedded-screenshots.ts';
import { differenceStrip } from '../report/figures/strip.ts';
import { html, type Content } from '../report/html.ts';
import { writePage } from '../report/page.ts';
import { keyFigureList, section, table, type Part } from '../report/section.ts';
import { evidenceChart } from './evidence-chart.ts';
import { differenceText, pointsText, type GateResult, type Look } from './result.ts';

/** The decision as one HTML page that loads nothing. */
export function writeGatePage(result: GateResult, version: string): string {
  const parts = [evidencePart(result), slicesPart(result), symptomsPart(result), unitsPart(result)];
  return writePage({
    title: `Gate: ${result.decision}`,
    version,
    album: createEmbeddedScreenshots([], {}),
    header: header(result),
    main: parts.flatMap(part => (part !== null && 'drawn' in part ? [part.drawn] : [])),
  });
}

const marks = {
  ship: { kind: 'holds', sign: '✓', words: 'Ship' },
  'do not ship': { kind: 'fails', sign: '✗', words: 'Do not ship' },
  'not enough evidence': { kind: 'open', sign: '?', words: 'Not enough evidence' },
} as const;

function header(result: GateResult): Content {
  const { candidate, release, decision, reasons, pairs, unpaired, saved } = result;
  const { kind, sign, words } = marks[decision];
  const of = (change: string): number => result.tasks.filter(task => task.change === change).length;
  return html`<h1>${candidate} in place of ${release}</h1>
<p class="verdict">${words}</p>
<ul class="claims">${reasons.map(reason => html`<li class="${kind}"><span class="mark">${sign}</span><p>${reason}</p></li>`)}</ul>
${keyFigureList([
  [`${of('fix')}`, 'tasks fixed', 'failed before, pass now'],
  [`${of('regression')}`, 'tasks lost', 'passed before, fail now'],
  [`${of('passed in both')}`, 'passed in both', `${of('failed in both')} failed in both`],
  [`${pairs}`, 'pairs of episodes', remarkOf(unpaired, saved)],
])}`;
}

function remarkOf(unpaired: number, saved: number): string {
  const errors = unpaired === 0 ? 'none without a verdict' : `${unpaired} without a verdict of both, in no figure`;
  return saved === 0 ? errors : `${errors}; ${saved} episodes of the plan were not needed`;
}

function evidencePart(result: GateResult): Part {
  const { evidence, rule, unit } = result;
  const goal = rule.goal === 'better' ? 'better' : `not worse by ${pointsText(rule.difference)} points`;
  const limit = Math.round(1 / rule.alpha);
  return section({
    id: 'evidence',
    title: 'Evidence',
    finding: `Is the candidate ${goal}? Difference over ${evidence.units} ${unit}s: ${differenceText(evidence)}, ${Math.round(100 * (1 - 2 * rule.alpha))} % interval that holds at every look. Evidence of ${limit} decides; a candidate on the other side reaches it at most ${Math.round(rule.alpha * 100)} times in 100. Exact test over ${unit}s, if nothing was stopped early: p = ${chance(evidence.exact.above)} for better, ${chance(evidence.exact.below)} for worse.`,
    body: evidenceChart(result),
  });
}

function chance(value: number): string {
  return value < 0.0005 ? '< 0.001' : value.toFixed(3);
}

function slicesPart({ slices }: GateResult): Part | null {
  if (slices.length === 0) return null;
  return section({
    id: 'slices',
    title: 'Budgets',
    finding: 'Tasks that passed before and do not now. A task with several trials counts by majority.',
    body: table({
      caption: 'Regressions in each slice',
      head: ['slice', 'tasks', 'regressions', 'allowed', ''],
      rows: slices.map(({ name, where, tasks, regressions, budget }) => [
        html`${name} <code>${where}</code>`,
        tasks,
        regressions,
        budget,
        regressions > budget ? 'over' : tasks === 0 ? 'not run' : 'kept',
      ]),
    }),
  });
}

function symptomsPart({ symptoms }: GateResult): Part | null {
  if (symptoms.length === 0) return null;
  return section({
    id: 'causes',
    title: 'What the lost tasks look like',
    finding: 'Regressions with the same reason and the same kinds of failed checks, each with one example to look at.',
    body: table({
      caption: 'Symptoms',
      head: ['symptom', 'tasks', 'templates', 'example'],
      rows: symptoms.map(({ text, tasks, templates, example }) => [
        text,
        tasks.length,
        templates.join(', '),
        html`${example.task}: ${example.checks.join(', ')}<br><code>${example.command}</code>`,
      ]),
    }),
  });
}

function unitsPart({ looks, unit }: GateResult): Part {
  return section({
    id: 'units',
    title: `By ${unit}`,
    finding: `In the order in which they were run. Pairs of one ${unit} depend on each other, so each ${unit} counts once.`,
    body: table({
      caption: 'Pairs that flipped, and the evidence afterwards',
      head: [unit, 'difference', 'fixes', 'regressions', 'pairs', 'for the goal', 'against it'],
      rows: looks.map(look => [
        look.name,
        unitStrip(look),
        look.fixes,
        look.regressions,
        look.pairs,
        evidenceText(look.forGoal),
        evidenceText(look.againstGoal),
      ]),
    }),
  });
}

function evidenceText(evidence: number): string {
  return evidence >= 10 ? Math.round(evidence).toLocaleString('en') : evidence.toPrecision(2);
}

function unitStrip({ pairs, fixes, regressions }: Look): Content {
  if (pairs === 0) return 'no verdict of both';
  const mean = (fixes - regressions) / pairs;
  return differenceStrip({ mean, low: mean, high: mean }, `${mean > 0 ? '+' : ''}${pointsText(mean)}`);
}
