// A model behind serve.py as a student:
//
//   espalier eval synth:9001 --student python/recipe/policy.ts --out runs/eval
import type { Decision, Policy } from 'espalier';
import { compactSituation, writeCompactPrompt } from '../../src/models/prompt/compact.ts';

const address = process.env['RECIPE_SERVER'] ?? 'http://127.0.0.1:8011';
const temperature = Number(process.env['RECIPE_TEMPERATURE'] ?? 0);

export const policy: Policy = {
  name: 'recipe',
  patient: true,
  async act(view) {
    const prompt = writeCompactPrompt(compactSituation(view));
    // As the model that ships: what was clicked on this very screen is not clicked again.
    const here = view.path.filter(({ screen }) => screen === view.observation.text);
    const taken = here.flatMap(({ action }) => (action.kind === 'click' ? [action.ref] : []));
    const response = await fetch(address, { method: 'POST', body: JSON.stringify({ prompt, temperature, taken }) });
    if (!response.ok) throw new Error(`The model at ${address} answered ${response.status}.`);
    const { action, logprob } = (await response.json()) as Required<Pick<Decision, 'action' | 'logprob'>>;
    const confidence = Math.exp(logprob);
    return { action, logprob, confidence, prior: confidence, entropy: -logprob };
  },
};
