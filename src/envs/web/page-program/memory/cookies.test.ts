import { describe, expect, it } from 'vitest';
import { isKeptCookie } from './cookies.ts';

describe('cookies that scripts write', () => {
  it.each([
    'a=1',
    'a',
    'a=1; path=/',
    'a=1;Path=/;',
    'a=; max-age=0; path=/',
    'a=; max-age=-1',
    'a=; expires=Thu, 01 Jan 1970 00:00:00 GMT',
  ])('[SITE-42] are kept: %s', text => {
    expect(isKeptCookie(text, '/page')).toBe(true);
  });

  it.each([
    'a=1; path=/sub',
    'a=1; path=sub',
    'a=1; path=/; path=/sub',
    'a=1; path',
    'a=1; max-age=9',
    'a=1; expires=Thu, 01 Jan 2099 00:00:00 GMT',
    'a=1; secure',
    'a=1; samesite=strict',
    'a=1; domain=pages.test',
    'a=1; partitioned',
    'a=1\u0000; path=/',
  ])('[SITE-42] are not kept: %j', text => {
    expect(isKeptCookie(text, '/page')).toBe(false);
  });

  it('[SITE-42] without a path they belong to the folder of the page', () => {
    expect([isKeptCookie('a=1', '/sub/page'), isKeptCookie('a=1; path=/', '/sub/page')]).toEqual([false, true]);
    expect(isKeptCookie({ toString: () => 'a=1' }, '/')).toBe(false);
  });
});
