import type { ToolInfo } from '../../core/contracts.ts';

export const longestText = 200;
const text = { type: 'string', minLength: 1, maxLength: longestText };

export const searchTool: ToolInfo = {
  name: 'search',
  description: 'Searches the library. Lists up to eight documents, best first.',
  input: { type: 'object', properties: { query: text }, required: ['query'], additionalProperties: false },
};

export const openTool: ToolInfo = {
  name: 'open',
  description:
    'Opens a document that a search listed, such as d12, and shows six lines from a line on; from the first when none is given.',
  input: {
    type: 'object',
    properties: { document: { type: 'string', maxLength: 12 }, line: { type: 'integer', minimum: 1, maximum: 1000 } },
    required: ['document'],
    additionalProperties: false,
  },
};

export const findTool: ToolInfo = {
  name: 'find',
  description: 'Shows the lines of the open document that contain a text, at most six.',
  input: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
};

export const retrievalTools: readonly ToolInfo[] = [searchTool, openTool, findTool];
