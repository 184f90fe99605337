import { expect, it } from 'vitest';
import { readEndpoint } from './endpoint.ts';
import { refusalOf } from './failure.ts';

it('[MOD-21] a prompt that is too long for a server is answered with the settings that shorten it', () => {
  const endpoint = readEndpoint('openai:m@http://127.0.0.1:8000/v1');
  const { advice } = refusalOf(
    { kind: 'context-overflow', message: 'too long' },
    { status: 400, headers: {} },
    endpoint,
  );
  for (const setting of ['actions=screen', 'student.window', 'student.form=compact']) expect(advice).toContain(setting);
});
