import { ownChecks } from '../../core/check-ids.ts';
import type { StateEnvironment, StateSession, TemplateInfo, ToolInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues, type CheckResult, type Ending, type Verdict } from '../../core/records.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { refusal, type Rules } from '../../worlds/rules/rule-session.ts';
import {
  briefSchema,
  briefText,
  drawBrief,
  slidesMatch,
  fieldsIn,
  writeSlides,
  type Brief,
  type BriefSize,
} from './slides.ts';

type SlidesState = { readonly deck: string };

interface SlidesTemplate extends TemplateInfo, BriefSize {}

function template(id: string, size: BriefSize, split: 'train' | 'test'): SlidesTemplate {
  const about = `Slides with ${size.sections} sections of up to ${size.points} points.`;
  return { id, ...size, split, kind: 'feasible', about };
}

const slidesTemplates: readonly SlidesTemplate[] = [
  template('short-deck', { sections: 2, points: 2 }, 'train'),
  template('deck', { sections: 4, points: 3 }, 'train'),
  template('long-deck', { sections: 6, points: 4 }, 'test'),
];

const longestDeck = 20_000;
const tools: readonly ToolInfo[] = [
  {
    name: 'write_slides',
    description: 'Writes the whole deck as Markdown, in place of what was there.',
    input: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: longestDeck } },
      required: ['text'],
      additionalProperties: false,
    },
  },
];
const form =
  'Write Markdown: "# " and the title, then lines "Audience: …" and "Presenter: …", then "## " and a heading for each slide, with "- " before each point. Write it with write_slides, then finish.';

/** Slides from a brief (SlideForge): the verifier recovers the fields of the brief from the slides and compares them. */
export function createSlidesEnvironment(): StateEnvironment {
  return createRuleEnvironment<SlidesState>({
    id: 'slides',
    title: 'Slides from a brief',
    templates: slidesTemplates.map(({ id, split, kind, about }) => ({ id, split, kind, about })),
    tools,
    draw(name, seed) {
      const { sections, points } = slidesTemplates.find(({ id }) => id === name) as SlidesTemplate;
      const random = createRandom(`slides ${name} ${seed}`);
      const brief = drawForSeed({
        seed,
        what: `briefs of ${name}`,
        draw: () => drawBrief({ sections, points }, random),
        contentOf: briefText,
      }) as Brief;
      return { instruction: `${briefText(brief)} ${form}`, parameters: { brief }, steps: 8 };
    },
    rules({ id, parameters }) {
      const parsed = briefSchema.safeParse(parameters['brief']);
      if (!parsed.success) throw invalidTask(`Task ${id} has no brief.`, `${describeIssues(parsed.error)}.`);
      return slideRules(parsed.data);
    },
  });
}

function slideRules(brief: Brief): Omit<Rules<SlidesState>, 'task' | 'digest'> {
  const right = writeSlides(brief);
  return {
    initial: { deck: '' },
    call(state, tool, { text, ...more }) {
      if (tool !== 'write_slides')
        return { state, outcome: refusal('unknown-command', `There is no tool "${tool}". Expected write_slides.`) };
      if (typeof text !== 'string' || text.length > longestDeck || Object.keys(more).length > 0)
        return { state, outcome: refusal('invalid-action', `Expected a text of at most ${longestDeck} characters.`) };
      return { state: { deck: text }, outcome: { applied: true, result: { fields: fieldsIn(text).length } } };
    },
    screen: ({ deck }) => ({
      role: 'page',
      name: 'Slides',
      children: (deck === '' ? ['Nothing is written yet.'] : deck.split('\n')).map(name => ({ role: 'text', name })),
    }),
    candidates: () => [],
    verdict: ({ deck }, ending) => verdictOf(brief, deck, ending),
    guide({ deck }) {
      const unmet = Number(slidesMatch(deck, brief) < 1);
      const guide = { unmet, unmetChecks: unmet, clean: true, finish: { kind: 'finish' } as const };
      return unmet === 0 ? guide : { ...guide, next: { kind: 'call', tool: 'write_slides', input: { text: right } } };
    },
  };
}

/** A check for each field of the brief, one that nothing else is said, and the match of all fields as progress. */
function verdictOf(brief: Brief, deck: string, ending: Ending | null): Verdict {
  const said = fieldsIn(deck);
  const wanted = fieldsIn(writeSlides(brief));
  const checks: CheckResult[] = wanted.map((field, at) => ({
    id: `field-${at + 1}`,
    name: `the slides say "${field}"`,
    pass: said.includes(field),
  }));
  checks.push({ id: 'nothing-else', name: 'the slides say nothing else', pass: said.length === wanted.length });
  checks.push({ ...ownChecks.agentFinished, pass: ending !== null });
  if (ending?.infeasible === true) checks.push({ ...ownChecks.notGivenUp, pass: false });
  return {
    pass: checks.every(({ pass }) => pass) && slidesMatch(deck, brief) === 1,
    checks,
    progress: slidesMatch(deck, brief),
    clean: true,
    evidence: { sideEffects: [], answer: ending?.answer ?? null },
  };
}

/** Who copies the brief, or writes nothing. */
export const slideBaselines = [
  { name: 'copy the brief', play: (session: StateSession) => writeThis(session, session.task.instruction) },
  { name: 'write nothing', play: (session: StateSession) => writeThis(session, '') },
];

function writeThis(session: StateSession, text: string): void {
  session.step({ kind: 'call', tool: 'write_slides', input: { text } });
  session.step({ kind: 'finish' });
}
