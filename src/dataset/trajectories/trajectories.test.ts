import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedEpisode, sourceOf } from '../../../test/fixtures/episodes.ts';
import { chatAfter, createTokenEpisodes, teacher } from '../../../test/fixtures/tokens/token-episode.ts';
import { exportAs, jsonLines, startedAt, toolsOf } from '../../../test/fixtures/trajectories/exported.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { exportTrajectories } from './export-trajectories.ts';
import { trajectoryFormats } from './formats.ts';

const text = z.string();
const extra = z.record(z.string(), z.unknown()).optional();
const whole = z.int().nonnegative();

/** ATIF-v1.7 as Harbor checks it: unknown members are refused. */
const stepSchema = z
  .strictObject({
    step_id: z.int().positive(),
    source: z.enum(['system', 'user', 'agent']),
    message: text,
    model_name: text.optional(),
    reasoning_content: text.optional(),
    tool_calls: z
      .array(z.strictObject({ tool_call_id: text, function_name: text, arguments: z.record(text, z.unknown()) }))
      .optional(),
    observation: z
      .strictObject({ results: z.array(z.strictObject({ source_call_id: text.optional(), content: text })) })
      .optional(),
    metrics: z
      .strictObject({
        prompt_tokens: whole.optional(),
        completion_tokens: whole.optional(),
        cached_tokens: whole.optional(),
        cost_usd: z.number().optional(),
        prompt_token_ids: z.array(whole).optional(),
        completion_token_ids: z.array(whole).optional(),
        logprobs: z.array(z.number()).optional(),
      })
      .optional(),
    llm_call_count: whole.optional(),
    extra,
  })
  .refine(({ source, tool_calls: calls, metrics, model_name: model }) =>
    source === 'agent' ? true : calls === undefined && metrics === undefined && model === undefined,
  )
  .refine(({ llm_call_count: calls, metrics, reasoning_content: reasoning }) =>
    calls === 0 ? metrics === undefined && reasoning === undefined : true,
  )
  .refine(({ observation, tool_calls: calls = [] }) =>
    (observation?.results ?? []).every(
      ({ source_call_id: id }) => id === undefined || calls.some(call => call.tool_call_id === id),
    ),
  );
const trajectorySchema = z.strictObject({
  schema_version: z.literal('ATIF-v1.7'),
  session_id: text,
  trajectory_id: text,
  agent: z.strictObject({ name: text, version: text, model_name: text, tool_definitions: z.array(z.unknown()) }),
  steps: z.array(stepSchema).min(1),
  final_metrics: z.strictObject({
    total_prompt_tokens: whole.optional(),
    total_completion_tokens: whole.optional(),
    total_cached_tokens: whole.optional(),
    total_cost_usd: z.number().optional(),
    total_steps: whole,
  }),
  extra: z.looseObject({ reward: z.number() }),
});

