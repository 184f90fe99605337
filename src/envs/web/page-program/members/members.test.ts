import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { findBrowser } from '../../browser/find-browser.ts';
import { specialCased, understoodUnlessHeld, understoodWhenRead } from './conditions.ts';
import { languageMembers } from './language.ts';
import { hasMember, type MemberTable, understoodMembers } from './members.ts';

/** Every interface and namespace of the browser, and `window`, with the names of their members. */
let platform: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  // Some interfaces are only there for pages of a server on the same machine or with encryption.
  const server = createServer((_request, response) => response.end('<!doctype html>'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  platform = await page.evaluate(() => {
    const found: Record<string, string[]> = {};
    const namesOf = (value: object): string[] => Object.getOwnPropertyNames(value);
    for (const name of namesOf(globalThis)) {
      const value = Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown;
      if (!/^[A-Z]|^console$/.test(name) || value === null) continue;
      if (typeof value === 'object') found[name] = namesOf(value);
      if (typeof value !== 'function') continue;
      const prototype = value.prototype as object | undefined;
      found[name] = [...new Set([...(prototype === undefined ? [] : namesOf(prototype)), ...namesOf(value)])];
    }
    return { ...found, window: namesOf(globalThis) };
  });
  await browser.close();
  server.close();
});

const tables: Readonly<Record<string, MemberTable>> = {
  understoodMembers,
  languageMembers,
  understoodUnlessHeld,
  understoodWhenRead,
};

/** Understood as well, where a browser has them: versions differ in which interface has a member. */
const optionalMembers: MemberTable = {
  AbstractRange: 'startContainer endContainer',
  CSSStyleProperties: '*',
};

function isThere(owner: string, member: string): boolean {
  const names = platform[owner];
  if (names === undefined) return false;
  return member === '*' || (member === 'on*' ? names.some(name => /^on[a-z]+$/.test(name)) : names.includes(member));
}

it('[SITE-20] lists only members that the browser has', () => {
  const missing = Object.values(tables).flatMap(table =>
    Object.entries(table).flatMap(([owner, members]) =>
      members
        .trim()
        .split(/\s+/)
        .filter(member => !isThere(owner, member) && !hasMember(optionalMembers, owner, member))
        .map(member => `${owner}.${member}`),
    ),
  );
  const conditions = Object.keys(specialCased);
  missing.push(
    ...conditions.filter(name => !name.startsWith('Intl.') && !isThere(...(name.split('.') as [string, string]))),
  );
  expect(missing).toEqual([]);
});

it('[SITE-20] lists every member once, and reads what it only reads', () => {
  const names = Object.entries(understoodUnlessHeld).flatMap(([owner, members]) =>
    members.split(/\s+/).map(member => [owner, member] as const),
  );
  expect(names.filter(([owner, member]) => hasMember(understoodMembers, owner, member))).toEqual([]);
  const readable = Object.entries(understoodWhenRead).flatMap(([owner, members]) =>
    members
      .trim()
      .split(/\s+/)
      .map(member => [owner, member] as const),
  );
  expect(readable.filter(([owner, member]) => !hasMember(understoodMembers, owner, member))).toEqual([]);
});

/** State that no snapshot keeps, and what lets it in. */
const notKept = `
  Animation.play Animation.currentTime Animation.constructor ArrayBuffer.resize ArrayBuffer.transfer Atomics.store
  AudioContext.constructor BroadcastChannel.constructor CSS.highlights CSS.registerProperty CSSRule.cssText
  CSSStyleRule.selectorText CSSStyleRule.style CSSGroupingRule.insertRule CacheStorage.open CanvasRenderingContext2D.createPattern
  Clipboard.write CloseWatcher.constructor CookieStore.set DisposableStack.constructor
  Document.execCommand Document.getAnimations Document.parseHTMLUnsafe
  Document.startViewTransition Document.timeline
  Element.computedStyleMap Element.moveBefore Element.requestFullscreen
  Element.requestPointerLock Element.setHTMLUnsafe Element.setPointerCapture ElementInternals.states
  EventSource.close EventTarget.when FontFaceSet.add FontFace.constructor
  HTMLCanvasElement.captureStream HTMLCanvasElement.transferControlToOffscreen HTMLElement.attachInternals HTMLElement.attributeStyleMap HTMLElement.editContext
  HTMLElement.nonce HTMLIFrameElement.contentWindow HTMLInputElement.showPicker
  HTMLMediaElement.play HTMLMediaElement.currentTime HTMLSlotElement.assign HTMLStyleElement.disabled
  Highlight.constructor LockManager.request 
  Navigation.entries Navigation.navigate NavigateEvent.intercept Navigator.connection Navigator.userActivation Notification.constructor Observable.constructor
  OffscreenCanvas.constructor Performance.getEntries Performance.timeOrigin
  PerformanceObserver.constructor Permissions.query ReadableStream.tee ReadableStream.pipeTo ReadableStreamBYOBReader.constructor RegExp.$1 RegExp.compile RegExp.input
  RTCPeerConnection.constructor ServiceWorkerContainer.register ShadowRoot.setHTMLUnsafe SharedWorker.constructor
  StyleSheet.disabled Temporal.Now TransformStream.constructor 
  URL.createObjectURL ViewTransition.finished WebAssembly.instantiate WebSocket.constructor
  WebTransport.constructor Worker.constructor window.find window.fetchLater window.createImageBitmap window.stop
  window.showOpenFilePicker`;

it('[SITE-20] understands nothing that no snapshot keeps', () => {
  const names = notKept
    .trim()
    .split(/\s+/)
    .map(name => name.split('.') as [string, string]);
  expect(names.filter(([owner, member]) => !isThere(owner, member))).toEqual([]);
  expect(
    names.filter(([owner, member]) => Object.values(tables).some(table => hasMember(table, owner, member))),
  ).toEqual([]);
});

it('[SITE-20] counts every interface of the browser as understood or not', () => {
  const isListed = (owner: string): boolean => Object.values(tables).some(table => Object.hasOwn(table, owner));
  const owners = Object.keys(platform);
  const understood = owners.filter(isListed);
  const members = owners.flatMap(owner => (platform[owner] ?? []).map(member => [owner, member] as const));
  const known = members.filter(([owner, member]) =>
    Object.values(tables).some(table => hasMember(table, owner, member)),
  );
  process.stdout.write(
    `${understood.length} of ${owners.length} interfaces and ${known.length} of ${members.length} members are understood\n`,
  );
  expect(owners.length).toBeGreaterThan(500);
  expect(understood.length).toBeGreaterThan(100);
  expect(understood.length).toBeLessThan(owners.length / 3);
});
