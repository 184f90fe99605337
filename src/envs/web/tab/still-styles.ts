/** Properties that draw something at once. Custom properties and everything that takes time are not among them. */
export const staticProperties: ReadonlySet<string> = new Set(
  `alignment-baseline background-color background baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters color-rendering cx cy d direction display dominant-baseline enable-background fill fill-opacity fill-rule filter
  flood-color flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch
  font-style font-synthesis font-variant font-variant-caps font-variant-ligatures font-variant-numeric font-variation-settings
  font-weight height image-rendering isolation letter-spacing lighting-color line-height margin marker marker-end marker-mid
  marker-start mask mask-type mix-blend-mode opacity overflow padding paint-order pointer-events r rx ry shape-padding
  shape-rendering solid-color solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration text-indent
  text-orientation text-rendering text-transform transform transform-box transform-origin unicode-bidi vector-effect
  visibility white-space width word-spacing writing-mode x y -inkscape-font-specification -inkscape-stroke`
    .trim()
    .split(/\s+/),
);

const localAddress = /url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi;
const quotedOrComment = /\/\*[\s\S]*?\*\/|"[^"\n\r\f]*"|'[^'\n\r\f]*'/g;

/**
 * Whether style rules surely stand still: no rule but those for media, only known properties, nothing that is loaded.
 * Escapes could hide a name, so none is allowed.
 */
export function areStylesStill(styles: string): boolean {
  if (styles.includes('\\') || styles.includes('\0')) return false;
  const plain = styles
    .replaceAll(localAddress, 'none')
    .replaceAll(quotedOrComment, found => (found.startsWith('/') ? ' ' : '""'));
  if (/(?:url|src|image|element|paint|cross-fade|image-set)\s*\(|["']{3}|<|\/\*/i.test(plain)) return false;
  if (/["']/.test(plain.replaceAll('""', ''))) return false;
  let depth = 0;
  for (const [, part = '', ending = ''] of plain.matchAll(/([^{};]*)([{};]|$)/g)) {
    const words = part.trim();
    if (ending === '{') {
      depth++;
      if (words.includes('@') && !/^@media\b[^@]*$/i.test(words)) return false;
      continue;
    }
    if (words !== '' && (depth === 0 || !isStaticDeclaration(words))) return false;
    if (ending === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

function isStaticDeclaration(words: string): boolean {
  const [, property = ''] = /^([a-z-]+)\s*:/i.exec(words) ?? [];
  return staticProperties.has(property.toLowerCase()) && !words.includes('@');
}
