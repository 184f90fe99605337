import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { findBrowser } from '../../browser/find-browser.ts';
import { handingMembers } from './handed-out.ts';
import { understoodUnlessHeld } from '../members/conditions.ts';
import { hasMember, understoodMembers } from '../members/members.ts';

const tags =
  `a area base button datalist details dialog div fieldset form img input label link map meta meter ol optgroup
  option output progress script select style table tbody td textarea tr template`.split(/\s+/);

/** Accessors of elements, of the document and of what the window has that give the same object each time they are read. */
async function sameObjects(): Promise<readonly string[]> {
  const server = createServer((_request, response) => response.end('<!doctype html><title>x</title>'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await page.evaluate(names => {
      const found = new Set<string>();
      const singles = Object.values(Object.getOwnPropertyDescriptors(globalThis)).flatMap(({ get }) =>
        get === undefined || get.name === 'get event' ? [] : [get.call(globalThis) as unknown],
      );
      const isPlatform = (value: unknown): value is object =>
        typeof value === 'object' &&
        value !== null &&
        !(value instanceof Node) &&
        !Array.isArray(value) &&
        !singles.includes(value);
      const samples: object[] = [
        ...names.map(name => document.createElement(name)),
        document.createElementNS('http://www.w3.org/2000/svg', 'svg'),
        document.createTextNode(''),
        document.createDocumentFragment(),
        document,
        ...singles.filter(value => typeof value === 'object' && value !== null && value !== globalThis),
        new AbortController(),
        new URL('http://a.b'),
        new Request('/'),
        new Response(),
        new XMLHttpRequest(),
      ] as object[];
      for (const sample of samples)
        for (
          let at = Object.getPrototypeOf(sample) as object | null;
          at !== null;
          at = Object.getPrototypeOf(at) as object
        )
          for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
            if (get === undefined) continue;
            try {
              const value: unknown = get.call(sample);
              if (isPlatform(value) && get.call(sample) === value) found.add(`${at.constructor.name}.${name}`);
            } catch {
              // Not one of this sample.
            }
          }
      return [...found];
    }, tags);
  } finally {
    await browser.close();
    server.close();
  }
}

it('[SITE-24] every understood member that gives the same object each time is watched', async () => {
  const found = (await sameObjects()).map(name => name.split('.') as [string, string]);
  const understood = found.filter(
    ([owner, name]) => hasMember(understoodMembers, owner, name) || hasMember(understoodUnlessHeld, owner, name),
  );
  expect(understood.length).toBeGreaterThan(30);
  expect(understood.filter(([owner, name]) => !hasMember(handingMembers, owner, name))).toEqual([]);
});
