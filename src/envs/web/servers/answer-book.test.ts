import { describe, expect, it } from 'vitest';
import { createAnswerBook } from './answer-book.ts';
import type { Exchange } from './front.ts';

function exchange(request: string, beginning: string, body = ''): Exchange {
  const [method = '', path = ''] = request.split(' ');
  const rest = { headers: [], status: 200, isBroken: false };
  return { method, path, beginning, answer: beginning, body: Buffer.from(body), ...rest };
}

describe('a book of answers', () => {
  it('[WAPP-9] names the first answer that differs from the one that another session got', () => {
    const book = createAnswerBook();
    const notes = (time: string): Exchange => exchange('GET /notes', `[{"title":"Paint","created":"${time}"}]`);
    expect(book.compare('', [exchange('GET /', 'page'), notes('09:00')])).toBeNull();
    const found = book.compare('', [exchange('GET /', 'page'), notes('10:30')]);
    expect(found).toContain(
      'answered GET /notes otherwise than in another session: :"Paint","created":"10:30"}] instead of',
    );
    expect(found).toContain("clock: 'pinned'");
  });

  it('[WAPP-9] compares what was asked after the same writes alone, each time for itself', () => {
    const book = createAnswerBook();
    const read = (beginning: string): Exchange => exchange('GET /notes', beginning);
    const write = (body: string): Exchange => exchange('POST /notes', 'ok', body);
    expect(book.compare('', [read('none'), write('one'), read('one'), read('one, again')])).toBeNull();
    expect(book.compare('', [read('none'), write('two'), read('two')])).toBeNull();
    expect(book.compare('later', [read('others')])).toBeNull();
    expect(book.compare('', [read('none'), write('one'), read('one'), read('one, again')])).toBeNull();
    expect(book.compare('', [read('none'), write('one'), read('uno')])).toContain('uno instead of one');
  });
});
