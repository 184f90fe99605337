import { writeError } from './anthropic/errors.ts';
import { readRequest } from './anthropic/read-request.ts';
import { createReader } from './anthropic/read-stream.ts';
import { readReply, writeReply } from './anthropic/reply.ts';
import { writeRequest } from './anthropic/write-request.ts';
import { createWriter } from './anthropic/write-stream.ts';
import type { Dialect } from './dialect.ts';
import { classifyError } from './wire.ts';

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
