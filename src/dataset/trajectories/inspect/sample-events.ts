import { defined, type Json, type JsonObject } from '../../../core/json.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { callsIn, textOf } from '../conversation.ts';
import { modelEvent, type StepWriter } from './model-event.ts';
import { scoreOf } from './score.ts';
import type { Lane } from './timeline.ts';

/** Writes the whole tree of an episode: the path to its end, and a branch for all that left it. */
export function writeTree(writer: StepWriter, span: string): Lane {
  const { record } = writer;
  const main = new Set(record.tree.path(record.end.leaf).map(({ id }) => id));
  const lane: Lane = { id: span, name: record.head.student, from: null, events: [], branches: [] };
  writeFrom(writer, 0, { lane, next: children => children.find(({ id }) => main.has(id)) });
  return lane;
}

interface Walk {
  readonly lane: Lane;
  /** The child that this lane goes on with. */
  next(children: readonly TreeNode[]): TreeNode | undefined;
}

function writeFrom(writer: StepWriter, start: number, { lane, next }: Walk): void {
  const { record } = writer;
  for (let at = start; ; ) {
    const children = record.tree.children(at);
    const on = next(children);
    const others = children.filter(child => child !== on);
    if (others.length > 0) writeBranches(writer, lane, others);
    if (on === undefined) return;
    writeStep(writer, lane, on);
    at = on.id;
  }
}

/** Branches leave the lane at an anchor: the state after the node before them. */
function writeBranches(writer: StepWriter, lane: Lane, first: readonly TreeNode[]): void {
  const { log, record } = writer;
  const anchor = `node-${first[0]?.parent ?? 0}`;
  lane.events.push(log.add(lane.id, { event: 'anchor', anchor_id: anchor }));
  const verified = new Set(record.leaves.flatMap(({ node }) => record.tree.path(node).map(({ id }) => id)));
  for (const child of first) {
    const name = record.corrections.some(({ replaces }) => replaces === child.id) ? 'rejected' : 'branch';
    const branch: Lane = { id: `${lane.id}/${child.id}`, name, from: anchor, events: [], branches: [] };
    lane.branches.push(branch);
    log.begin({ id: branch.id, name, type: 'branch', parent: lane.id });
    branch.events.push(log.add(branch.id, { event: 'branch', from_anchor: anchor }));
    writeStep(writer, branch, child);
    // A branch goes on where it was verified, or else with what was done first.
    const next: Walk['next'] = children => children.find(({ id }) => verified.has(id)) ?? children[0];
    writeFrom(writer, child.id, { lane: branch, next });
    log.end(branch.id);
  }
}

function writeStep(writer: StepWriter, lane: Lane, node: TreeNode): void {
  const { log, record } = writer;
  const request = writer.request(node.id);
  const add = (event: JsonObject): void => void lane.events.push(log.add(lane.id, event));
  if (request !== null) add(modelEvent(writer, node, request));
  add(toolEvent(writer, node));
  for (const review of record.reviews) {
    if (review.nodes.at(-1) !== node.id) continue;
    const { by, accept, at, reason } = review;
    add({ event: 'info', source: `review by ${by.name}`, data: { accept, at, reason } });
  }
  for (const { node: leaf, role, verdict } of record.leaves) {
    if (leaf !== node.id || role === 'main' || verdict === null || leaf === record.end.leaf) continue;
    add({ event: 'score', score: scoreOf(verdict), intermediate: true, scorer: 'verifier', metadata: { leaf, role } });
  }
}

function toolEvent(writer: StepWriter, node: TreeNode): JsonObject {
  const { record } = writer;
  const { id, name, input } = calledTool(writer, node);
  const { applied, problem, incidents, end, result } = node.outcome;
  return defined({
    event: 'tool',
    id,
    type: 'function',
    function: name,
    arguments: input,
    result: resultText(writer, node, id) ?? [record.text(node.id), ...resultLine(result)].join('\n'),
    error: problem === undefined ? undefined : { type: 'unknown', message: problem.message },
    metadata: defined({ node: node.id, digest: node.after, applied, end, incidents }) as unknown as JsonObject,
  }) as JsonObject;
}

interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** The call that an answer made, or the action where it made none. */
function calledTool({ request }: StepWriter, { id, action }: TreeNode): CalledTool {
  const answer = request(id)?.answer(id);
  const call = answer === undefined ? undefined : callsIn(answer)[0];
  if (call !== undefined && typeof call.input !== 'string') return { id: call.id, name: call.name, input: call.input };
  const { kind, ...members } = action;
  if (action.kind === 'call') return { id: `node-${id}`, name: action.tool, input: action.input };
  return { id: call?.id ?? `node-${id}`, name: kind, input: members as JsonObject };
}

function resultLine(result: Json | undefined): string[] {
  return result === undefined ? [] : [typeof result === 'string' ? result : JSON.stringify(result)];
}

/** What the agent was told of its step, if it was asked again after it. */
function resultText({ record, request }: StepWriter, { id }: TreeNode, call: string): string | null {
  const [child] = record.tree.children(id);
  const messages = child === undefined ? [] : (request(child.id)?.messages ?? []);
  const result = messages.findLast(({ role, tool_call_id: answered }) => role === 'tool' && answered === call);
  return result === undefined ? null : textOf(result);
}
