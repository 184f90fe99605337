// Taken before it is watched.
const { toString: sourceOf } = Function.prototype;

/** Names in the text of a function. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
const isArrow = (text: string): boolean =>
  /^(async\b\s*)?(\([^]*?\)|[\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.test(text) &&
  !/^(async\s+)?function\b/.test(text);

/** What an arrow function calls `this` is that of the function around it, though no scope shows it. */
export function wantsThis(run: object): boolean {
  const text = sourceOf.call(run);
  return isArrow(text) && /\b(this|super)\b/.test(text);
}

const isClass = (run: object): boolean => /^class\b/.test(sourceOf.call(run));

/** What stands between the parentheses of a function; what it is called may be worked out as well. */
function parametersOf(text: string): string {
  const start = text.indexOf('(', text.startsWith('[') ? closing(text, 0) : 0);
  return start < 0 || /^(async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>/u.test(text)
    ? ''
    : text.slice(start + 1, closing(text, start));
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if ('([{'.includes(text[at] as string)) depth++;
    else if (')]}'.includes(text[at] as string) && --depth === 0) return at;
  }
  return text.length;
}

/** A function is entered with so many. */
export const mostArguments = 12;

/** A function stops where it begins, unless it first works out what it was not given: it would not stop there. */
export function isLate(run: object): boolean {
  if (isClass(run)) return false;
  const given = parametersOf(sourceOf.call(run));
  // A computed name may call something, and one of many parameters may not be given at all.
  return /[([]/.test(given) || given.split(',').length > mostArguments;
}

const canEnter = (run: unknown): run is object => typeof run === 'function' && !isClass(run) && !isLate(run);

/** The function to enter: of a class one of its methods, which stand in the same scopes. */
export function entranceOf(run: object): object | null {
  if (!isClass(run)) return run;
  const text = sourceOf.call(run);
  for (const holder of [(run as { prototype: object }).prototype, run])
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(holder)))
      for (const method of [member.value, member.get, member.set] as unknown[])
        if (name !== 'constructor' && canEnter(method) && text.includes(sourceOf.call(method))) return method;
  return null;
}

/** Answers to whatever it is asked, so that a function that is only entered has nothing to work out. */
export function createAnything(): unknown {
  let count = 0;
  const anything: unknown = new Proxy(function () {}, {
    get: (_target, key) => (key === 'done' ? ++count > 100 : key === Symbol.toPrimitive ? () => '' : anything),
    apply: () => anything,
    construct: () => anything as object,
  });
  return anything;
}

export function isBoundName(run: object): boolean {
  const name: unknown = Object.getOwnPropertyDescriptor(run, 'name')?.value;
  return typeof name === 'string' && name.startsWith('bound ');
}
