import type { PageCanvases, PageTripwires } from '../parts.ts';
import { closedTraps } from '../traps.ts';
import { replaceMethod } from './clock-sources.ts';

type Context = CanvasRenderingContext2D;
type Call = readonly [name: string, ...values: (number | boolean)[]];

/** What is known of a canvas that a script draws on, beside what scripts can read of it. */
interface Drawn {
  readonly context: Context;
  /** The path that is begun: calls with numbers, and the matrix before the first and whenever it changed. Null when unknown. */
  path: Call[] | null;
  /** The matrix in which the last call of the path stands. */
  matrix: string;
  /** For each saved state and the current one, whether something is clipped. */
  clips: boolean[];
  /** What the picture is, where nothing was drawn since. */
  picture: Picture | null;
  /** Whether we drew on it since it got its size. */
  isDrawn: boolean;
}

interface Picture {
  readonly word: string;
  readonly data: ImageData;
}

/** What a canvas is at rest; what does not fit is refused by name. */
type Held = readonly [
  picture: string,
  matrix: string,
  path: readonly Call[],
  dashes: readonly number[],
  ...styles: unknown[],
];

// Taken before they are watched.
const { apply, construct } = Reflect;
const { prototype: contexts } = CanvasRenderingContext2D;
type Method = (...values: unknown[]) => unknown;
const methodOf = (name: string): Method => (contexts as unknown as Record<string, Method>)[name] as Method;
const [getTransform, setTransform, reset, getImageData, putImageData, getLineDash, setLineDash] = [
  'getTransform',
  'setTransform',
  'reset',
  'getImageData',
  'putImageData',
  'getLineDash',
  'setLineDash',
].map(methodOf) as [Method, Method, Method, Method, Method, Method, Method];
const pathNames = 'moveTo lineTo bezierCurveTo quadraticCurveTo arc arcTo ellipse rect closePath roundRect'.split(' ');
const pathCalls = pathNames.map(name => [name, methodOf(name)] as const);
const beginPath = methodOf('beginPath');
const sizeOf = ['width', 'height'].map(
  name => Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, name)?.get as () => number,
) as [() => number, () => number];
const sides = 'a b c d e f'.split(' ');
const readSide = sides.map(
  side => Object.getOwnPropertyDescriptor(DOMMatrixReadOnly.prototype, side)?.get as () => number,
);
const dataOf = Object.getOwnPropertyDescriptor(ImageData.prototype, 'data')?.get as () => Uint8ClampedArray;
const bytes = Object.getPrototypeOf(Uint8Array.prototype) as object;
const bufferOf = Object.getOwnPropertyDescriptor(bytes, 'buffer')?.get as () => ArrayBuffer;
const [Words, Observer] = [Uint32Array, MutationObserver];
/** Styles of a context that scripts read and write: whatever this browser has. */
const styleNames = Object.getOwnPropertyNames(contexts).filter(
  name => Object.getOwnPropertyDescriptor(contexts, name)?.set !== undefined,
);
const styles = styleNames.map(name => {
  const { get, set } = Object.getOwnPropertyDescriptor(contexts, name) as Required<PropertyDescriptor>;
  return { get: get as () => unknown, set: set as (value: unknown) => void };
});

const mostCalls = 20_000;
const mostPixels = 4_000_000;
/** Pictures of this many pixels together are kept; then the oldest go. */
const keptPixels = 40_000_000;
const drawing = 'fill stroke fillRect strokeRect clearRect fillText strokeText drawImage putImageData reset'.split(' ');

/** Two lanes of 32 bits and the size. */
function wordOf(pixels: Uint32Array): string {
  let [one, two] = [0x811c9dc5, 0x9e3779b1];
  const { length } = pixels;
  for (let index = 0; index < length; index++) {
    const pixel = pixels[index] as number;
    one = Math.imul(one ^ pixel, 0x01000193) ^ (one >>> 15);
    two = Math.imul(two + pixel, 0x85ebca6b) ^ (two >>> 13);
  }
  return `${length} ${one >>> 0} ${two >>> 0}`;
}

/**
 * Keeps what scripts draw on canvases: the picture, the styles, the matrix and the path that is begun. Which states are saved
 * and what is clipped, nobody can read or write: with those a canvas is refused.
 */
