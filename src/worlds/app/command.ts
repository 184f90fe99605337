import { z } from 'zod';
import type { Json, JsonObject } from '../../core/json.ts';
import { describeIssues } from '../../core/records.ts';
import type { Intent } from '../../core/ui.ts';

/** The input of a command: JSON, with members that may be left out. */
export type Input = { readonly [key: string]: Json | undefined };

export interface CommandBody<S extends JsonObject, I extends Input> {
  readonly about: string;
  readonly input: z.ZodType<I>;
  /** Edits the draft; throw with `refuse` to say no. May return JSON, which a tool call hands back. */
  run(draft: S, input: I): Json | void;
}

export interface QueryBody<S extends JsonObject, I extends Input> {
  readonly about: string;
  readonly input: z.ZodType<I>;
  run(state: S, input: I): Json;
}

/** The input as the command takes it, or what is wrong with it: by field for a caller, in plain words for a person. */
type ParsedInput = { readonly input: JsonObject } | { readonly problem: string; readonly words: string };

/** A command as the kernel sees it: the type of its input is its own business. */
export interface AppCommand<S extends JsonObject> {
  readonly name: string;
  readonly about: string;
  readonly kind: 'command' | 'gesture' | 'query';
  readonly schema: z.ZodType;
  parse(input: JsonObject): ParsedInput;
  run(state: S, input: JsonObject): Json | void;
}

/** A command as the view sees it. */
export interface Command<S extends JsonObject, I extends Input> extends AppCommand<S> {
  /** What an element dispatches when clicked. */
  with(input: I): Intent;
  /** What an input element dispatches: the entered text or option is added as `value`. */
  entering(input: Omit<I, 'value'>): Intent;
}

export function createCommand<S extends JsonObject, I extends Input>(
  name: string,
  body: CommandBody<S, I>,
  tool: boolean,
): Command<S, I> {
  return {
    name,
    about: body.about,
    kind: tool ? 'command' : 'gesture',
    schema: body.input,
    parse: parser(body.input),
    run: (draft, input) => body.run(draft, input as I),
    with: input => ({ command: name, input: input as JsonObject }),
    entering: input => ({ command: name, input: input as JsonObject }),
  };
}

export function createQuery<S extends JsonObject, I extends Input>(name: string, body: QueryBody<S, I>): AppCommand<S> {
  return {
    name,
    about: body.about,
    kind: 'query',
    schema: body.input,
    parse: parser(body.input),
    run: (state, input) => body.run(state, input as I),
  };
}

function parser<I extends Input>(schema: z.ZodType<I>): (input: JsonObject) => ParsedInput {
  return input => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return { input: parsed.data as JsonObject };
    const words = parsed.error.issues.map(({ message }) => message).join('; ');
    return { problem: describeIssues(parsed.error), words };
  };
}
