import { describe, expect, it } from 'vitest';
import { modelServers, portNumber } from '../terminal/verb.ts';

describe('options of serve', () => {
  it('[SRV-59] takes ports from 0 to 65535', () => {
    expect(['0', '8901', '65535'].map(portNumber)).toEqual([0, 8901, 65_535]);
    for (const text of ['70000', '65536', '-1', '1.5', 'x', ''])
      expect(() => portNumber(text)).toThrow('Expected a port');
  });

  it('[RAS-11] takes addresses of model servers, and refuses what is none', () => {
    expect(modelServers('http://127.0.0.1:*', ['https://models.example'])).toEqual([
      'https://models.example',
      'http://127.0.0.1:*',
    ]);
    for (const text of ['notaurl', 'file:///etc/passwd', '127.0.0.1:8000', '*'])
      expect(() => modelServers(text)).toThrow('Expected the address of a model server');
  });
});
