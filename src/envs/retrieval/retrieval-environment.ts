import type { StateEnvironment, TemplateInfo } from '../../core/contracts.ts';
import { EspalierError, invalidTask } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues } from '../../core/records.ts';
import { createMemory } from '../../worlds/app/memory.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createSearchIndex } from './bm25.ts';
import { createLibrary, textOf, type Document, type Library } from './documents.ts';
import { createKnowledgeGraph } from './graph.ts';
import { derive, namesIn, questionSchema, questionText } from './question.ts';
import { drawQuestion, type QuestionShape } from './sample-question.ts';
import { retrievalRules, type RetrievalPlace } from './retrieval-rules.ts';
import { retrievalTools } from './tools.ts';

export interface RetrievalOptions {
  readonly seed: number;
  /** Documents in the library. */
  readonly documents: number;
}

interface RetrievalTemplate extends TemplateInfo, QuestionShape {}

/** The longest ways, and the longest with a time, are held out. */
export const retrievalTemplates: readonly RetrievalTemplate[] = [
  shape('one-hop', { hops: 1, timed: false }),
  shape('two-hops', { hops: 2, timed: false }),
  shape('three-hops', { hops: 3, timed: false }),
  shape('four-hops', { hops: 4, timed: false, heldOut: true }),
  shape('one-hop-in-time', { hops: 1, timed: true }),
  shape('two-hops-in-time', { hops: 2, timed: true }),
  shape('three-hops-in-time', { hops: 3, timed: true, heldOut: true }),
];

function shape(id: string, { hops, timed, heldOut = false }: QuestionShape & { heldOut?: boolean }): RetrievalTemplate {
  const about = `A question over ${hops} ${hops === 1 ? 'fact' : 'facts in different documents'}${timed ? ', one of them at a time' : ''}.`;
  return { id, hops, timed, split: heldOut ? 'test' : 'train', kind: 'feasible', about };
}

/** Share of the documents that are about an entity; the rest are notes that say nothing. */
const entityShare = 0.8;
const rememberedDocuments = 2000;
const spareSteps = 8;
const stepsForFact = 6;

/** Makes the world of a seed and its index: about a tenth of a second for 2,000 documents. */
export function createRetrievalPlace({ seed, documents }: RetrievalOptions): RetrievalPlace {
  const graph = createKnowledgeGraph(seed, Math.round(entityShare * documents));
  const written = createLibrary(graph, documents);
  const index = createSearchIndex(textsOf(written));
  const remember = createMemory<Document>(rememberedDocuments);
  const library = { ...written, document: (place: number) => remember(String(place), () => written.document(place)) };
  return { library, index, places: new Map(graph.entities.map(({ name }, place) => [name, place])) };
}

function* textsOf({ size, document }: Library): Generator<string> {
  for (let place = 0; place < size; place++) yield textOf(document(place));
}

/** Stored tasks have it, and chance comes from it: it stays what it was when names began with `search:`. */
function environmentId({ seed, documents }: RetrievalOptions): string {
  return `search-${seed}-${documents}`;
}

/** A library that agents search for the answers to questions over several documents. */
export function createRetrievalEnvironment(
  options: RetrievalOptions,
  place: RetrievalPlace = createRetrievalPlace(options),
): StateEnvironment {
  const { graph } = place.library;
  const id = environmentId(options);
  return createRuleEnvironment({
    id,
    title: `Library of ${options.documents} documents`,
    templates: retrievalTemplates.map(({ id: name, split, kind, about }) => ({ id: name, split, kind, about })),
    tools: retrievalTools,
    draw(template, seed) {
      const wanted = retrievalTemplates.find(known => known.id === template) as RetrievalTemplate;
      const random = createRandom(`${id} ${template} ${seed}`);
      const drawn = drawForSeed({
        seed,
        what: `questions of ${id}/${template}`,
        draw: () => drawQuestion({ graph, index: place.index }, wanted, random),
        contentOf: ({ question }) => questionText(question),
      });
      if (drawn === null) throw noQuestion(id, template);
      const { question, facts } = drawn;
      const instruction = `${questionText(question)} Search the library, read the documents, and finish with the name alone.`;
      const parameters = { ...question, names: namesIn(question) };
      return { instruction, parameters, steps: spareSteps + stepsForFact * facts.length };
    },
    rules({ id: task, parameters }) {
      const { names: _names, ...given } = parameters;
      const parsed = questionSchema.safeParse(given);
      if (!parsed.success) throw invalidTask(`Task ${task} has no question.`, `${describeIssues(parsed.error)}.`);
      const derivation = derive(graph, parsed.data);
      if (derivation === null)
        throw invalidTask(`The question of task ${task} has no single answer here.`, 'Expected a task as it was made.');
      return retrievalRules({ ...place, question: parsed.data, derivation });
    },
  });
}

function noQuestion(environment: string, template: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `Environment "${environment}" has no question for "${template}".`,
    expected: 'Expected a library of at least 200 documents.',
  });
}