function trajectories(episodes: readonly StoredEpisode[], source = sourceOf(episodes)) {
  const { folder, files } = exportAs('atif', episodes, source);
  return files.map(({ name }) => trajectorySchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
}

interface OpenEnvRow {
  readonly episode_id: string;
  readonly reward: number;
  readonly done: boolean;
  readonly messages: readonly { readonly role: string }[];
  readonly tool_trace: readonly { readonly tool_name: string; readonly result: { readonly data: string } }[];
  readonly extra: { readonly leaf_role: string; readonly actors: readonly string[] };
}

interface VerifiersEpisode {
  readonly traces: readonly {
    readonly rewards: { readonly verifier: { readonly score: number } };
    readonly nodes: readonly {
      readonly parent: number | null;
      readonly sampled: boolean;
      readonly token_ids: readonly number[];
      readonly mask: readonly boolean[];
      readonly logprobs: readonly number[];
      readonly message: { readonly role: string };
    }[];
  }[];
}

const reasons = { 'the episode broke': 1, 'no verdict': 1 };

describe('trajectories for training', () => {
  it.each(['atif', 'openenv', 'verifiers'])(
    '[TRJ-4] %s takes verified ends of training episodes alone, and counts the others',
    async name => {
      const { files, left } = exportAs(name, [
        await scriptedEpisode({ index: 0 }),
        await scriptedEpisode({ index: 1, phase: 'evaluate' }),
        await scriptedEpisode({ index: 2, outcome: 'errored' }),
        await scriptedEpisode({ index: 3, outcome: 'discarded' }),
      ]);
      expect(files.reduce((sum, file) => sum + file.trajectories, 0)).toBe(1);
      expect(left).toEqual(reasons);
    },
  );

  it('[TRJ-4] leave out what is not certified', async () => {
    const plain = await scriptedEpisode();
    const { files, left } = exportAs('openenv', [{ ...plain, end: { ...plain.end, certification: 'by-replay' } }]);
    expect([files[0]?.trajectories, left]).toEqual([0, { 'not certified': 1 }]);
  });

  it('[TRJ-5] ATIF: steps fit the schema, results name calls of their own step, a branch is a file of its own', async () => {
    const [main, ...branches] = trajectories([await scriptedEpisode({ slips: 2, branch: 'failing' })]);
    expect(branches.map(({ extra: { reward } }) => reward)).toEqual([0, 0]);
    expect(main?.extra.reward).toBe(1);
    const steps = main?.steps ?? [];
    expect(steps.map(({ step_id: id }) => id)).toEqual(steps.map((_, at) => at + 1));
    expect(steps.slice(0, 2).map(({ source }) => source)).toEqual(['system', 'user']);
    const agents = steps.slice(2);
    expect(agents.every(({ source }) => source === 'agent')).toBe(true);
    // The last step ended the episode: nothing was seen after it.
    expect(agents.map(({ observation }) => observation?.results[0]?.source_call_id)).toEqual(
      agents.map(({ tool_calls: calls }, at) => (at === agents.length - 1 ? undefined : calls?.[0]?.tool_call_id)),
    );
  });

  it('[TRJ-5] ATIF: calls of models have their tokens, and answers of no use are steps without a node', () => {
    const episodes = createTokenEpisodes();
    const told = [
      ...chatAfter(0),
      { role: 'assistant', content: 'what?' },
      { role: 'user', content: [{ type: 'text', text: 'This could not be used.' }] },
    ] as const;
    const stored = episodes
      .begin()
      .ask({ prompt: [1, 2], completion: [3], problem: 'no action' })
      .ask({ prompt: [1, 2, 3, 4], completion: [5], messages: told })
      .step()
      .end('passed');
    const [made] = trajectories([stored], episodes.sourceOf([stored]));
    const agents = (made?.steps ?? []).filter(({ source }) => source === 'agent');
    expect(agents.map(({ extra: about }) => about?.['unused'] ?? false)).toEqual([true, false]);
    expect(agents[1]?.metrics).toMatchObject({ prompt_token_ids: [1, 2, 3, 4], completion_token_ids: [5] });
  });

  it('[TRJ-6] OpenEnv: a row for each verified end with its own reward, and the actor of every answer', async () => {
    const { folder } = exportAs('openenv', [await scriptedEpisode({ slips: 1, branch: 'failing' })]);
    const rows = jsonLines<OpenEnvRow>(join(folder, 'results.jsonl'));
    expect(Object.keys(rows[0] ?? {})).toEqual(
      'episode_id messages reward done tool_trace metrics verify_metrics artifacts task extra'.split(' '),
    );
    expect(rows.map(({ reward, done, extra: about }) => [reward, done, about.leaf_role])).toEqual([
      [1, true, 'main'],
      [0, false, 'rejected'],
    ]);
    const [main] = rows as [OpenEnvRow];
    const answers = main.messages.filter(({ role }) => role === 'assistant');
    expect(main.extra.actors).toHaveLength(answers.length);
    expect(main.extra.actors[0]).toBe('teacher');
    expect(main.tool_trace).toHaveLength(answers.length);
    expect(main.tool_trace[0]?.result.data).not.toBe('');
    expect(readdirSync(folder)).toEqual(['metadata.json', 'results.jsonl']);
  });

  it('[TRJ-7] verifiers: tokens along a path are the prompt and the completion, each trained once, none of a teacher', () => {
    const episodes = createTokenEpisodes();
    const stored = episodes
      .begin()
      .ask({ prompt: [1, 2], completion: [3, 4] })
      .step()
      .ask({ prompt: [1, 2, 3, 4, 5], completion: [6] })
      .step()
      .leaf('sample', false)
      .back(1)
      .ask({ by: teacher, question: 'correct', prompt: [9], completion: [9, 9] })
      .step(teacher)
      .ask({ prompt: [1, 2, 3, 4, 7, 8], completion: [10, 11], messages: chatAfter(2) })
      .step()
      .end('passed');
    const { folder } = exportAs('verifiers', [stored], episodes.sourceOf([stored]));
    const [{ traces }] = jsonLines<VerifiersEpisode>(join(folder, 'traces.jsonl')) as [VerifiersEpisode];
    expect(traces.map(({ rewards }) => rewards.verifier.score)).toEqual([1, 0]);
    const [main, branch] = traces.map(({ nodes }) => ({
      tokens: nodes.flatMap(({ token_ids: ids }) => ids),
      trained: nodes.flatMap(({ token_ids: ids, mask }) => ids.filter((_, at) => mask[at])),
      logprobs: nodes.flatMap(({ logprobs }) => logprobs).length,
    }));
    expect(main).toEqual({ tokens: [1, 2, 3, 4, 7, 8, 10, 11], trained: [3, 4, 10, 11], logprobs: 4 });
    // What the first trace trains on is part of the prompt here.
    expect(branch).toEqual({ tokens: [1, 2, 3, 4, 5, 6], trained: [6], logprobs: 1 });
    const sampled = traces[0]?.nodes.filter(node => node.sampled).map(({ message }) => message.role);
    expect(sampled).toEqual(['assistant', 'assistant']);
  });

  it('[TRJ-7] verifiers: a prompt that does not extend the tokens before it begins a path of its own', () => {
    const episodes = createTokenEpisodes();
    const stored = episodes
      .begin()
      .ask({ prompt: [1, 2], completion: [3] })
      .step()
      .ask({ prompt: [1, 2, 33, 4], completion: [5] })
      .step()
      .end('passed');
    const { folder } = exportAs('verifiers', [stored], episodes.sourceOf([stored]));
    const [{ traces }] = jsonLines<VerifiersEpisode>(join(folder, 'traces.jsonl')) as [VerifiersEpisode];
    const nodes = traces[0]?.nodes ?? [];
    const tokensTo = (place: number | null): number[] =>
      place === null ? [] : [...tokensTo(nodes[place]?.parent ?? null), ...(nodes[place]?.token_ids ?? [])];
    const answers = nodes.flatMap(({ sampled }, place) => (sampled ? [tokensTo(place)] : []));
    expect(answers).toEqual([
      [1, 2, 3],
      [1, 2, 33, 4, 5],
    ]);
  });
});

describe('an export of trajectories', () => {
  const names = trajectoryFormats.names;

  it.each(names)('[TRJ-8] as %s gives the same bytes twice', async name => {
    const episodes = [await scriptedEpisode({ slips: 1, branch: 'failing' })];
    expect(exportAs(name, episodes).files).toEqual(exportAs(name, episodes).files);
  });

  it('[TRJ-8] replaces the earlier one when it is complete, and leaves it when it fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-replaced-'));
    const episode = await scriptedEpisode();
    const run = (episodes: () => Iterable<StoredEpisode>) =>
      exportTrajectories({
        source: { ...sourceOf([]), episodes },
        formats: [trajectoryFormats.need('atif')],
        folder,
        startedAt,
        version: '1',
        toolsOf,
      });
    run(() => [episode, { ...episode, head: { ...episode.head, key: 'second' } }]);
    const before = readdirSync(join(folder, 'atif'));
    expect(before).toHaveLength(2);
    expect(() =>
      run(function* () {
        yield episode;
        throw new Error('the disk broke');
      }),
    ).toThrow('the disk broke');
    expect(readdirSync(join(folder, 'atif'))).toEqual(before);
    expect(existsSync(join(folder, '.partial'))).toBe(false);
    run(() => [episode]);
    expect(readdirSync(join(folder, 'atif'))).toHaveLength(1);
  });
});
