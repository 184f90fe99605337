/** The tags around untrusted text. */
export type Mark = 'task' | 'screen' | 'done' | 'result' | 'thought' | 'reason' | 'answer' | 'verdict';

/**
 * Matches text that could be taken for one of our tags or for a token of a chat template: `</screen>`, `<|im_end|>`,
 * `<end_of_turn>`, `[/INST]`. Servers read the latter in any text of a prompt.
 */
const angle = String.raw`\\*(?:[|｜]|\/?[a-z_][\w-]*>|\s{0,9}\/?\s{0,9}(?:task|screen|done|result|thought|reason|answer|verdict)\b)`;
const square = String.raw`\\*\/?(?:inst|system_prompt|available_tools|tool_calls|tool_results|tool_content|[gs]?mask|bos|eos|eot|pad|unk|sep|cls)\]`;
const opening = new RegExp(`<(?=${angle})|\\[(?=${square})`, 'gi');
const opened = new RegExp(`<\\\\(?=${angle})|\\[\\\\(?=${square})`, 'gi');

/** Untrusted text as data: it can close neither its tags nor the message. */
export function fence(mark: Mark, text: string): string {
  return `<${mark}>\n${text.replaceAll(opening, '$&\\')}\n</${mark}>`;
}

/** The texts between such marks, as they were before. */
export function fenced(mark: Mark, message: string): string[] {
  const [open, close] = [`<${mark}>\n`, `\n</${mark}>`];
  const found: string[] = [];
  for (let start = message.indexOf(open); start >= 0; ) {
    const end = message.indexOf(close, start + open.length - 1);
    if (end < 0) break;
    found.push(message.slice(start + open.length, end).replaceAll(opened, escaped => escaped.slice(0, 1)));
    start = message.indexOf(open, end + close.length);
  }
  return found;
}
