import type { ToolInfo } from '../../../core/contracts.ts';
import { longestAnswer } from '../../../worlds/verdict/answer-dress.ts';

const answer = { type: 'string', maxLength: longestAnswer };

export const checkFormat: ToolInfo = {
  name: 'check_format',
  description: 'Tells whether an answer can be read, and as what. It does not tell whether the answer is right.',
  input: { type: 'object', properties: { answer }, required: ['answer'], additionalProperties: false },
};

/** Only where a question has several steps. */
export const reportStep: ToolInfo = {
  name: 'report_step',
  description: 'Reports the result of a step, such as R1, for partial credit. The last step is answered by finish.',
  input: {
    type: 'object',
    properties: { step: { type: 'integer', minimum: 1, maximum: 200 }, answer },
    required: ['step', 'answer'],
    additionalProperties: false,
  },
};
