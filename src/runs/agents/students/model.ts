import { hash } from 'node:crypto';
import { invalidOption, type EspalierError } from '../../../core/errors.ts';
import { modelSchema } from '../../settings/model-config.ts';
import { endpointUsage, modelNamed } from '../../settings/model-named.ts';
import { settlePrompts } from '../../settings/prompt-files.ts';
import { defineStudent } from '../agent-entry.ts';

export const model = defineStudent({
  name: 'model',
  usage: endpointUsage,
  about: 'A model behind an endpoint.',
  config: modelSchema,
  read: modelNamed,
  settle: settlePrompts,
  async open(config, { connect }) {
    if (config.model === 'espalier:planner') throw isPrivileged();
    const { createLlmPolicy } = await import('../../../agents/llm/llm-policy.ts');
    const { asking, version } = await connect(config, 'policy');
    const { url: _url, deadline: _deadline, prompts: _prompts, ...rest } = settlePrompts(config);
    const identity = `${config.model} ${hash('sha256', JSON.stringify([rest, version])).slice(0, 8)}`;
    return { make: head => createLlmPolicy(asking(head)), identity };
  },
});

function isPrivileged(): EspalierError {
  return invalidOption(
    'The planner sees privileged state, and would pass for a student.',
    'Use it as --teacher, or in this process with --student planner, where its steps are not taken for a student’s.',
  );
}
