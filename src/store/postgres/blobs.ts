import { EspalierError, invalidOption } from '../../core/errors.ts';
import { addressOf } from '../blobs.ts';
import { damaged } from '../faults.ts';

/** Large attachments, by their hash, outside of the database. */
export interface BlobStore {
  put(hash: string, data: Uint8Array): Promise<void>;
  get(hash: string): Promise<Uint8Array>;
}

/** The store of blobs does not answer: the same may succeed later. */
export class BlobOutage extends Error {
  override readonly name = 'BlobOutage';
}

/** Smaller ones stay in the database: a request for each would take longer. */
const leastBytes = 16 * 1024;
/** What stands in the database for one that lies outside. No attachment but the empty one is like it. */
const outside = new Uint8Array();
const atOnce = 16;

/** Whether an attachment of this hash lies outside of the database. */
export function isOutside(hash: Uint8Array, body: Uint8Array): boolean {
  return body.length === 0 && !addressOf(body).equals(hash);
}

/** `https://key:secret@host/bucket/folder?region=eu-central-1`: any store that speaks S3. */
export async function openBlobs(address: string): Promise<BlobStore> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const [, bucket = '', ...folder] = (url?.pathname ?? '').split('/');
  if (url === null || !/^https?:$/.test(url.protocol) || bucket === '' || url.username === '')
    throw invalidOption(
      'The address of the store of blobs cannot be read.',
      'Expected an address such as https://key:secret@host/bucket, encoded, after blobs=.',
    );
  const { S3mini } = await import('s3mini').catch((cause: unknown) => {
    throw missingPackage(cause);
  });
  const client = new S3mini({
    endpoint: `${url.origin}/${bucket}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  });
  const place = (hash: string): string => [...folder.filter(part => part !== ''), hash].join('/');
  const reach = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const { status = 0, message = '' } = cause as { status?: number; message?: string };
      const text = `The store of blobs at ${url.host} did not ${what}: ${message}`;
      // It is not reached, or says that it is busy.
      if (status === 0 || status === 429 || status >= 500) throw new BlobOutage(text, { cause });
      throw refused(text, cause);
    }
  };
  return {
    async put(hash, data) {
      await reach('take a blob', () => client.putObject(place(hash), Buffer.from(data)));
    },
    async get(hash) {
      const found = await reach('give a blob', () => client.getObjectArrayBuffer(place(hash)));
      if (found === null) throw damaged(url.host, `the blob ${hash} is missing`);
      const data = new Uint8Array(found);
      if (addressOf(data).toString('hex') !== hash) throw damaged(url.host, `the blob ${hash} does not fit its hash`);
      return data;
    },
  };
}

/** Puts what is large outside, before what names it is committed. Gives what the database is to hold. */
export async function putOutside(
  blobs: BlobStore | null,
  attached: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (blobs === null) return attached;
  const large = [...attached].filter(([, data]) => data.length >= leastBytes);
  for (let at = 0; at < large.length; at += atOnce)
    await Promise.all(large.slice(at, at + atOnce).map(([hash, data]) => blobs.put(hash, data)));
  return new Map([...attached].map(([hash, data]) => [hash, data.length >= leastBytes ? outside : data]));
}

/** An attachment lies outside, and the address does not say where. */
export function noBlobs(address: string, hash: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `${address} keeps large attachments such as ${hash} in a store of blobs.`,
    expected: 'Expected an address that names it: …?store=name&blobs=https%3A%2F%2Fkey%3Asecret%40host%2Fbucket.',
  });
}

function refused(message: string, cause: unknown): EspalierError {
  const expected = 'Expected a bucket that exists, and a key that may read and write it.';
  return new EspalierError({ boundary: 'store', code: 'unavailable', message, expected, cause });
}

function missingPackage(cause: unknown): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: 'Blobs on S3 need a package that is not installed.',
    expected: 'Install it: npm install s3mini.',
    cause,
  });
}
