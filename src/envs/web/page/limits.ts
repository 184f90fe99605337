/** Notes what a page uses that lies beyond what can be kept. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installLimits(): void {
  const keeper = globalThis.espalierKeeper;
  type Method = (this: unknown, ...values: unknown[]) => unknown;
  const used: { readonly what: string; readonly at: number }[] = [];
  let kept = 0;

  const note = (what: string, at: number): void => {
    if (!used.some(other => other.what === what && other.at === at)) used.push({ what, at });
  };
  /** Once it is used, no moment can be put back. */
  const always = Infinity;

  function watch(holder: object | undefined, name: string, told: () => void): void {
    const member = holder === undefined ? undefined : Object.getOwnPropertyDescriptor(holder, name);
    const real = member?.value as Method | undefined;
    if (holder === undefined || member === undefined || typeof real !== 'function') return;
    const isConstructor = /^[A-Z]/.test(name);
    const value = isConstructor
      ? new Proxy(real, {
          construct(target, values, as) {
            told();
            return Reflect.construct(target, values, as) as object;
          },
        })
      : function (this: unknown, ...values: unknown[]) {
          told();
          return real.apply(this, values);
        };
    Object.defineProperty(holder, name, { ...member, value });
  }

  const page = globalThis as unknown as Record<string, { prototype: object } | undefined>;
  const beyond: readonly (readonly [holder: object | undefined, name: string, what: string])[] = [
    [globalThis, 'Worker', 'a worker'],
    [globalThis, 'SharedWorker', 'a worker'],
    [globalThis, 'WebSocket', 'a web socket'],
    [globalThis, 'BroadcastChannel', 'a broadcast channel'],
    [globalThis, 'RTCPeerConnection', 'a connection to another browser'],
    [page['IDBFactory']?.prototype, 'open', 'a database'],
    [page['CacheStorage']?.prototype, 'open', 'a cache'],
    [page['CookieStore']?.prototype, 'set', 'the cookie store'],
    [page['CookieStore']?.prototype, 'delete', 'the cookie store'],
    [page['ServiceWorkerContainer']?.prototype, 'register', 'a service worker'],
    [page['CustomElementRegistry']?.prototype, 'define', 'elements of its own'],
    [Element.prototype, 'attachShadow', 'a shadow root'],
    [WebAssembly, 'instantiate', 'WebAssembly'],
    [WebAssembly, 'instantiateStreaming', 'WebAssembly'],
    [WebAssembly, 'Instance', 'WebAssembly'],
  ];
  for (const [holder, name, what] of beyond) watch(holder, name, () => note(what, always));
  // Style rules that were there at the moment are there still; only later ones are too many.
  for (const name of ['insertRule', 'deleteRule', 'replace', 'replaceSync'])
    watch(CSSStyleSheet.prototype, name, () => note('style rules that a script wrote', kept));
  for (const name of ['open', 'write', 'writeln'])
    watch(Document.prototype, name, () => {
      if (document.readyState === 'complete') note('a document that was written anew', always);
    });

  keeper.limits = {
    mark() {
      kept++;
      return kept;
    },
    passed: mark => used.find(({ at }) => at >= mark)?.what ?? null,
    beyond: () => used.find(({ at }) => at === always)?.what ?? null,
  };
}
