import { hash } from 'node:crypto';

/** Texts that were seen, by their digests: the texts themselves would fill the memory. */
export interface DigestSet {
  has(text: string): boolean;
  add(text: string): void;
}

/** Forgets the oldest ones when there are more than `most`. */
export function createDigestSet(most: number): DigestSet {
  const digests = new Set<string>();
  return {
    has: text => digests.has(digestOf(text)),
    add(text) {
      const [oldest] = digests;
      if (digests.size >= most && oldest !== undefined) digests.delete(oldest);
      digests.add(digestOf(text));
    },
  };
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64');
}
