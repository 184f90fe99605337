import type { ComponentChildren } from 'preact';
import type { Outcome } from '../../../core/episode/events.ts';
import type { Verdict } from '../../../core/records.ts';
import { visible } from '../words.ts';

/** Text of others: always a text node, with what cannot be seen made visible. */
export function Text({ children }: { readonly children: string }) {
  return <>{visible(children)}</>;
}

const signs: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', discarded: '○', errored: '!' };

export function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  return (
    <span class={`outcome ${outcome}`}>
      <span aria-hidden="true">{signs[outcome]} </span>
      {outcome}
    </span>
  );
}

/** What went wrong; a text is shown as text of others is, as messages repeat names and lines of others. */
export function Problem({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="problem" role="alert">
      {typeof children === 'string' ? visible(children) : children}
    </p>
  );
}

/** A whole page that could not be loaded, with a heading as every page has. */
export function NotShown({ children }: { readonly children: string }) {
  return (
    <>
      <h1>This page cannot be shown</h1>
      <Problem>{children}</Problem>
    </>
  );
}

export function Waiting() {
  return <p class="soft">Loading …</p>;
}

/** The checks of a verifier, one line each. */
export function Checks({ verdict }: { readonly verdict: Verdict }) {
  const { pass, checks, clean, evidence } = verdict;
  return (
    <div class="checks">
      <p>
        <OutcomeMark outcome={pass ? 'passed' : 'failed'} />
      </p>
      <ul>
        {checks.map((check, index) => (
          <li key={index} class={check.pass ? 'holds' : 'unmet'}>
            <span aria-hidden="true">{check.pass ? '✓ ' : '✗ '}</span>
            <Text>{check.name}</Text>
            {check.pass ? null : <b> – does not hold</b>}
          </li>
        ))}
        {clean ? null : (
          <li class="unmet">
            <span aria-hidden="true">✗ </span>Changed something else: <Text>{evidence.sideEffects.join(', ')}</Text>
          </li>
        )}
      </ul>
      {evidence.answer === null ? null : (
        <p class="soft">
          Answer given: <Text>{evidence.answer}</Text>
        </p>
      )}
    </div>
  );
}
