import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readEndpoint } from '../../models/endpoints/endpoint.ts';
import { checkEndpoint } from './check-endpoint.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(status: number, headers: Record<string, string> = {}) {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.writeHead(status, headers).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

describe('greeting an endpoint', () => {
  it('[MOD-2] shows the key to nobody whom the server points at', async () => {
    const other = await serve(200);
    const { url, heard } = await serve(307, { location: `${other.url}/models` });
    await checkEndpoint(readEndpoint(`anthropic:one@${url}`), 'a-secret-key');
    expect(heard).toHaveLength(1);
    expect(other.heard).toHaveLength(0);
  });

  it('[MRN-4] names a wrong key before a run begins', async () => {
    const { url } = await serve(401);
    await expect(checkEndpoint(readEndpoint(`openai:one@${url}`), 'a-secret-key')).rejects.toMatchObject({
      code: 'bad-key',
    });
  });
});
