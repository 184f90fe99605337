import { writeError } from './errors.ts';
import { readRequest } from './read-request.ts';
import { createReader } from './read-stream.ts';
import { readReply, writeReply } from './reply.ts';
import { writeRequest } from './write-request.ts';
import { createWriter } from './write-stream.ts';
import type { Dialect } from '../dialect.ts';
import { classifyError } from '../wire.ts';

/** The Messages API of Anthropic. */
export const anthropic: Dialect = {
  name: 'anthropic',
  path: '/messages',
  headers: key => ({
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    ...(key !== null && { 'x-api-key': key }),
  }),
  writeRequest,
  readReply,
  createReader,
  readError: classifyError,
  readRequest,
  writeReply,
  createWriter,
  writeError,
};
