import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Owner } from './call-record.ts';

/** Salted: the record must not tell who else has this key. */
export function createOwner(key: string): Owner {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: hash('sha256', salt + key, 'hex') };
}

export function isOwner(owner: Owner, key: string | null): boolean {
  if (key === null) return false;
  const given = Buffer.from(hash('sha256', owner.salt + key, 'hex'));
  const wanted = Buffer.from(owner.hash);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
