import { hash } from 'node:crypto';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { Awaitable } from '../../core/contracts.ts';

interface Episode<Agent, Answer> {
  readonly agent: Agent;
  /** By the name of their chance, which no two questions of an episode share. */
  readonly answers: Map<string, { readonly question: string; readonly answer: Answer }>;
}

/** Puts a question to the agent of its episode. */
export type Asking<Agent, Answer> = (
  question: ServedQuestion,
  ask: (agent: Agent) => Awaitable<Answer>,
) => Promise<Answer>;

/**
 * One agent for each episode, the one that was not asked for longest forgotten first. A question that comes again, because its
 * answer was lost or the episode is run again, gets the same answer; another one in its place begins the episode anew.
 */
export function createEpisodes<Agent, Answer>(create: () => Agent, most: number): Asking<Agent, Answer> {
  const episodes = new Map<string, Episode<Agent, Answer>>();

  function episodeOf(key: string, isOther: boolean): Episode<Agent, Answer> {
    const known = isOther ? undefined : episodes.get(key);
    const episode = known ?? { agent: create(), answers: new Map() };
    episodes.delete(key);
    episodes.set(key, episode);
    const oldest = episodes.size > most ? episodes.keys().next().value : undefined;
    if (oldest !== undefined) episodes.delete(oldest);
    return episode;
  }

  return async (given, ask) => {
    const question = hash('sha256', JSON.stringify(given));
    const before = episodes.get(given.episode)?.answers.get(given.random);
    const { agent, answers } = episodeOf(given.episode, before !== undefined && before.question !== question);
    if (before?.question === question) return before.answer;
    const answer = await ask(agent);
    answers.set(given.random, { question, answer });
    return answer;
  };
}
