import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';

/** Where an answer goes. */
export interface ResponseWriter {
  head(status: number, headers: OutgoingHttpHeaders): void;
  write(chunk: Buffer | string): void;
  end(): void;
  /** Cuts the connection, so that the client notices. */
  cut(): void;
}

export function createResponseWriter(response: ServerResponse): ResponseWriter {
  return {
    head(status, headers) {
      response.writeHead(status, headers);
      // Send the headers at once, not with the first token.
      if (headers['content-length'] === undefined) response.flushHeaders();
    },
    write: chunk => void response.write(chunk),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  };
}

/** Buffers an answer until it is complete, and sends only a share of it. */
export function createFaultyResponseWriter(response: ServerResponse, fault: Fault): ResponseWriter {
  const chunks: Buffer[] = [];
  let status = 200;
  let headers: OutgoingHttpHeaders = {};
  return {
    head(givenStatus, givenHeaders) {
      [status, headers] = [givenStatus, givenHeaders];
    },
    write: chunk => void chunks.push(Buffer.from(chunk)),
    end() {
      const whole = Buffer.concat(chunks);
      const part = whole.subarray(0, placeOfDamage(whole, fault));
      // A cut answer announces its full length, a truncated one only what it sends.
      const isTruncated = fault.kind === 'truncated';
      const { 'content-length': length, ...others } = headers;
      const promised = isTruncated ? part.length : whole.length;
      response.writeHead(status, length === undefined ? others : { ...others, 'content-length': promised });
      if (isTruncated) response.end(part);
      else response.write(part, () => response.destroy());
    },
    cut: () => void response.destroy(),
  };
}

/** Never between two lines, where a stream would be cut, but whole so far. */
function placeOfDamage(whole: Buffer, { share = 0.5 }: Fault): number {
  let place = Math.max(1, Math.floor(whole.length * share));
  while (place > 1 && whole[place - 1] === 0x0a) place--;
  return place;
}
