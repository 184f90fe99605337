import type { TokenPreview, TokenSegmentPreview, TokenView } from '../../api/api-episodes.ts';
import { get, useLoaded } from '../client.ts';
import { figure } from '../words.ts';
import { Problem, Waiting } from './basics.tsx';

/** The rows of tokens of an episode: every token by its id, marked where the model learns it. */
export function TokenRows({ run, episode }: { readonly run: string; readonly episode: number }) {
  const { data, error } = useLoaded(() => get<TokenPreview>('tokens', { run, episode }), [run, episode]);
  if (error !== null) return <Problem>{error}</Problem>;
  if (data === null) return <Waiting />;
  if (data.segments.length === 0 && data.left.length === 0) return null;
  return (
    <section aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens</h2>
      <p class="legend">
        <span class="token learned">learned</span>
        <span class="token observation">observation, masked</span>
        <span class="token">prompt and other, masked</span>
      </p>
      {data.segments.map((segment, index) => (
        <Segment key={index} segment={segment} />
      ))}
      {data.left.map(({ why, calls }) => (
        <p key={why} class="soft">
          {figure(calls)} {calls === 1 ? 'call is' : 'calls are'} in no row: {why}.
        </p>
      ))}
    </section>
  );
}

function Segment({ segment: { leaf, tokens, length, learned } }: { readonly segment: TokenSegmentPreview }) {
  return (
    <details class="exchange" open>
      <summary>
        {leaf === 0 ? 'Start' : `Branch to step ${leaf}`} · {figure(learned)} of {figure(length)} tokens are learned
        {tokens.length < length ? ` · the last ${figure(tokens.length)} are shown` : ''}
      </summary>
      <p class="tokens" tabIndex={0} role="group" aria-label="Token ids">
        {tokens.map((token, index) => (
          <span key={index} class={`token ${token.kind}`} title={titleOf(token)}>
            {token.id}
          </span>
        ))}
      </p>
    </details>
  );
}

function titleOf({ kind, logprob }: TokenView): string {
  return logprob === null ? kind : `${kind}, log probability ${logprob.toFixed(3)}`;
}
