// A model behind serve.py as a student:
//
//   espalier eval synth:9001 --student python/recipe/policy.ts --out runs/eval
import type { Policy } from 'espalier';

const address = process.env['RECIPE_SERVER'] ?? 'http://127.0.0.1:8011';

export const policy: Policy = {
  name: 'recipe',
  patient: true,
  async act({ instruction, history, path, observation }) {
    const screens = [...path.map(({ screen }) => screen), observation.text];
    const response = await fetch(address, {
      method: 'POST',
      body: JSON.stringify({ task: instruction, done: history, screens }),
    });
    if (!response.ok) throw new Error(`The model at ${address} answered ${response.status}.`);
    return response.json();
  },
};
