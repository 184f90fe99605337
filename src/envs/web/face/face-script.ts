import { createDresser } from './dress.ts';
import { installFace } from './face.ts';
import { icons } from './icons.ts';
import { createPainter } from './painter.ts';
import { createPlaces } from './places.ts';
import { layoutStyle } from './style-layout.ts';
import { partStyle } from './style-parts.ts';
import { createTeller } from './teller.ts';
import { themes } from './themes.ts';

/** The style sheet of every screen, in all its themes. */
const style = `${themes}${layoutStyle}${partStyle}`;

/** The face as one script, to be run once in an empty document of standards mode. */
export function faceScript(): string {
  const makers = { createDresser, createPainter, createPlaces, createTeller };
  const parts = Object.entries(makers).map(([name, make]) => `${name}: ${make}`);
  return `(${installFace})(${JSON.stringify(style)}, { icons: ${JSON.stringify(icons)}, ${parts.join(', ')} });`;
}
