import type { ChatMessage } from '../../core/chat/chat.ts';
import type { ModelCall } from '../../core/chat/model.ts';

/** Unusable answers in a row after which the user is told what helps. */
const mostUnusable = 3;

/** Looks at the exchanges with a model, and says once what goes wrong quietly, and what helps. */
export function createAnswerWatch(onNotice: (text: string) => void): (call: ModelCall) => void {
  const told = new Set<string>();
  let unusable = 0;
  const say = (what: string, text: string): void => {
    if (told.has(what)) return;
    told.add(what);
    onNotice(text);
  };
  return call => {
    const dropped = droppedTools(call);
    if (dropped !== null) say('tools', dropped);
    unusable = call.problem === null ? 0 : unusable + 1;
    if (unusable >= mostUnusable) say('unusable', adviceFor(call));
  };
}

/** Characters of a token, at least: screens and schemas have short words, so that real prompts have about four. */
const longestToken = 5;

/** A server whose template has no place for tools counts far fewer tokens than it was sent. */
function droppedTools({ tools, messages, reply }: ModelCall): string | null {
  if (tools.length === 0 || reply.usage === null || (reply.message.calls?.length ?? 0) > 0) return null;
  const said = messages.reduce((sum, message) => sum + lengthOf(message), 0);
  const offered = JSON.stringify(tools).length;
  const { prompt } = reply.usage;
  // Some templates write schemas in half the characters that JSON takes.
  if (prompt >= (said + offered / 2) / longestToken) return null;
  const sent = Math.round((said + offered) / 4).toLocaleString('en');
  return `it counts ${prompt.toLocaleString('en')} tokens in a request of about ${sent}, so its chat template leaves the tools out. Ask for text instead: --set student.speech=text.`;
}

function lengthOf(message: ChatMessage): number {
  if (message.role === 'system') return message.content.length;
  if (message.role === 'assistant') {
    return (
      message.content.length +
      (message.calls ?? []).reduce((sum, { name, input }) => sum + name.length + input.length, 0)
    );
  }
  return message.content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

function adviceFor({ problem, reply, tools, grammar, without = [] }: ModelCall): string {
  const start = `${mostUnusable} answers in a row could not be used. The last one: ${problem} `;
  if (reply.finish === 'length')
    return `${start}Allow longer answers: --set student.maxTokens=1024, and look whether the model thinks at length.`;
  if (tools.length > 0)
    return `${start}A model that calls no tools is asked for text with --set student.speech=text; --set actions=screen offers fewer tools.`;
  if (grammar === undefined || without.includes('grammar'))
    return `${start}Hold it to what the screen allows: --set student.grammar=true, with a server that takes a grammar (llama.cpp, vLLM, SGLang).`;
  return `${start}Use a larger model, or one that was trained on such steps.`;
}
