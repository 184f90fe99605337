import { readFeatures } from '../feature.ts';

/** Natives with slots of their own: collections, iterators, buffers, dates, expressions, formats, addresses. */
export const data = readFeatures(
  'data',
  String.raw`
# map-of-objects
js: const $m = new Map([[{ k: 1 }, 'a'], [NaN, 'b']])
do: $m.set({ k: $m.size }, $m.size)
do: { const [first] = $m.keys(); $m.delete(first); $m.set(first, 'again') }
show: [...$m.values()]

# set-order
js: const $s = new Set([1, 2, 3])
do: { const [first] = $s; $s.delete(first); $s.add(first) }
do: $s.clear()
show: [...$s]

# weak-map
js: const $w = new WeakMap(), $k = {}
do: $w.set($k, ($w.get($k) ?? 0) + 1)
do: $w.delete($k)
show: $w.get($k)

# weak-map-by-element
html: <i id="$e">i</i>
js: const $w = new WeakMap()
do: $w.set($e, { n: ($w.get($e)?.n ?? 0) + 1 })
show: $w.get($e)?.n

# weak-set
js: const $w = new WeakSet(), $k = {}
do: $w.has($k) ? $w.delete($k) : $w.add($k)
show: $w.has($k)

# weak-ref
js: let $o = { n: 1 }, $r = new WeakRef($o)
do: $r.deref().n++
do: $o = { n: 50 }; $r = new WeakRef($o)
show: $r.deref().n

# finalization-registry
js: let $n = 0; const $reg = new FinalizationRegistry(() => { $n = -1 }); const $keep = [{}]
do: $reg.register($keep[0], 1); $n++
show: $n

# map-iterator-half-consumed
js: const $m = new Map([[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]), $it = $m.«entries|values|keys»(); let $last
do: $last = $it.next().value
show: String($last)

# set-iterator-half-consumed
js: const $it = new Set([1, 2, 3, 4, 5])[Symbol.iterator](); let $last
do: $last = $it.next().value
show: $last

# array-iterator-half-consumed
js: const $a = [1, 2, 3, 4, 5], $it = $a.«values|entries|keys»(); let $last
do: $last = $it.next().value
do: $a.unshift(0)
show: String($last)

# string-iterator-half-consumed
js: const $it = 'abcdef'[Symbol.iterator](); let $last
do: $last = $it.next().value
show: $last

# match-all-half-consumed
js: const $it = 'a1b2c3d4'.matchAll(/[a-z](\d)/g); let $last
do: $last = $it.next().value?.[1]
show: $last

# iterator-helpers-half-consumed
js: const $it = [1, 2, 3, 4, 5, 6].values().map(x => x * 2).drop(1); let $last
do: $last = $it.next().value
show: $last

# typed-array-iterator
js: const $it = Uint8Array.of(5, 6, 7, 8)[Symbol.iterator](); let $last
do: $last = $it.next().value
show: $last

# segment-iterator
js: const $it = new Intl.Segmenter('en', { granularity: 'word' }).segment('one two three')[Symbol.iterator](); let $last
do: $last = $it.next().value?.segment
show: $last

# node-list-iterator
html: <ul id="$l"><li>1<li>2<li>3<li>4</ul>
js: const $it = $l.children[Symbol.iterator](); let $last
do: $last = $it.next().value?.textContent
show: $last

# form-data-iterator
js: const $f = new FormData(); for (const k of 'abcd') $f.append(k, k + 1); const $it = $f.entries(); let $last
do: $last = $it.next().value
do: $f.append('z', 1)
show: String($last) + [...$f].length

# generator-half-consumed
js: const $g = (function* () { let n = 0; for (;;) n += yield n })(); let $last = $g.next().value
do: $last = $g.next(2).value
show: $last

# generator-in-finally
js: let $ended = 0; const $g = (function* () { try { yield 1; yield 2 } finally { $ended++ } })(); let $last
do: $last = $g.next().value
do: $g.return(9)
show: $last + '/' + $ended

# generator-delegating
js: const $g = (function* () { yield* [1, 2]; yield* 'ab'; yield* [5] })(); let $last
do: $last = $g.next().value
show: $last

# generator-in-map-value
js: const $m = new Map([['g', (function* () { let i = 0; while (true) yield i++ })()]]); let $last
do: $last = $m.get('g').next().value
show: $last

# async-generator
js: const $g = (async function* () { for (let n = 1; ; n++) yield n })(); let $last = 0
do: $g.next().then(({ value }) => { $last = value })
show: $last

# typed-array
js: const $t = new «Uint8Array|Float64Array|Int16Array|Uint8ClampedArray»([1, 2, 250])
do: $t[2] += 10; $t[0]++
show: [...$t]

# typed-array-shared-buffer
js: const $b = new ArrayBuffer(8), $x = new Uint8Array($b, 2, 4), $y = new Uint16Array($b)
do: $x[0] += 7; $y[3]++
show: [...new Uint8Array($b)]

# typed-array-with-member
js: const $t = new Uint8Array(2)
do: $t.tag = ($t.tag ?? 0) + 1
show: $t.tag

# data-view
js: const $v = new DataView(new ArrayBuffer(8))
do: $v.setInt16(1, $v.getInt16(1) + 300)
show: [...new Uint8Array($v.buffer)]

# array-buffer-resizable
js: const $b = new ArrayBuffer(2, { maxByteLength: 16 }), $t = new Uint8Array($b)
do: $b.resize($b.byteLength + 1); $t[$t.length - 1] = $t.length
show: $t.length + ':' + [...$t]

# array-buffer-transferred
js: let $b = new ArrayBuffer(4); const $t = new Uint8Array($b); let $moved = null
do: if (!$b.detached) { $t[0] = 9; $moved = $b.transfer() }
show: $b.detached + '/' + $t.length + '/' + $moved?.byteLength

# big-int-array
js: const $t = new BigInt64Array(2)
do: $t[1] += 5n; $t[0] -= 1n
show: [...$t]

# atomics
js: const $t = new Int32Array(typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(8) : new SharedArrayBuffer(8))
do: Atomics.add($t, 0, 3)
show: $t[0]

# wasm-memory
js: const $m = new WebAssembly.Memory({ initial: 1, maximum: 4 })
do: new Uint8Array($m.buffer)[3]++
do: $m.grow(1)
show: new Uint8Array($m.buffer)[3] + '/' + $m.buffer.byteLength

# date-mutated
js: const $d = new Date(1e12)
do: $d.setHours($d.getHours() + 30)
show: $d.toISOString()

# regexp-last-index
js: const $r = /«a|[ab]»/«g|y»
do: $r.exec('aaaa')
show: $r.lastIndex

# regexp-legacy-statics
js: let $n = 0
do: /(\d)/.exec('x' + ++$n)
show: RegExp.$1 + RegExp.lastMatch

# regexp-recompiled
js: const $r = /a/
do: $r.compile('b', 'i')
show: $r.source + $r.flags

# intl-number-format
js: let $f = new Intl.NumberFormat('en', { style: 'percent' })
do: $f = new Intl.NumberFormat('de', { minimumFractionDigits: 2 })
do: $f.tag = ($f.tag ?? 0) + 1
show: $f.format(0.5) + $f.tag

# intl-date-format-bound
js: const $f = new Intl.DateTimeFormat('en', { timeZone: 'UTC' }); const $bound = $f.format; let $d = 0
do: $d += 86400000
show: $bound($d)

# intl-collator-and-plural
js: let $rules = new Intl.PluralRules('en'); let $n = 1
do: $n++
do: $rules = new Intl.PluralRules('en', { type: 'ordinal' })
show: $rules.select($n) + new Intl.Collator('sv').compare('z', 'ö')

# url-object
js: const $u = new URL('http://x.test/p?q=1')
do: $u.pathname += '/a'; $u.hash = 'h' + $u.pathname.length
show: $u.href

# url-search-params
js: const $u = new URL('http://x.test/?a=1'), $p = $u.searchParams, $q = new URLSearchParams('x=1')
do: $p.append('b', $p.size); $q.set('x', $p.size)
show: $u.search + $q

# url-pattern-and-member
js: const $u = new URL('http://x.test/')
do: $u.tag = ($u.tag ?? 0) + 1
show: $u.tag

# headers
js: const $h = new Headers({ a: '1' })
do: $h.append('a', $h.get('a').length)
show: $h.get('a')

# request-object
js: const $r = new Request('http://pages.test/x', { headers: { a: '1' } })
do: $r.headers.append('a', '2')
show: $r.headers.get('a')

# response-body
js: let $r = new Response('{"a":1}'), $got = 'none'
do: if (!$r.bodyUsed) $r.text().then(text => { $got = text })
show: $r.bodyUsed + $got

# form-data
js: const $f = new FormData(); $f.append('a', '1')
do: $f.append('a', [...$f].length)
do: $f.delete('a')
show: JSON.stringify([...$f])

# blob-and-url
js: let $b = new Blob(['a']); let $u = URL.createObjectURL($b), $text = ''
do: $b = new Blob([$b, 'bc'])
do: fetch($u).then(r => r.text()).then(text => { $text += text })
show: $b.size + $text

# file-object
js: let $f = new File(['a'], 'a.txt', { lastModified: 5 })
do: $f = new File([$f, 'b'], $f.name + 'x', { lastModified: $f.lastModified + 1 })
show: $f.name + $f.size + $f.lastModified

# text-decoder-stream-state
js: const $d = new TextDecoder(); let $out = ''
do: $out += $d.decode(new Uint8Array([0xe2, 0x82]), { stream: true })
do: $out += $d.decode(new Uint8Array([0xac]), { stream: true })
show: $out

# text-encoder
js: const $e = new TextEncoder(); let $n = 0
do: $n += $e.encode('é').length
show: $n

# dom-matrix
js: const $m = new DOMMatrix()
do: $m.translateSelf(5, $m.e)
show: $m.e + ',' + $m.f

# dom-point-and-rect
js: const $p = new DOMPoint(1, 2), $r = new DOMRect(0, 0, 5, 5)
do: $p.x += 3; $r.width += $p.x
show: $p.x + ',' + $r.right

# path-2d
html: <canvas id="$c" width="40" height="20"></canvas>
js: const $p = new Path2D(); $p.rect(0, 0, 5, 5)
do: $p.rect(20, 0, 10, 10)
show: $c.getContext('2d').isPointInPath($p, 25, 5)

# image-data
js: const $i = new ImageData(2, 1)
do: $i.data[1] += 40
show: $i.data[1]

# crypto-and-random
js: let $n = 0, $u = ''
do: $n = Math.random()
do: $u = crypto.randomUUID(); $n = crypto.getRandomValues(new Uint8Array(2))[1]
show: $n + $u

# clock
js: let $t = 0, $p = 0
do: $t = Date.now(); $p = Math.round(performance.now())
show: $t + '/' + $p + '/' + new Date().toISOString()

# performance-entries
js: performance.clearMarks()
do: performance.mark('$m')
show: performance.getEntriesByName('$m').length

# compression-stream
js: let $n = 0
do: new Response(new Blob(['aaaa']).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer().then(b => { $n = b.byteLength })
show: $n > 0
`,
);
