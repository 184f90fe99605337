import type { Dialect } from './dialect.ts';
import { writeError } from './openai/errors.ts';
import { readRequest } from './openai/read-request.ts';
import { readReply, writeReply } from './openai/reply.ts';
import { createReader } from './openai/read-stream.ts';
import { createWriter } from './openai/write-stream.ts';
import { writeRequest } from './openai/write-request.ts';
import { classifyError } from './wire.ts';

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
