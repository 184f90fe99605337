import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.ts';

describe('markup', () => {
  it('[REP-3] escapes whatever is put in, and nothing twice', () => {
    const text = '<script>alert("1")</script> & \'x\'\u0000';
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;\uFFFD';
    expect(html`<p title="${text}">${html`<b>${text}</b>`}</p>`.markup).toBe(
      `<p title="${escaped}"><b>${escaped}</b></p>`,
    );
    expect(html`${['a<', html`<i>`, 3, null]}`.markup).toBe('a&lt;<i>3');
  });

  it('[REP-3] leaves no way out of text or attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), text => {
        expect(html`${text}`.markup).not.toMatch(/[<>"']/);
      }),
    );
  });
});
