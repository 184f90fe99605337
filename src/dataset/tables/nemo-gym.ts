import type { EpisodeRecord } from '../../core/episode/record.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Message } from '../requests/wire.ts';
import type { Requests } from '../requests/requests.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';

/** Rows of a dataset for NeMo Gym: tasks to run, not what came of them. */
export const nemoGym: Table = {
  name: 'nemo-gym',
  columns: columns({ responses_create_params: 'object', verifier_metadata: 'object', agent_ref: 'object' }),
};

/** The agent that the rows are run by, unless the configuration of NeMo Gym says otherwise. */
const agent = { type: 'responses_api_agents', name: 'espalier_simple_agent' };

/** The task of an episode, asked as the first request of it was. Further trials of a task have no row. */
export function* nemoGymRows(record: EpisodeRecord, requests: Requests): Iterable<Row> {
  const { task, trial } = record.head;
  const [first] = record.tree.children(0);
  if (trial !== 0 || first === undefined) return;
  const request = requests.of(record, first.id);
  if (request === null) return;
  const tools = JSON.parse(request.tools) as JsonObject[];
  yield {
    responses_create_params: {
      input: request.messages.map(inputMessage),
      tools: tools.map(functionTool),
      parallel_tool_calls: false,
    },
    verifier_metadata: { environment: task.environment, task: task.id, seed: task.seed, split: task.split },
    agent_ref: agent,
  };
}

function inputMessage({ role = '', content = '' }: Message): JsonObject {
  return { role, content: textOf(content) };
}

/** Pictures are left out: agents of NeMo Gym get screens as text. */
function textOf(content: Json): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  const texts = (content as readonly Json[]).map(part => (isJsonObject(part) ? (part['text'] ?? '') : ''));
  return texts.filter(text => text !== '').join('\n');
}

/** As the Responses API has it: not inside a member `function`. */
function functionTool({ function: own = {} }: JsonObject): JsonObject {
  const { name = '', description = '', parameters = {} } = own as JsonObject;
  return { type: 'function', name, description, parameters, strict: false };
}
