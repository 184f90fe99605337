import { areStylesStill, staticProperties } from './still-styles.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that draw, or describe what is drawn, and stand still. The browser does not run the SMIL elements of an image. */
const stillElements = words(`
  svg g defs symbol use switch a view title desc metadata style path rect circle ellipse line polyline polygon text tspan
  textPath linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
  feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight
  feTile feTurbulence animate animateMotion animateTransform mpath set`);

/** Attributes beside the presentation attributes, which have the names of properties. */
const stillAttributes = words(`
  id class lang role tabindex version baseProfile focusable type media title target rel viewBox preserveAspectRatio
  requiredFeatures requiredExtensions systemLanguage width height x y x1 x2 y1 y2 dx dy cx cy r rx ry fx fy fr d points
  pathLength transform rotate textLength lengthAdjust startOffset method spacing side offset gradientUnits
  gradientTransform spreadMethod patternUnits patternContentUnits patternTransform clipPathUnits maskUnits
  maskContentUnits markerUnits markerWidth markerHeight orient refX refY filterUnits primitiveUnits in in2 result mode
  values operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha
  surfaceScale diffuseConstant specularConstant specularExponent limitingConeAngle scale xChannelSelector
  yChannelSelector azimuth elevation z pointsAtX pointsAtY pointsAtZ tableValues slope intercept amplitude exponent
  stdDeviation radius baseFrequency numOctaves seed stitchTiles attributeName attributeType from to by dur begin end min
  max repeatCount repeatDur restart calcMode keyTimes keySplines keyPoints path origin additive accumulate xmlns
  contentScriptType contentStyleType enable-background zoomAndPan
  xml:space xml:lang xml:id`);

/** Namespaces of notes that drawing programs leave; the browser shows nothing of them. */
const silentNamespaces = words(`
  http://www.w3.org/1999/xlink http://www.inkscape.org/namespaces/inkscape
  http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd http://www.w3.org/1999/02/22-rdf-syntax-ns#
  http://creativecommons.org/ns# http://web.resource.org/cc/ http://purl.org/dc/elements/1.1/
  http://www.bohemiancoding.com/sketch/ns http://www.serif.com/ http://www.w3.org/2000/xmlns/`);
const xlink = 'http://www.w3.org/1999/xlink';

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isClosed: boolean;
}

/**
 * Whether an SVG image surely stands still. Style animations and transitions of an image have a clock of their own, which
 * nobody can stop, so every element, attribute and property must be known; what cannot be read does not stand still.
 */
export function isStillSvg(source: string): boolean {
  const prefixes = new Map<string, string>();
  const open: { readonly name: string; styles: string | null }[] = [];
  let hasRoot = false;

  const isStillText = (text: string): boolean => {
    const inner = open.at(-1);
    if (inner === undefined) return text.trim() === '';
    if (inner.styles !== null) inner.styles += text;
    return true;
  };
  const isStillTag = (tag: Tag): boolean => {
    const parent = open.at(-1);
    if ((parent === undefined && hasRoot) || (parent !== undefined && parent.styles !== null)) return false;
    if (!declareNamespaces(tag, prefixes)) return false;
    const element = elementOf(tag.name, prefixes);
    if (element === null || (!hasRoot && element !== 'svg')) return false;
    if (element !== '' && !areAttributesStill(tag, prefixes)) return false;
    hasRoot = true;
    if (!tag.isClosed) open.push({ name: tag.name, styles: element === 'style' ? '' : null });
    return true;
  };
  const isStillEnd = (name: string): boolean => {
    const ended = open.pop();
    return ended?.name === name && (ended.styles === null || areStylesStill(ended.styles));
  };

  for (const { kind, text } of piecesOf(source)) {
    if (kind === 'ignored') continue;
    if (kind === 'unknown') return false;
    if (kind === 'cdata') {
      if (open.length === 0 || !isStillText(text)) return false;
    } else if (kind === 'text') {
      const plain = decode(text);
      if (plain === null || !isStillText(plain)) return false;
    } else if (kind === 'end') {
      if (!isStillEnd(text)) return false;
    } else {
      const tag = readTag(text);
      if (tag === null || !isStillTag(tag)) return false;
    }
  }
  return hasRoot && open.length === 0;
}

interface Piece {
  readonly kind: 'ignored' | 'cdata' | 'text' | 'start' | 'end' | 'unknown';
  readonly text: string;
}

