import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount } from 'ai';
import { createWarehouse, tellVerdict } from './warehouse.ts';

// A harness that knows nothing of Espalier but an address:
//   espalier proxy openai:<model>@<url> --out runs/harness --tokens
//   node examples/harness/agent-loop.ts http://127.0.0.1:8787
const [proxy = 'http://127.0.0.1:8787', session = 'agent-loop'] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: 'proxy', baseURL: `${proxy}/s/${session}/v1`, includeUsage: true });

// The loop of the SDK: every call sends all that was said before, and what came of it.
const warehouse = createWarehouse();
const { text, steps } = await generateText({
  model: provider('any'),
  instructions: 'You keep a warehouse. Use the tools, one call at a time, and say when you are done.',
  prompt: warehouse.task,
  tools: warehouse.tools,
  stopWhen: isStepCount(20),
});
console.log(`${steps.length} calls of the model, ${steps.flatMap(step => step.toolCalls).length} of tools: ${text}`);

// Whoever watches says how it ended.
const pass = await tellVerdict(proxy, session, warehouse);
console.log(pass ? 'passed' : 'failed');