export function createCanvases({ trip, tripSince, moment }: PageTripwires): PageCanvases {
  const drawn = new WeakMap<object, Drawn>();
  const [drawnOn, noteDrawn] = [drawn.get.bind(drawn), drawn.set.bind(drawn)];
  const owners = new WeakMap<object, HTMLCanvasElement>();
  const [canvasOf, noteOwner] = [owners.get.bind(owners), owners.set.bind(owners)];
  const strange = new WeakSet<object>();
  const [isStrange, noteStrange] = [strange.has.bind(strange), strange.add.bind(strange)];
  /** Gradients and paths: when each was made, and how often it was changed. */
  const made = new WeakMap<object, { readonly at: number; changes: number }>();
  const [madeOf, noteMade] = [made.get.bind(made), made.set.bind(made)];
  const pictures = new Map<string, ImageData>();
  let pixelCount = 0;

  /** A new size makes a canvas anew, whichever way a script sets it. */
  const noteResized = (changes: readonly MutationRecord[]): void => {
    for (const { target } of changes) {
      const state = drawnOn(target);
      if (state !== undefined) begin(state);
    }
  };
  const sizes = new Observer(noteResized);
  const [watchSize, takeSizes] = [sizes.observe.bind(sizes), sizes.takeRecords.bind(sizes)];
  const forgetResized = (): void => noteResized(takeSizes());
  function begin(state: Drawn): void {
    [state.path, state.matrix, state.clips, state.picture] = [[], '', [false], null];
    state.isDrawn = false;
  }

  const matrixOf = (context: Context): readonly number[] => {
    const matrix = apply(getTransform, context, []);
    return readSide.map(read => apply(read, matrix, []));
  };

  function stateOf(context: unknown): Drawn | undefined {
    const canvas = canvasOf(context as object);
    if (canvas === undefined) return undefined;
    forgetResized();
    return drawnOn(canvas);
  }

  function notePath(state: Drawn, name: string, values: readonly unknown[]): void {
    if (state.path === null) return;
    const isPlain = values.every(value => typeof value === 'number' || typeof value === 'boolean');
    if (!isPlain || state.path.length > mostCalls) {
      state.path = null;
      return;
    }
    const matrix = matrixOf(state.context);
    const word = matrix.join();
    if (word !== state.matrix) state.path.push(['setTransform', ...matrix]);
    state.matrix = word;
    state.path.push([name, ...(values as readonly number[])]);
  }

  function watchContext(): void {
    const after = (name: string, told: (state: Drawn, values: readonly unknown[]) => void): void =>
      replaceMethod(contexts, name, (real, self, values) => {
        const state = stateOf(self);
        const given = apply(real, self, values);
        if (state !== undefined) told(state, values);
        return given;
      });
    for (const name of pathNames) after(name, (state, values) => notePath(state, name, values));
    after('beginPath', state => {
      [state.path, state.matrix] = [[], ''];
    });
    after('save', ({ clips }) => void clips.push(clips[clips.length - 1] as boolean));
    after('restore', ({ clips }) => void (clips.length > 1 && clips.pop()));
    after('clip', ({ clips }) => void (clips[clips.length - 1] = true));
    for (const name of drawing)
      after(name, state => {
        state.picture = null;
        if (name === 'reset') begin(state);
      });
    replaceMethod(contexts, 'drawImage', (real, self, values) => {
      const [source] = values;
      if (!(source instanceof HTMLCanvasElement || source instanceof HTMLImageElement))
        trip('CanvasRenderingContext2D.drawImage of something that is neither an image nor a canvas');
      return apply(real, self, values);
    });
  }

  function watchMade(): void {
    const note = (value: unknown): void => void noteMade(value as object, { at: moment(), changes: 0 });
    const change = (value: unknown, what: string): void => {
      const known = madeOf(value as object);
      if (known === undefined) return;
      known.changes++;
      tripSince(what, known.at);
    };
    for (const name of ['createLinearGradient', 'createRadialGradient', 'createConicGradient'])
      replaceMethod(contexts, name, (real, self, values) => {
        const gradient = apply(real, self, values);
        note(gradient);
        return gradient;
      });
    replaceMethod(CanvasGradient.prototype, 'addColorStop', (real, self, values) => {
      change(self, 'a gradient that was there before');
      return apply(real, self, values);
    });
    for (const name of [...pathNames, 'addPath'])
      replaceMethod(Path2D.prototype, name, (real, self, values) => {
        change(self, 'a path that was there before');
        return apply(real, self, values);
      });
    const value = new Proxy(
      Path2D,
      closedTraps<typeof Path2D>({
        construct(target, values: [], as) {
          const path = construct(target, values, as as typeof Path2D) as object;
          note(path);
          return path;
        },
      }),
    );
    Object.defineProperty(Path2D.prototype, 'constructor', { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'Path2D', { value, writable: true, configurable: true });
  }

  replaceMethod(HTMLCanvasElement.prototype, 'getContext', (real, self, values) => {
    const [kind, options] = values;
    const context = apply(real, self, [typeof kind === 'string' ? kind : String(kind), options]);
    if (context === null || !(self instanceof HTMLCanvasElement)) return context;
    // What is asked for first decides what the canvas is.
    if (!(context instanceof CanvasRenderingContext2D)) noteStrange(self);
    else if (drawnOn(self) === undefined) {
      if (options !== undefined && options !== null) noteStrange(self);
      noteOwner(context, self);
      noteDrawn(self, { context, path: [], matrix: '', clips: [false], picture: null, isDrawn: false });
      watchSize(self, { attributes: true, attributeFilter: ['width', 'height'] });
    }
    return context;
  });
  watchContext();
  watchMade();

  function pictureOf(state: Drawn, canvas: HTMLCanvasElement): string | null {
    const [width, height] = sizeOf.map(read => apply(read, canvas, [])) as [number, number];
    if (width === 0 || height === 0) return 'empty';
    if (width * height > mostPixels) return null;
    if (state.picture !== null) return state.picture.word;
    try {
      const data = apply(getImageData, state.context, [0, 0, width, height]) as ImageData;
      const word = `${width} ${wordOf(new Words(apply(bufferOf, apply(dataOf, data, []), [])))}`;
      state.picture = { word, data };
      // The browser draws what lies around a canvas otherwise once something was drawn on it, whatever is left of that.
      if (!state.isDrawn) apply(putImageData, state.context, [data, 0, 0, 0, 0, 1, 1]);
      state.isDrawn = true;
      keepPicture(word, data, width * height);
      return word;
    } catch {
      // An image of another origin was drawn on it.
      return null;
    }
  }

  function keepPicture(word: string, data: ImageData, pixels: number): void {
    if (pictures.has(word)) return;
    pictures.set(word, data);
    pixelCount += pixels;
    for (const [oldest, { width, height }] of pictures) {
      if (pixelCount <= keptPixels || oldest === word) return;
      pictures.delete(oldest);
      pixelCount -= width * height;
    }
  }

  function limitOf(canvas: Element): string | null {
    if (isStrange(canvas)) return 'a canvas with another context than a plain 2d one';
    forgetResized();
    const state = drawnOn(canvas);
    if (state === undefined) return null;
    if (state.clips.length > 1 || state.clips[0] === true) return 'a canvas that is clipped, or whose state is saved';
    if (state.path === null) return 'a canvas with a path that cannot be drawn again';
    if (styles.some(({ get }) => typeof apply(get, state.context, []) === 'object'))
      return 'a canvas whose style is a gradient or a pattern';
    return pictureOf(state, canvas as HTMLCanvasElement) === null ? 'a canvas whose picture cannot be read' : null;
  }

  return {
    entriesOf(value) {
      const [canvas, known] = [canvasOf(value), madeOf(value)];
      return canvas !== undefined ? [canvas] : known === undefined ? null : [known.changes];
    },
    heldBy(canvas) {
      const limit = limitOf(canvas);
      const state = drawnOn(canvas);
      if (limit !== null || state === undefined) return limit ?? '';
      const picture = pictureOf(state, canvas as HTMLCanvasElement) as string;
      const dashes = [...(apply(getLineDash, state.context, []) as readonly number[])];
      const now = styles.map(({ get }) => apply(get, state.context, []));
      const path = state.path as readonly Call[];
      return JSON.stringify([picture, matrixOf(state.context).join(), path, dashes, ...now] satisfies Held);
    },
    limitOf,
    hold(canvas, held) {
      const state = drawnOn(canvas);
      if (state === undefined || !held.startsWith('[')) return;
      const [picture, matrix, path, dashes, ...wanted] = JSON.parse(held) as Held;
      const { context } = state;
      const data = pictures.get(picture);
      apply(reset, context, []);
      begin(state);
      forgetResized();
      if (data !== undefined) apply(putImageData, context, [data, 0, 0]);
      for (const [index, { get, set }] of styles.entries())
        if (apply(get, context, []) !== wanted[index]) apply(set, context, [wanted[index]]);
      apply(setLineDash, context, [dashes]);
      apply(beginPath, context, []);
      for (const begun of path) {
        const [name, ...values] = begun;
        const call = name === 'setTransform' ? setTransform : pathCalls.find(([known]) => known === name)?.[1];
        if (call !== undefined) apply(call, context, values);
        if (name === 'setTransform') state.matrix = values.join();
      }
      state.path = [...path];
      apply(setTransform, context, matrix.split(',').map(Number));
    },
  };
}
