import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage } from 'ai';
import { createWarehouse, tellVerdict } from './warehouse.ts';

// As agent-loop.ts, but with a context that is written anew when it has grown.
const [proxy = 'http://127.0.0.1:8787', session = 'compacting-loop'] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: 'proxy', baseURL: `${proxy}/s/${session}/v1`, includeUsage: true });
const longest = 6;

const warehouse = createWarehouse();
const instructions = 'You keep a warehouse. Use the tools, one call at a time, and say when you are done.';
const ask = (messages: ModelMessage[]) =>
  generateText({ model: provider('any'), instructions, messages, tools: warehouse.tools });

let messages: ModelMessage[] = [{ role: 'user', content: warehouse.task }];
let rewrites = 0;
for (let step = 0; step < 30; step++) {
  const { text, toolCalls, responseMessages } = await ask(messages);
  if (toolCalls.length === 0) {
    console.log(text);
    break;
  }
  messages.push(...responseMessages);
  if (messages.length < longest) continue;
  // The model writes down what it knows; all it said before is forgotten.
  const notes = await ask([
    ...messages,
    { role: 'user', content: 'Write down all that you know so far, in one line.' },
  ]);
  messages = [{ role: 'user', content: `${warehouse.task}\nNotes: ${notes.text}` }];
  rewrites++;
}
console.log(`${rewrites} rewrites`);

const pass = await tellVerdict(proxy, session, warehouse);
console.log(pass ? 'passed' : 'failed');
