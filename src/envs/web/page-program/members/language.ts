import type { MemberTable } from './members.ts';

/**
 * Objects of the language that a page may use without restriction: they keep nothing, or keep it in objects whose contents
 * a snapshot reads. `Promise`, `Proxy`, `Date`, `WeakMap`, `WeakSet` and `WeakRef` are watched by other parts of the page.
 */
const unrestricted = `
  AggregateError BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float16Array
  Float32Array Float64Array Int16Array Int32Array Int8Array Intl JSON Map Math Number Object Promise Proxy
  RangeError ReferenceError Reflect Set String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet FinalizationRegistry console
`;

/** Of these, some members are left out: the last match of the page, regular expressions and buffers that change their nature. */
const restricted: MemberTable = {
  Array: `
    constructor length at concat copyWithin fill find findIndex findLast findLastIndex lastIndexOf pop push
    reverse shift unshift slice sort splice includes indexOf join keys entries values forEach filter flat
    flatMap map every some reduce reduceRight toReversed toSorted toSpliced with toLocaleString toString isArray
    from of`,
  ArrayBuffer: 'constructor byteLength slice maxByteLength resizable detached isView',
  Function: 'constructor apply bind call toString length name',
  RegExp: `
    constructor exec test toString dotAll flags global hasIndices ignoreCase multiline source sticky unicode
    unicodeSets escape`,
  Temporal: 'PlainDate PlainTime PlainDateTime ZonedDateTime Duration Instant PlainYearMonth PlainMonthDay',
};

export const languageMembers: MemberTable = {
  ...Object.fromEntries(
    unrestricted
      .trim()
      .split(/\s+/)
      .map(name => [name, '*']),
  ),
  ...restricted,
};
