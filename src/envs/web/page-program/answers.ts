import type { PageListeners } from './parts.ts';
import { prototypeOf, replaceGetter, replaceMethod } from './shims/clock-sources.ts';

/** Says that the page waits for something; gives back how to say that it came. */
export type BeginWaiting = () => () => void;

// Taken before it is watched.
const { apply } = Reflect;

/** Methods whose promises the browser keeps by itself, in another thread or process. */
const promised: Readonly<Record<string, string>> = {
  Cache: 'add addAll delete keys match matchAll put',
  CacheStorage: 'delete has keys match open',
  CookieStore: 'delete get getAll set',
  FileSystemDirectoryHandle: 'getDirectoryHandle getFileHandle removeEntry resolve',
  FileSystemFileHandle: 'createWritable getFile move',
  FileSystemHandle: 'isSameEntry remove',
  FileSystemWritableFileStream: 'seek truncate write',
  FontFace: 'load',
  FontFaceSet: 'load',
  HTMLImageElement: 'decode',
  IDBFactory: 'databases',
  OffscreenCanvas: 'convertToBlob',
  Permissions: 'query',
  Request: 'arrayBuffer blob bytes formData json text',
  StorageManager: 'estimate getDirectory persist persisted',
  SubtleCrypto: `
    decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey`,
};

/** Methods that give a request which is answered by an event. */
const requested: Readonly<Record<string, string>> = {
  IDBFactory: 'open deleteDatabase',
  IDBIndex: 'count get getAll getAllKeys getAllRecords getKey openCursor openKeyCursor',
  IDBObjectStore: 'add clear count delete get getAll getAllKeys getAllRecords getKey openCursor openKeyCursor put',
  IDBCursor: 'delete update',
};
const answers = ['success', 'error', 'blocked'];

/** Counts answers of the browser itself, so that a page is at rest only when they have come. */
export function countAnswers(began: BeginWaiting, listeners: PageListeners): void {
  const endOn = (target: EventTarget, types: readonly string[]): void => {
    const ended = began();
    for (const type of types) listeners.hearOn(target, type, ended);
  };
  const countPromise = (holder: object | undefined, name: string): void =>
    replaceMethod(holder, name, (real, self, values) => {
      const answer = apply(real, self, values) as Promise<unknown>;
      const ended = began();
      answer.then(ended, ended);
      return answer;
    });
  for (const [owner, names] of Object.entries(promised))
    for (const name of names.trim().split(/\s+/)) countPromise(prototypeOf(owner), name);
  countPromise(globalThis, 'createImageBitmap');
  replaceGetter(prototypeOf('FontFaceSet'), 'ready', real => {
    const ended = began();
    (real as Promise<unknown>).then(ended, ended);
    return real;
  });
  for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming'])
    countPromise(WebAssembly, name);
  for (const [owner, names] of Object.entries(requested))
    for (const name of names.split(' '))
      replaceMethod(prototypeOf(owner), name, (real, self, values) => {
        const request = apply(real, self, values) as EventTarget;
        endOn(request, answers);
        return request;
      });
  for (const name of ['advance', 'continue', 'continuePrimaryKey'])
    replaceMethod(prototypeOf('IDBCursor'), name, (real, self, values) => {
      apply(real, self, values);
      endOn((self as IDBCursor).request, answers);
    });
  replaceMethod(prototypeOf('IDBDatabase'), 'transaction', (real, self, values) => {
    const transaction = apply(real, self, values) as IDBTransaction;
    endOn(transaction, ['complete', 'abort']);
    return transaction;
  });
  replaceMethod(prototypeOf('HTMLCanvasElement'), 'toBlob', (real, self, [told, ...more]) => {
    const ended = began();
    const tell = (blob: unknown): void => {
      ended();
      apply(told as (blob: unknown) => void, undefined, [blob]);
    };
    return apply(real, self, [typeof told === 'function' ? tell : told, ...more]);
  });
}