const name = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?';
const attribute = `\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`;
const declaration =
  /^\uFEFF?<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')(?:\s+encoding\s*=\s*["'](?:utf-8|us-ascii)["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i;
const doctype = /<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"-\/\/W3C\/\/DTD SVG [^"<>]*"|SYSTEM)\s+"[^"<>]*")?\s*>/y;
const comment = /<!--(?:(?!--)[\s\S])*-->/y;
const note = /<\?xpacket\s[^<>?]*\?>/y;
const cdata = /<!\[CDATA\[([\s\S]*?)\]\]>/y;
const end = new RegExp(`</(${name})\\s*>`, 'y');
const start = new RegExp(`<(${name}(?:${attribute})*\\s*/?)>`, 'y');
const text = /[^<]+/y;

const patterns: readonly (readonly [Piece['kind'], RegExp])[] = [
  ['text', text],
  ['start', start],
  ['end', end],
  ['ignored', comment],
  ['cdata', cdata],
  ['ignored', doctype],
  ['ignored', note],
];

/** The parts of an XML document, in their order. What is not plain XML, such as a document type with entities, is unknown. */
function* piecesOf(source: string): Generator<Piece> {
  let at = declaration.exec(source)?.[0].length ?? (source.startsWith('\uFEFF') ? 1 : 0);
  while (at < source.length) {
    const found = pieceAt(source, at);
    if (found === null) {
      yield { kind: 'unknown', text: '' };
      return;
    }
    yield found.piece;
    at = found.next;
  }
}

function pieceAt(source: string, at: number): { readonly piece: Piece; readonly next: number } | null {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) return { piece: { kind, text: match[1] ?? match[0] }, next: pattern.lastIndex };
  }
  return null;
}

function readTag(inner: string): Tag | null {
  const isClosed = inner.endsWith('/');
  const [, tagName = '', rest = ''] = /^([^\s/]+)([\s\S]*)$/.exec(inner) ?? [];
  const attributes = new Map<string, string>();
  for (const [, key = '', double, single] of rest.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = decode(double ?? single ?? '');
    if (value === null || attributes.has(key)) return null;
    attributes.set(key, value);
  }
  return { name: tagName, attributes, isClosed };
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text with its entities replaced; null when one is not known. */
function decode(raw: string): string | null {
  let isKnown = true;
  const plain = raw.replaceAll(/&(?:([#\w]+);)?/g, (_, entity: string | undefined) => {
    const character = characterOf(entity ?? '');
    isKnown &&= character !== null;
    return character ?? '';
  });
  return isKnown ? plain : null;
}

function characterOf(entity: string): string | null {
  const [, hex, digits] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(digits ?? NaN) : Number.parseInt(hex, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return Object.hasOwn(namedEntities, entity) ? (namedEntities[entity] ?? null) : null;
}

/** Each prefix means one namespace in the whole image, and elements without one are SVG. */
function declareNamespaces({ attributes }: Tag, prefixes: Map<string, string>): boolean {
  for (const [key, value] of attributes) {
    if (key === 'xmlns' && value !== svgNamespace) return false;
    if (!key.startsWith('xmlns:')) continue;
    const prefix = key.slice('xmlns:'.length);
    if (value !== svgNamespace && !silentNamespaces.has(value)) return false;
    if ((prefixes.get(prefix) ?? value) !== value) return false;
    prefixes.set(prefix, value);
  }
  return true;
}

/** The name of an SVG element that stands still; empty for notes of drawing programs; null for everything else. */
function elementOf(tagName: string, prefixes: ReadonlyMap<string, string>): string | null {
  const [local = '', prefix] = tagName.split(':').toReversed();
  if (prefix !== undefined && prefixes.get(prefix) !== svgNamespace) return prefixes.has(prefix) ? '' : null;
  return stillElements.has(local) ? local : null;
}

function areAttributesStill({ attributes }: Tag, prefixes: ReadonlyMap<string, string>): boolean {
  return [...attributes].every(([key, value]) => {
    const [local = '', prefix] = key.split(':').toReversed();
    if (prefix === 'xmlns') return true;
    if (local === 'href' && (prefix === undefined || prefixes.get(prefix) === xlink)) return value.startsWith('#');
    if (prefix !== undefined && prefix !== 'xml') return prefixes.get(prefix) !== svgNamespace && prefixes.has(prefix);
    if (key === 'style') return areStylesStill(`x{${value}}`) && !/[{}]/.test(value);
    if (/^(data|aria)-[\w-]+$/.test(key)) return true;
    if (staticProperties.has(key)) return areStylesStill(`x{${key}:${value}}`) && !/[{};]/.test(value);
    return stillAttributes.has(key);
  });
}
