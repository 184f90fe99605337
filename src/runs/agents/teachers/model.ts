import { modelSchema } from '../../settings/model-config.ts';
import { endpointUsage, modelNamed } from '../../settings/model-named.ts';
import { settlePrompts } from '../../settings/prompt-files.ts';
import { defineTeacher } from '../agent-entry.ts';

export const model = defineTeacher({
  name: 'model',
  usage: endpointUsage,
  about: 'A model behind an endpoint.',
  config: modelSchema,
  read: modelNamed,
  settle: settlePrompts,
  async open(config, { connect }) {
    const { createLlmTeacher } = await import('../../../agents/llm/llm-teacher.ts');
    const { asking } = await connect(config, 'reviewer');
    return { make: head => createLlmTeacher(asking(head)) };
  },
});
