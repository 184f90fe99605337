import { describe, expect, it } from 'vitest';
import { closest, suggestion } from './closest.ts';

describe('suggestions', () => {
  it('[SRV-35] name the nearest known word, and nothing for a text too long to be a typing error', () => {
    expect(suggestion('mial', ['shop', 'mail'])).toBe(' Did you mean "mail"?');
    const known = 'x'.repeat(101);
    expect(closest(known.slice(1), [known])).toBe(known);
    expect(closest(`${known}y`, [known])).toBeNull();
    expect(suggestion('x'.repeat(900_000), ['mail', known])).toBe('');
  });
});
