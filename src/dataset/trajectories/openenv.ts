import { writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject } from '../../core/json.ts';
import { callsIn, conversationOf, messagesOf, resultOf, type Conversation } from './conversation.ts';
import {
  rewardOf,
  sourceOf,
  taskOf,
  trajectoryId,
  verdictFigures,
  type EpisodeToWrite,
  type TrajectoryFormat,
  type VerifiedLeaf,
} from './format.ts';
import { createJsonLinesWriter } from './json-lines.ts';

const resultsName = 'results.jsonl';
const metadataName = 'metadata.json';

/** The rows that `openenv collect` writes: `results.jsonl`, with `metadata.json` beside it. */
export const openenv: TrajectoryFormat = {
  name: 'openenv',
  about: 'Rows of `openenv collect`: one line for each verified end of an episode.',
  episodes: 'training',
  create({ folder, version }) {
    const rows = createJsonLinesWriter(folder, resultsName, rowsOf);
    return {
      ...rows,
      finish() {
        const [results] = rows.finish();
        const text = `${JSON.stringify({ producer: 'espalier', version, episodes: results?.trajectories ?? 0 }, null, 2)}\n`;
        writeFileSync(join(folder, metadataName), text);
        const metadata = {
          name: metadataName,
          trajectories: 0,
          bytes: Buffer.byteLength(text),
          sha256: hash('sha256', text, 'hex'),
        };
        return results === undefined ? [metadata] : [results, metadata];
      },
    };
  },
};

function* rowsOf({ record, requests, leaves }: EpisodeToWrite): Iterable<JsonObject> {
  for (const leaf of leaves) yield rowOf(leaf, conversationOf(record, leaf.leaf, requests));
}

function rowOf(leaf: VerifiedLeaf, conversation: Conversation): JsonObject {
  const { record, path, verdict } = leaf;
  const { checks, ...figures } = verdictFigures(verdict);
  return {
    episode_id: trajectoryId(leaf),
    messages: messagesOf(conversation),
    reward: rewardOf(leaf),
    done: path.at(-1)?.outcome.end !== undefined,
    tool_trace: conversation.turns.flatMap(turn => turn.nodes.map((_, at) => traceEntry(leaf, turn, at))),
    metrics: { turns: conversation.turns.length, steps: path.length, interventions: leaf.interventions },
    verify_metrics: { ...figures, checks_passed: checks.filter(({ pass }) => pass).length, checks: checks.length },
    artifacts: {},
    task: taskOf(record),
    // Trainers learn every answer of a chat: this says whose each one is.
    extra: { ...sourceOf(leaf), actors: conversation.turns.map(({ nodes: [{ actor }] }) => actor.role) },
  };
}

function traceEntry({ record }: VerifiedLeaf, turn: Conversation['turns'][number], at: number): JsonObject {
  const node = turn.nodes[at] ?? turn.nodes[0];
  const { kind, ...action } = node.action;
  const call = callsIn(turn.answer)[at] ?? { name: kind, input: action as JsonObject };
  const { outcome } = node;
  return {
    tool_name: call.name,
    arguments: typeof call.input === 'string' ? { input: call.input } : call.input,
    result: {
      data: resultOf(record, turn, at),
      done: outcome.end !== undefined,
      metadata: { node: node.id, digest: node.after, actor: node.actor.role },
      error: outcome.problem?.message ?? null,
    },
  };
}
