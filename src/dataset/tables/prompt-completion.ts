import { EspalierError, invalidOption } from '../../core/errors.ts';
import type { ChatTemplate } from '../fit/chat-template.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import type { Exporter } from '../rows/exporter.ts';
import { provenanceColumns } from '../rows/provenance.ts';
import { archivedSteps, stepColumns, type ArchivedEpisode } from './next-actions.ts';

const stepShape = { tools: 'string', request: 'string', action: 'string', applied: 'boolean' } as const;

export const promptCompletion: Table = {
  name: 'prompt-completion',
  columns: [...columns({ prompt: 'messages', completion: 'messages', ...stepShape }), ...provenanceColumns],
};

/** The steps of `next-actions`, cut where the answer begins: trainers learn the completion alone. */
export function* promptCompletionRows(episode: ArchivedEpisode): Iterable<Row> {
  for (const step of archivedSteps(episode)) {
    yield {
      prompt: step.request.messages,
      completion: [step.request.answer(step.node.id)],
      ...stepColumns(step),
    };
  }
}

const textTable: Table = {
  name: 'prompt-completion-text',
  columns: [...columns({ prompt: 'string', completion: 'string', ...stepShape }), ...provenanceColumns],
};

/** The same rows as texts, as the chat template of one model writes them; null where no template was given. */
export function promptCompletionText(template: ChatTemplate | null): Exporter {
  return {
    ...textTable,
    about: 'The rows of prompt-completion as texts, by the chat template that --for names; written when asked for.',
    episodes: 'training',
    pictured: false,
    located: true,
    isOptional: true,
    needsTemplate: true,
    *rows(episode) {
      if (template === null) throw needsTemplate();
      for (const step of archivedSteps(episode)) {
        const { messages, tools } = step.request;
        const written = template.write({ prompt: messages, answer: [step.request.answer(step.node.id)], tools });
        if ('refused' in written) throw refused(written.refused);
        yield { prompt: written.prompt, completion: written.completion, ...stepColumns(step) };
      }
    },
  };
}

function needsTemplate(): EspalierError {
  return invalidOption(
    'The table prompt-completion-text needs a chat template.',
    'Expected --for <folder> with the tokenizer.json and chat template of your model, or the table prompt-completion.',
  );
}

function refused(reason: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `The chat template refuses a row: ${reason}`,
    expected: 'Expected a template that writes tools and answers: use that of an instruction-tuned model.',
  });
}
