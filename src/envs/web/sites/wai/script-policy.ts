import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';
import type { WaiFiles } from './files.ts';
import { handlerPattern, readHandlers, scriptLinks } from './script-texts.ts';

/** Which scripts an app ships. A browser that enforces it runs these and no other. */
export interface ScriptPolicy {
  /** The Content-Security-Policy of every answer of the app's server. */
  readonly header: string;
  /**
   * Null where the header names every event handler of the app by its hash. Otherwise handlers hold values that are not
   * known in advance: the header lets all handlers run, and this says which of them are the app's own.
   */
  readonly isOwnHandler: ((text: string) => boolean) | null;
  /** Whether the app draws frames itself. */
  readonly drawsFrames: boolean;
}

/** Reads the pages and scripts of an app folder. */
export async function readScriptPolicy(folder: string, files: WaiFiles): Promise<ScriptPolicy> {
  const names = (await readdir(folder, { recursive: true })).filter(name => /\.(?:html?|m?js|svg)$/i.test(name));
  const pages: string[] = [];
  const scripts: string[] = [];
  for (const name of names.toSorted()) {
    const file = await files.read(`/${name.split(sep).join('/')}`);
    if (file === null) continue;
    // The parser of HTML reads every line break as one character, and so do hashes.
    const text = file.body.toString('utf8').replaceAll(/\r\n?/g, '\n');
    (/js$/i.test(name) ? scripts : pages).push(text);
  }
  return createScriptPolicy(pages, scripts);
}

export function createScriptPolicy(pages: readonly string[], scripts: readonly string[]): ScriptPolicy {
  const all = [...pages, ...scripts];
  const handlers = [
    ...pages.flatMap(page => readHandlers(page, 'page')),
    ...scripts.flatMap(script => readHandlers(script, 'script')),
  ];
  const inline = pages.flatMap(page => [...page.matchAll(inlineScript)].map(match => match[1] as string));
  const links = all.flatMap(scriptLinks);
  const fixed = handlers.filter(parts => parts.length === 1).map(([text]) => text as string);
  const isFixed = fixed.length === handlers.length;
  const patterns = handlers.map(handlerPattern);
  const ships = (pattern: RegExp): boolean => all.some(text => pattern.test(text));
  const drawsFrames = ships(/<i?frame\b|createElement\(\s*['"`]i?frame/i);
  const directives = [
    [
      'script-src',
      "'self'",
      "'unsafe-hashes'",
      "'wasm-unsafe-eval'",
      ...scriptHosts(pages),
      ...hashes([...inline, ...links]),
    ],
    ['script-src-attr', ...(isFixed ? ["'unsafe-hashes'", ...hashes(fixed)] : ["'unsafe-inline'"])],
    ['frame-src', ...(drawsFrames ? ["'self'", 'http:', 'https:', 'data:', 'blob:'] : ["'none'"])],
    ['object-src', ...(ships(/<(?:object|embed)\b/i) ? ["'self'"] : ["'none'"])],
    ['base-uri', ...(ships(/<base\b/i) ? ["'self'"] : ["'none'"])],
    ['worker-src', ...(ships(/Worker\b/) ? ["'self'", 'blob:'] : ["'none'"])],
    ['form-action', "'self'"],
  ];
  return {
    header: directives.map(words => words.join(' ')).join('; '),
    isOwnHandler: isFixed ? null : text => inline.includes(text) || patterns.some(pattern => pattern.test(text)),
    drawsFrames,
  };
}

/** A script element that holds its text itself. */
const inlineScript = /<script\b(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script/gi;

/** Other hosts are out of reach anyway; naming them tells their scripts apart from injected ones. */
function scriptHosts(pages: readonly string[]): string[] {
  const sources = pages.flatMap(page => [...page.matchAll(/<script\b[^>]*\ssrc\s*=\s*["']?(https?:\/\/[^"'\s/>]+)/gi)]);
  return [...new Set(sources.map(match => match[1] as string))];
}

function hashes(texts: readonly string[]): string[] {
  return [...new Set(texts)].map(text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
