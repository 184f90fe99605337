import { toBase64 } from '../../core/episode/base64.ts';
import type { ChatPart } from '../../core/chat/chat.ts';
import { fence } from '../../core/chat/fence.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Image } from '../../core/records.ts';

/** What a model is shown of a screen. */
export type ScreenFormat = 'text' | 'image' | 'both';

export interface SeenScreen {
  readonly text: string;
  readonly image?: Image | undefined;
}

const leftOut = '(screen left out)';

/** A screen that is folded away. */
export function foldedParts(lead: string): ChatPart[] {
  return [textPart(lead === '' ? leftOut : `${lead}\n${leftOut}`)];
}

/** A screen behind some words of ours; without its picture where that is left out. */
export function screenParts(
  lead: string,
  screen: SeenScreen,
  shown: { screenFormat: ScreenFormat; pictured: boolean },
): ChatPart[] {
  const { screenFormat, pictured } = shown;
  const words = screenFormat === 'image' ? [lead] : [lead, fence('screen', screen.text)];
  if (screenFormat !== 'text' && (!pictured || screen.image === undefined)) words.push('(picture left out)');
  const text = words.filter(word => word !== '').join('\n');
  const parts: ChatPart[] = text === '' ? [] : [textPart(text)];
  if (screenFormat !== 'text' && pictured && screen.image !== undefined) parts.push(imagePart(screen.image));
  return parts;
}

export function textPart(text: string): ChatPart {
  return { type: 'text', text };
}

function imagePart({ type, data }: Image): ChatPart {
  return { type: 'image', mediaType: type, data: toBase64(data) };
}

/** A model that looks at pictures needs the newest one. */
export function requirePicture(screen: SeenScreen, screenFormat: ScreenFormat, boundary: 'policy' | 'reviewer'): void {
  if (screenFormat === 'text' || screen.image !== undefined) return;
  throw new EspalierError({
    boundary,
    code: 'unsupported',
    message: 'The model is to be shown pictures, and the screen has none.',
    expected: 'Run the environment in a browser with pictures, or let the model observe text.',
  });
}
