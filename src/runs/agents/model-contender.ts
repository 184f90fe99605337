import { hash } from 'node:crypto';
import { createLlmPolicy } from '../../policies/llm/llm-policy.ts';
import type { ModelSetting } from './agents.ts';
import type { Contender } from './evaluated.ts';
import type { ModelConfig } from '../config/model-config.ts';
import { createAsking } from '../models/open-models.ts';
import { settlePrompts } from '../models/prompt-files.ts';

/** A model as a contender: its name tells apart what is asked otherwise, and what the server has replaced since. */
export async function modelContender(given: ModelConfig, { models, hurry }: ModelSetting): Promise<Contender> {
  const config = settlePrompts(given);
  const opened = await models.open(config, 'policy');
  const { url: _url, deadline: _deadline, prompts: _prompts, ...rest } = config;
  const name = `${config.model} ${hash('sha256', JSON.stringify([rest, opened.version])).slice(0, 8)}`;
  const asking = createAsking({ opened, config, signal: hurry });
  return { name, policyFor: head => createLlmPolicy({ ...asking(head), name }) };
}
