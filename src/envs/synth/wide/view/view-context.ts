import type { SynthCommand } from '../../app/commands.ts';
import type { Gestures } from '../../app/gestures.ts';
import type { View } from '../../app/view-form.ts';
import type { WideCommands } from '../app/wide-commands.ts';
import type { WideGestures } from '../app/wide-gestures.ts';

/** What every part of the view of a wide app needs. */
export interface WideView extends View {
  readonly gestures: Gestures & WideGestures;
  readonly wide: WideCommands;
  readonly changeSetting: SynthCommand | null;
}
