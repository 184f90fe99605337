import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createScriptPolicy } from './script-policy.ts';
import { handlerPattern, readHandlers, scriptLinks } from './script-texts.ts';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('which scripts an app ships', () => {
  it('[WAI-17] reads handlers as the page will have them', () => {
    const page = `<b onclick="a('x &amp; y')" ontoggle='b("&#39;")' onkeyup=c()></b>`;
    expect(readHandlers(page, 'page')).toEqual([[`a('x & y')`], [`b("'")`], ['c()']]);
    const script = [
      'const one = `<b onclick="pick(\'${ids.map(id => ({ id }))}\', ${n})">`;',
      `const two = '<b onclick="hide(\\'all\\')">';`,
      `const three = '<b onclick="open(' + id + ')">';`,
      `const four = "<b onclick=\\"show('it')\\">";`,
      `node.setAttribute('onclick', 'drop(1)');`,
      'node.onclick = () => other("x");',
    ].join('\n');
    expect(readHandlers(script, 'script')).toEqual([
      [`pick('`, `', `, ')'],
      [`hide('all')`],
      ['open(', ')'],
      [`show('it')`],
      ['drop(1)'],
    ]);
    expect(scriptLinks('<a href="javascript:void(0)"> <a href="javascript:go(${id})">')).toEqual([
      'javascript:void(0)',
    ]);
  });

  it('[WAI-17] takes a handler for its own only when the values bring no code of their own', () => {
    const own = handlerPattern([`pick('`, `', `, ')']);
    for (const text of [
      `pick('a-1', 2)`,
      `pick('Zoë, "no"'.slice(), 2)`.replace(/"no"'.slice\(\)/, "no'"),
      `pick('', -1.5)`,
    ])
      expect(own.test(text), text).toBe(true);
    for (const text of [
      `pick('a'+x(), 2)`,
      `pick('a', 2);x()`,
      `pick('a\\', 2)`,
      `pick('a', x())`,
      `x()//pick('a', 2)`,
      `pick('a', 2)\n`,
    ])
      expect(own.test(text), text).toBe(false);
  });

  it('[WAI-17] allows fixed scripts by their hash, and all handlers only where some hold values', () => {
    const page =
      '<script>start()</script><script src="https://cdn.example/x.js"></script><b onclick="go()"><a href="javascript:void(0)">';
    const fixed = createScriptPolicy([page], ['const x = 1;']);
    expect(fixed.isOwnHandler).toBeNull();
    expect(fixed.header).toContain(
      `script-src 'self' 'unsafe-hashes' 'wasm-unsafe-eval' https://cdn.example ${hash('start()')} ${hash('javascript:void(0)')};`,
    );
    expect(fixed.header).toContain(`script-src-attr 'unsafe-hashes' ${hash('go()')};`);
    expect(fixed.header).toContain(`frame-src 'none'; object-src 'none'; base-uri 'none'; worker-src 'none'`);
    expect(fixed.header).not.toContain('unsafe-inline');
    const valued = createScriptPolicy([page], ['`<b onclick="like(${id})"><iframe src="/x">`']);
    expect(valued.header).toContain(`script-src-attr 'unsafe-inline';`);
    expect(valued.header).toContain("frame-src 'self'");
    expect(['go()', 'like(3)', 'start()', 'like(go())'].map(text => valued.isOwnHandler?.(text))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(valued.drawsFrames).toBe(true);
  });
});
