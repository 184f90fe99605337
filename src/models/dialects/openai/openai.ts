import type { Dialect } from '../dialect.ts';
import { writeError } from './errors.ts';
import { readRequest } from './read-request.ts';
import { readReply, writeReply } from './reply.ts';
import { createReader } from './read-stream.ts';
import { createWriter } from './write-stream.ts';
import { writeRequest } from './write-request.ts';
import { classifyError } from '../wire.ts';

/** Chat Completions, as OpenAI, vLLM, SGLang, llama.cpp and many others speak it. */
export const openai: Dialect = {
  name: 'openai',
  path: '/chat/completions',
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
