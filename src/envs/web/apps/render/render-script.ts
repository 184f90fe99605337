import { createElementStyle } from './element-style.ts';
import { installRenderer } from './install-renderer.ts';
import { icons } from './icons.ts';
import { createRenderer } from './renderer.ts';
import { createFocusTracker } from './focus-state.ts';
import { layoutStyle } from './style-layout.ts';
import { partStyle } from './style-parts.ts';
import { createEventBridge } from './event-bridge.ts';
import { themes } from './themes.ts';

/** The style sheet of every screen, in all its themes. */
const style = `${themes}${layoutStyle}${partStyle}`;

/** The renderer as one script, to be run once in an empty document of standards mode. */
export function renderScript(): string {
  const makers = { createElementStyle, createRenderer, createFocusTracker, createEventBridge };
  const parts = Object.entries(makers).map(([name, make]) => `${name}: ${make}`);
  return `(${installRenderer})(${JSON.stringify(style)}, { icons: ${JSON.stringify(icons)}, ${parts.join(', ')} });`;
}
