import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventParser, writeEvent } from './events.ts';

describe('server-sent events', () => {
  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('[DIA-10] are read with %s at the ends of lines, cut anywhere', (_name, end) => {
    const stream = [
      ': hello',
      'event: ping',
      'data: {}',
      '',
      '',
      'data:one',
      'data: two',
      'data',
      'id: 7',
      '',
      '',
    ].join(end);
    const expected = [
      { event: 'ping', data: '{}' },
      { event: null, data: 'one\ntwo\n' },
    ];
    for (let place = 0; place <= stream.length; place += 1) {
      const parser = createEventParser();
      const events = [stream.slice(0, place), stream.slice(place)].flatMap(piece => parser.read(piece));
      expect(events).toEqual(expected);
    }
  });

  it('[DIA-10] are read without the mark that some texts begin with', () => {
    expect(createEventParser().read('\uFEFFdata: 1\n\n')).toEqual([{ event: null, data: '1' }]);
  });

  it('[DIA-10] that are not complete are not told', () => {
    expect(createEventParser().read('event: a\ndata: 1\n')).toEqual([]);
    expect(createEventParser().read('event: a\n\n')).toEqual([]);
  });

  it('[DIA-10] are the same when they were written', () => {
    const event = fc.record({
      event: fc.option(fc.stringMatching(/^[a-z.]{1,9}$/)),
      data: fc.string({ unit: 'grapheme' }),
    });
    fc.assert(
      fc.property(fc.array(event), events => {
        const read = createEventParser().read(events.map(writeEvent).join(''));
        expect(read).toEqual(
          events.map(({ event: name, data }) => ({ event: name, data: data.replace(/\r\n?/g, '\n') })),
        );
      }),
    );
  });
});
