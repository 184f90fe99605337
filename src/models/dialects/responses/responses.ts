import type { Dialect } from '../dialect.ts';
import { writeError } from '../openai/errors.ts';
import { readRequest } from './read-request.ts';
import { createReader } from './read-stream.ts';
import { readReply, writeReply } from './reply.ts';
import { writeRequest } from './write-request.ts';
import { createWriter } from './write-stream.ts';
import { classifyError } from '../wire.ts';

/** The Responses API of OpenAI, without what it would have a server remember. */
export const responses: Dialect = {
  name: 'responses',
  path: '/responses',
  headers: key => ({ 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }),
  writeRequest,
  readReply,
  createReader,
  readError: classifyError,
  readRequest,
  writeReply,
  createWriter,
  writeError,
};
