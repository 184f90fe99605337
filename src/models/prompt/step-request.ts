import type { ChatTool } from '../../core/chat/chat.ts';
import type { View } from '../../core/episode/view.ts';
import type { Memory } from './memory.ts';
import type { Offer } from './offer.ts';
import { readPrompts, type PromptName, type Prompts } from './prompts.ts';
import type { ScreenFormat } from './screen-parts.ts';
import { writeTranscript, type Chat, type Speech } from './transcript.ts';

/** How a model is asked for a step. */
export interface PromptStyle {
  readonly prompts: Prompts;
  /** What it is shown of screens. */
  readonly screenFormat: ScreenFormat;
  /** How it says what it does. */
  readonly speech: Speech;
  /** Characters of screens before old ones are left out. */
  readonly window: number;
}

/** Some 24,000 tokens: more than most episodes need, less than most models take. */
const defaultWindow = 96_000;

/** The style that models are asked in unless the user chooses another. */
export function createPromptStyle(
  chosen: { readonly [K in keyof PromptStyle]?: PromptStyle[K] | undefined } = {},
): PromptStyle {
  const { prompts = readPrompts(), screenFormat = 'text', speech = 'tools', window = defaultWindow } = chosen;
  return { prompts, screenFormat, speech, window };
}

export interface StepRequestOptions {
  readonly style: PromptStyle;
  readonly offer: Offer;
  /** What the model said before in this episode; an empty memory for steps that no model took. */
  readonly memory: Memory;
}

/** The request for one step: the only writer of it, for live models and for training rows. */
export interface StepRequest {
  readonly chat: Chat;
  readonly tools: readonly ChatTool[];
  /** The prompt files it is made of. */
  readonly prompts: readonly PromptName[];
}

export function writeStepRequest(
  view: Pick<View, 'instruction' | 'observation' | 'path'>,
  { style, offer, memory }: StepRequestOptions,
): StepRequest {
  const { prompts, speech } = style;
  const chat = writeTranscript(view, { ...style, system: systemText(prompts, speech, offer), offer, memory });
  return speech === 'tools'
    ? { chat, tools: offer.tools, prompts: ['act'] }
    : { chat, tools: [], prompts: ['act', 'act-text'] };
}

/** Models that cannot call tools are told how to write steps as text. */
function systemText({ texts }: Prompts, speech: Speech, offer: Offer): string {
  if (speech === 'tools') return texts.act;
  const tools = offer.tools.map(({ name, description, input }) => `${name}: ${description} ${JSON.stringify(input)}`);
  return `${texts.act}\n${texts['act-text']}\n${tools.join('\n')}\n`;
}
