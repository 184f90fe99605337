import { z } from 'zod';
import { ownChecks } from '../../core/check-ids.ts';
import type { StateEnvironment, StateSession, TemplateInfo, ToolInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues, type CheckResult, type Ending, type Verdict } from '../../core/records.ts';
import type { UiNode } from '../../core/ui.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { refusal, type Move, type Rules } from '../../worlds/rules/rule-session.ts';
import {
  drawInterface,
  interfaceBriefSchema,
  interfaceText,
  jobsOf,
  type InterfaceBrief,
  type InterfaceSize,
  type Job,
} from './interface-brief.ts';
import { mostControls, pageScreen, pagesMatch, pagesSchema, writePages, type Pages } from './interface-pages.ts';
import { tryJob } from './interface-user.ts';

type InterfaceState = { readonly design: Pages | null };

interface InterfaceTemplate extends TemplateInfo, InterfaceSize {}

function template(id: string, size: InterfaceSize, split: 'train' | 'test'): InterfaceTemplate {
  const about = `Pages for ${size.forms} things that users do, with up to ${size.fields} fields each.`;
  return { id, ...size, split, kind: 'feasible', about };
}

const interfaceTemplates: readonly InterfaceTemplate[] = [
  template('small-app', { forms: 2, fields: 3 }, 'train'),
  template('app', { forms: 3, fields: 4 }, 'train'),
  template('large-app', { forms: 5, fields: 5 }, 'test'),
];

const tools: readonly ToolInfo[] = [
  {
    name: 'write_pages',
    description:
      'Writes all pages, in place of those that were there. A user then tries them; the result says where it got stuck.',
    input: z.toJSONSchema(pagesSchema) as JsonObject,
  },
];
const form = `Users begin at the first page. A link leads to the page that it names; a button sends everything that is entered on its page. A page has at most ${mostControls} controls. Write the pages with write_pages, see where a user gets stuck, write them again if need be, then finish.`;

/** Pages from a brief (AUI-Gym): the verifier recovers the brief from them, and a user tries everything it asks for. */
export function createInterfaceEnvironment(): StateEnvironment {
  return createRuleEnvironment<InterfaceState>({
    id: 'interface',
    title: 'Pages from a brief',
    templates: interfaceTemplates.map(({ id, split, kind, about }) => ({ id, split, kind, about })),
    tools,
    draw(name, seed) {
      const { forms, fields } = interfaceTemplates.find(({ id }) => id === name) as InterfaceTemplate;
      const random = createRandom(`interface ${name} ${seed}`);
      const brief = drawForSeed({
        seed,
        what: `briefs of ${name}`,
        draw: () => drawInterface({ forms, fields }, random),
        contentOf: interfaceText,
      }) as InterfaceBrief;
      return { instruction: `${interfaceText(brief)} ${form}`, parameters: { brief }, steps: 8 };
    },
    rules({ id, parameters }) {
      const parsed = interfaceBriefSchema.safeParse(parameters['brief']);
      if (!parsed.success) throw invalidTask(`Task ${id} has no brief.`, `${describeIssues(parsed.error)}.`);
      return interfaceRules(parsed.data);
    },
  });
}

function interfaceRules(brief: InterfaceBrief): Omit<Rules<InterfaceState>, 'task' | 'digest'> {
  const jobs = jobsOf(brief);
  return {
    initial: { design: null },
    call: (state, tool, input) => (tool === 'write_pages' ? write(state, input, jobs) : unknownTool(state, tool)),
    screen: ({ design }) => designScreen(design),
    candidates: () => [],
    verdict: ({ design }, ending) => verdictOf(brief, { design, ending, jobs }),
    guide({ design }) {
      const isRight = pagesMatch(design, brief) === 1 && jobs.every(job => stuckAt(design, job) === null);
      const guide = {
        unmet: Number(!isRight),
        unmetChecks: Number(!isRight),
        clean: true,
        finish: { kind: 'finish' } as const,
      };
      return isRight ? guide : { ...guide, next: { kind: 'call', tool: 'write_pages', input: writePages(brief) } };
    },
  };
}

function unknownTool(state: InterfaceState, tool: string): Move<InterfaceState> {
  return { state, outcome: refusal('unknown-command', `There is no tool "${tool}". Expected write_pages.`) };
}

/** Takes the pages, and tells where a user who does each thing once gets stuck. */
function write(state: InterfaceState, input: JsonObject, jobs: readonly Job[]): Move<InterfaceState> {
  const parsed = pagesSchema.safeParse(input);
  if (!parsed.success)
    return { state, outcome: refusal('invalid-action', `Expected pages: ${describeIssues(parsed.error)}.`) };
  const first = [...Map.groupBy(jobs, ({ button }) => button).values()].map(([job]) => job as Job);
  const stuck = first.flatMap(job => {
    const where = stuckAt(parsed.data, job);
    return where === null ? [] : [`${job.button}: ${where}`];
  });
  return {
    state: { design: parsed.data },
    outcome: { applied: true, result: { done: first.length - stuck.length, of: first.length, stuck } },
  };
}

function stuckAt(design: Pages | null, job: Job): string | null {
  return design === null ? 'there are no pages' : tryJob(design, job);
}

function designScreen(design: Pages | null): UiNode {
  if (design === null)
    return { role: 'page', name: 'Design', children: [{ role: 'text', name: 'There are no pages.' }] };
  return { role: 'page', name: design.title, children: design.pages.map(pageScreen) };
}

interface Judged extends InterfaceState {
  readonly ending: Ending | null;
  readonly jobs: readonly Job[];
}

/** A check for each thing that users do, one that the pages ask for nothing else; progress is the mean of jobs done and match. */
function verdictOf(brief: InterfaceBrief, { design, ending, jobs }: Judged): Verdict {
  const done = jobs.map(job => stuckAt(design, job) === null);
  const match = pagesMatch(design, brief);
  const checks: CheckResult[] = brief.forms.map(({ button }, at) => ({
    id: `job-${at + 1}`,
    name: `users can do "${button}"`,
    pass: jobs.every((job, own) => job.button !== button || done[own] === true),
  }));
  checks.push({ id: 'as-briefed', name: 'the pages ask for what the brief says and nothing else', pass: match === 1 });
  checks.push({ ...ownChecks.agentFinished, pass: ending !== null });
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  return {
    pass: checks.every(({ pass }) => pass),
    checks,
    progress: (done.filter(Boolean).length / done.length + match) / 2,
    clean: true,
    evidence: { sideEffects: [], answer: ending?.answer ?? null },
  };
}

/** Who writes the words of the brief on a page, and who puts a button for everything on one page. */
export const interfaceBaselines = [
  { name: 'copy the words', play: (session: StateSession) => writeThis(session, []) },
  {
    name: 'buttons alone',
    play: (session: StateSession) =>
      writeThis(
        session,
        [...session.task.instruction.matchAll(/"([^"]+)" with/g)].map(found => ({
          kind: 'button',
          label: found[1] ?? '',
        })),
      ),
  },
];

function writeThis(session: StateSession, controls: readonly JsonObject[]): void {
  const title = /"([^"]+)"/.exec(session.task.instruction)?.[1] ?? '';
  session.step({ kind: 'call', tool: 'write_pages', input: { title, pages: [{ name: 'Home', controls }] } });
  session.step({ kind: 'finish' });
}
