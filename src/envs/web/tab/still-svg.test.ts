import { describe, expect, it } from 'vitest';
import { isStillSvg } from './still-svg.ts';

const svg = (inner: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="30"${attributes}>${inner}</svg>`;
const rect = '<rect height="30" width="10" fill="red"/>';
const keyframes = '@keyframes a{to{width:300px}} rect{animation:a 6s infinite}';
const styled = (styles: string): string => svg(`<style>${styles}</style>${rect}`);
const dataAddress = `data:image/svg+xml;base64,${Buffer.from(styled(keyframes)).toString('base64')}`;
const html = 'xmlns="http://www.w3.org/1999/xhtml"';

const still: Readonly<Record<string, string>> = {
  'a shape': svg(rect),
  'a declaration, a document type and comments': `<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
    <!-- no animation --> ${svg(`<!-- <animation> -->${rect}`)}`,
  'the word animation in a title': svg(`<title>An animation with keyframes \\ &#x41; &amp;</title>${rect}`),
  'entities and CDATA in text': svg('<text x="1">&#65;&lt;style&gt;<![CDATA[@keyframes <x>]]></text>'),
  'static rules': styled('/* animation */ @media (min-width: 1px) { .a:hover > rect { fill: #123; } } g{opacity:.5}'),
  'rules in CDATA': svg(`<style><![CDATA[ rect { fill: "red"; stroke: url(#g) } ]]></style>${rect}`),
  'references within the image': svg(
    '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs><use href="#g" fill="url(#g)" style="fill:url(\'#g\');opacity:.4"/>',
  ),
  'notes of a drawing program': svg(
    `<sodipodi:namedview inkscape:zoom="1" id="x"/><g inkscape:label="layer">${rect}</g>`,
    ' xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"',
  ),
  'properties that drawing programs write': svg(rect, ' style="enable-background:new 0 0 24 24;" xml:space="preserve"'),
  'a prefix for SVG': `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect width="1"/></s:svg>`,
};

const moving: Readonly<Record<string, string>> = {
  'a style animation': styled(keyframes),
  'a transition from a starting style': styled(
    'rect{transition:width 3s steps(1,jump-end);width:300px}@starting-style{rect{width:10px}}',
  ),
  'a nested starting style': styled('rect{width:300px;@starting-style{width:10px}}'),
  'a transition': styled('rect{transition:width 3s}'),
  'a transition in an attribute': svg('<rect style="fill: red; transition: width 3s"/>'),
  'an animation behind a string': styled(`rect{font-family:"/*";animation:a 3s;fill:"*/"}`),
  'an escaped name': styled('rect{\\61nimation:a 3s}'),
  'an imported style sheet': styled('@import url("data:text/css,x");'),
  'an imported style sheet without url()': styled('@import "data:text/css,x";'),
  'a style sheet of the document': `<?xml-stylesheet href="data:text/css,x" type="text/css"?>${svg(rect)}`,
  'HTML in foreignObject': svg(`<foreignObject width="9" height="9"><progress ${html}/></foreignObject>`),
  'HTML by a prefix': svg('<h:progress/>', ' xmlns:h="http://www.w3.org/1999/xhtml"'),
  'a link of HTML': svg(`<link ${html} rel="stylesheet" href="data:text/css,x"/>`),
  'a rules element of HTML': svg(`<style ${html}>${keyframes}</style>`),
  'a nested image': svg(`<image width="300" height="30" href="${dataAddress}"/>`),
  'an image as a background': styled(`svg{background:url(${dataAddress})}`),
  'an image by a property that is not known': styled(`svg{list-style-image:image-set("${dataAddress}")}`),
  'a filter with an image': svg(`<filter id="f"><feImage href="${dataAddress}"/></filter>`),
  'a script': svg('<script>x()</script>'),
  'a handler': svg(rect, ' onload="x()"'),
  'a use of another file': svg('<use href="other.svg#x"/>'),
  'an address in a presentation attribute': svg('<rect fill="url(other.svg#x)"/>'),
  'an entity of the document': `<!DOCTYPE svg [<!ENTITY a "<style>${keyframes}</style>">]>${svg('&a;')}`,
  'an entity that is not known': svg('<title>&nbsp;</title>'),
  'entities in the rules': styled('rect{&#97;nimation:a 3s}'),
  'rules in CDATA': styled(`<![CDATA[${keyframes}]]>`),
  'rules around a comment': styled('rect{anim<!-- -->ation:a 3s}'),
  'a custom property': styled('rect{--a:1}'),
  'another encoding': `<?xml version="1.0" encoding="utf-7"?>${svg(rect)}`,
  'UTF-16 read as UTF-8': Buffer.from(styled(keyframes), 'utf16le').toString(),
  'what is not closed': svg('<g>'),
  'what is no SVG': 'GIF89a',
  nothing: '',
};

describe('SVG images', () => {
  it.each(Object.entries(still))('[SITE-43] stand still: %s', (_, image) => {
    expect(isStillSvg(image)).toBe(true);
  });

  it.each(Object.entries(moving))('[SITE-43] may move: %s', (_, image) => {
    expect(isStillSvg(image)).toBe(false);
  });

  it('[SITE-43] long images are read quickly', () => {
    const image = svg(`${'<g class="a" '.repeat(20_000)}${'<rect x="1"/>'.repeat(10_000)}`);
    expect(isStillSvg(image)).toBe(false);
    expect(isStillSvg(svg('<rect x="1" y="2" fill="red"/>'.repeat(10_000)))).toBe(true);
  });
});
