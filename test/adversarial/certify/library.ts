import type { Feature } from './feature.ts';
import { apps } from './features/apps.ts';
import { classes } from './features/classes.ts';
import { clocks } from './features/time/clocks.ts';
import { components } from './features/components.ts';
import { closures } from './features/closures.ts';
import { data } from './features/data.ts';
import { databases } from './features/databases.ts';
import { fields } from './features/fields.ts';
import { frameworks } from './features/frameworks.ts';
import { gestures } from './features/gestures.ts';
import { handed } from './features/handed.ts';
import { hidden } from './features/hidden.ts';
import { hiddenFields } from './features/hidden-fields.ts';
import { loads } from './features/time/loads.ts';
import { looks } from './features/looks.ts';
import { natives } from './features/natives.ts';
import { nodes } from './features/nodes.ts';
import { objects } from './features/objects.ts';
import { order } from './features/time/order.ts';
import { shapes } from './features/shapes.ts';
import { surroundings } from './features/surroundings.ts';
import { waiting } from './features/time/waiting.ts';
import type { Library } from './page.ts';

const features: readonly Feature[] = [
  ...closures,
  ...classes,
  ...objects,
  ...data,
  ...waiting,
  ...fields,
  ...nodes,
  ...looks,
  ...surroundings,
  ...apps,
  ...handed,
  ...shapes,
  ...natives,
  ...hidden,
  ...hiddenFields,
  ...clocks,
  ...loads,
  ...gestures,
  ...order,
  ...frameworks,
  ...components,
  ...databases,
];

/** Every feature by name. */
export const library: Library = new Map(features.map(feature => [feature.name, feature]));
