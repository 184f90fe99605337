import { readFeatures } from '../feature.ts';

/** What is hard to read of objects: attributes of indices, members put in the place of others, state that no member shows. */
export const shapes = readFeatures(
  'shapes',
  String.raw`
# array-index-read-only
js: const $a = [1, 2]
do: Object.defineProperty($a, 0, { writable: false })
do: Reflect.set($a, 0, 9)
show: $a + ''

# array-index-hidden
js: const $a = [1, 2]
do: Object.defineProperty($a, 0, { enumerable: false })
do: $a.push(3)
show: Object.keys($a)

# array-index-getter
js: const $a = [1, 2]; let $n = 0
do: Object.defineProperty($a, 0, { get: () => 1, configurable: true, enumerable: true })
do: Reflect.set($a, 0, 7)
show: $a + ''

# array-sealed-then-frozen
js: const $a = [1, 2]; Object.seal($a)
do: Object.freeze($a)
do: Reflect.set($a, 0, 5)
show: $a + '' + Object.isFrozen($a)

# array-length-locked
js: const $a = [1, 2]
do: Object.defineProperty($a, 'length', { writable: false })
do: try { $a.push(3) } catch { }
show: $a + ''

# array-index-read-only-undone
js: const $a = [1, 2]; Object.defineProperty($a, 1, { writable: false })
do: delete $a[1]; $a[1] = 2
do: Reflect.set($a, 1, 9)
show: $a + ''

# class-field-over-accessor
js: const $o = {}; Object.defineProperty($o, 'x', { get: () => 1, configurable: true }); class $R { constructor() { return $o } } class $F extends $R { x = 1 }
do: new $F()
do: Reflect.set($o, 'x', 5)
show: $o.x

# class-field-over-index
js: const $a = [1, 2]; Object.defineProperty($a, 0, { writable: false }); class $R { constructor() { return $a } } class $F extends $R { 0 = 1 }
do: new $F()
do: Reflect.set($a, 0, 5)
show: $a + ''

# capture-stack-twice
js: const $o = {}; const $f = function one() { Error.captureStackTrace($o) }, $g = function two() { Error.captureStackTrace($o) }
do: $f()
do: $g()
show: /two/.test($o.stack) + '' + /one/.test($o.stack)

# error-stack-set
js: const $e = new Error('x'); let $n = 0
do: $e.stack = 'own ' + ++$n
do: delete $e.stack
show: String($e.stack).slice(0, 8)

# popovers-on-one-spot
html: <div id="$p" popover="manual" style="inset:100px auto auto 100px;width:90px"><button id="$pb">P $#</button></div><div id="$q" popover="manual" style="inset:100px auto auto 100px;width:90px"><button id="$qb">Q $#</button></div>
js: let $s = ''; $pb.onclick = () => { $s += 'p' }; $qb.onclick = () => { $s += 'q' }
do: document.getElementById('$p').togglePopover()
do: document.getElementById('$q').togglePopover()
do: for (const x of ['$q', '$p']) document.getElementById(x).showPopover()
show: $s + document.elementFromPoint(120, 115)?.id

# popover-by-button
html: <button id="$open" popovertarget="$p">Open $#</button><button>Between $#</button><div id="$p" popover><button>In $#</button></div><button>After $#</button>
js: let $n = 0
do: document.getElementById('$open').click()
do: document.getElementById('$p').showPopover()
do: document.getElementById('$open').focus()
show: document.activeElement.textContent

# lazy-getter
js: const $o = { get n() { delete this.n; return this.n = 5 } }
do: $o.n
do: Reflect.set($o, 'n', $o.n + 1)
show: $o.n + typeof Object.getOwnPropertyDescriptor($o, 'n').get

# read-only-deleted-and-set
js: const $o = {}; Object.defineProperty($o, 'n', { value: 1, configurable: true })
do: delete $o.n; $o.n = 1
do: Reflect.set($o, 'n', 2)
show: $o.n + '' + Object.keys($o)

# array-of-on-existing
js: const $o = { length: 1 }; Object.defineProperty($o, 0, { value: 1, configurable: true, writable: false, enumerable: true }); const $c = function () { return $o }
do: Array.of.call($c, 1)
do: Reflect.set($o, 0, 5)
show: $o[0]

# species-on-existing
js: const $o = []; Object.defineProperty($o, 0, { value: 1, configurable: true, writable: false, enumerable: true }); const $a = [1]; $a.constructor = { [Symbol.species]: function () { return $o } }
do: $a.map(x => x)
do: Reflect.set($o, 0, 5)
show: $o[0]

# array-holes-with-own-prototype
js: class $A extends Array { } $A.prototype[1] = 'p'; const $a = new $A(3)
do: $a[0] = 1
do: $A.prototype[1] = 'q'
do: $a[2] = 2
show: $a + '' + Object.keys($a)

# array-prototype-with-index
js: const $a = [1, , 3]
do: Array.prototype[1] = 'p'
do: $a[0]++
do: delete Array.prototype[1]
show: $a + '' + Object.keys($a)

# array-proxy-species
js: class $L extends Array { static get [Symbol.species]() { return Array } n = 0 } const $l = $L.from([1, 2])
do: $l.n++
do: $l.push($l.map(x => x).length)
show: $l + '' + $l.n

# iframe-freeze
js: const $o = { n: 1 }
do: { const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.Object.freeze($o); f.remove() }
do: Reflect.set($o, 'n', $o.n + 1)
show: $o.n

# function-prototype-later
js: function $F() { } class $G { } function* $H() { }
do: $F.prototype.n = ($F.prototype.n ?? 0) + 1
do: $G.prototype.n = ($G.prototype.n ?? 0) + 1
do: $H.prototype.n = ($H.prototype.n ?? 0) + 1
show: [new $F().n, new $G().n, $H().n]

# function-prototype-constructor
js: function $F() { } function $G() { }
do: $F.prototype.constructor = $G
do: Object.freeze($F.prototype)
do: Reflect.set($F.prototype, 'm', 1)
show: new $F().constructor.name + $F.prototype.m

# function-name-redone
js: const $f = () => 1; const $n = $f.name
do: delete $f.name; Reflect.set({ name: 1 }, 'name', $n, $f)
do: Reflect.set($f, 'name', 'other')
show: $f.name

# typed-array-expando
js: const $t = new Uint8Array([1, 2]); $t.note = 0; const $b = $t.buffer
do: $t.note++; $t[0]++
do: $b.note = ($b.note ?? 0) + 1
do: Object.preventExtensions($t)
show: $t + '' + $t.note + $b.note + Object.isExtensible($t)

# typed-array-subclass
js: class $T extends Float32Array { n = 0; bump() { this.n++; this[0] += 0.5 } } const $t = new $T(2)
do: $t.bump()
do: $t.set([3], 1)
show: $t + '' + $t.n

# map-subclass-with-fields
js: class $M extends Map { #hits = 0; n = 0; get(k) { this.#hits++; return super.get(k) } hits() { return this.#hits } } const $m = new $M([['a', 1]])
do: $m.get('a')
do: $m.n++; $m.set('b', $m.n)
do: $m.delete('a'); $m.set('a', 2)
show: [...$m.keys()] + $m.hits() + $m.n

# set-subclass-with-fields
js: class $S extends Set { n = 0; add(v) { this.n = (this.n ?? 0) + 1; return super.add(v) } } const $s = new $S([1])
do: $s.add(2)
do: $s.delete(1); $s.add(1)
show: [...$s] + '/' + $s.n

# set-methods
js: const $s = new Set([1, 2]); let $r = new Set()
do: $r = $s.union(new Set([3]))
do: $s.add(9); $r = $r.symmetricDifference($s)
show: [...$s] + '/' + [...$r]

# grouped-objects
js: let $g = Object.groupBy([1, 2, 3], n => n % 2 ? 'odd' : 'even'); let $m = Map.groupBy([1, 2, 3], n => n % 2)
do: $g.odd.push(5)
do: $g = Object.groupBy([4], () => 'x'); $m.get(1).push(7)
show: JSON.stringify($g) + [...$m].join('/')

# private-fields
js: class $P { #n = 0; #list = []; static #all = 0; bump() { this.#n++; this.#list.push(this.#n); $P.#all++ } text() { return this.#n + '/' + this.#list + '/' + $P.#all } } const $p = new $P()
do: $p.bump()
do: $p.bump(); $p.x = 1
show: $p.text() + $p.x

# private-field-on-existing
js: const $o = { n: 0 }; class $B { constructor(o) { return o } } class $P extends $B { #n = 1; static has(o) { return #n in o } static up(o) { o.#n++ } static get(o) { return o.#n } }
do: try { new $P($o) } catch { }
do: try { $P.up($o) } catch { }
show: $P.has($o) ? $P.get($o) : 'none'

# private-accessor
js: class $P { #v = 1; get #x() { return this.#v } set #x(v) { this.#v = v } up() { this.#x += 2 } show() { return this.#x } } const $p = new $P()
do: $p.up()
show: $p.show()

# static-block
js: let $get, $up; class $S { static #n = 0; static { $get = () => $S.#n; $up = () => $S.#n++ } }
do: $up()
show: $get()

# weak-ref-to-hidden
js: const $w = new WeakRef(document.createElement('p'))
do: { const p = $w.deref(); if (p) p.textContent += 'x' }
show: $w.deref()?.textContent

# species-array
js: class $L extends Array { static n = 0; constructor(...a) { super(...a); $L.n++ } } let $l = $L.of(1, 2)
do: $l = $l.map(x => x + 1)
do: $l.filter(x => x > 2)
show: $l + '' + $L.n

# species-getter-later
js: class $L extends Array { } let $l = $L.of(1, 2)
do: Object.defineProperty($L, Symbol.species, { get: () => Array, configurable: true })
do: $l = $l.map(x => x)
show: $l.constructor.name + ($l instanceof $L)

# intl-object-with-member
js: const $f = new Intl.NumberFormat('en'); let $n = 1000
do: $f.note = ($f.note ?? 0) + 1
do: $n *= 10
show: $f.format($n) + $f.note

# intl-segmenter-iterator
js: const $i = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment('abcdef')[Symbol.iterator]()
do: $i.next()
show: $i.next().value?.segment

# intl-bound-format
js: const $f = new Intl.NumberFormat('en').format; const $d = new Intl.DateTimeFormat('en').format; const $c = new Intl.Collator('en').compare; let $l = ['b', 'a']
do: $l.push($f(1000 * $l.length)); $l.sort($c)
do: $f.note = ($f.note ?? 0) + 1
show: $l + '' + $f.note

# structured-clone
js: const $o = { m: new Map([[1, { a: [1, , 3] }]]), d: new Date(0), e: new RangeError('x') }; let $c = structuredClone($o)
do: $c.m.get(1).a.push(4); $c = structuredClone($c)
do: $o.d.setTime(5); $c.e.message += 'y'
show: JSON.stringify([...$c.m]) + $o.d.getTime() + $c.d.getTime() + $c.e.message

# array-from-async
js: let $l = []
do: Array.fromAsync([1, Promise.resolve(2)]).then(l => { $l = $l.concat(l) })
show: $l + ''

# iterator-helper
js: const $i = [1, 2, 3, 4, 5].values().map(x => x * 2)
do: $i.next()
show: $i.next().value

# iterator-helper-drop-take
js: let $l = []; let $g = (function* () { let n = 0; while (true) yield n++ })().filter(x => x % 2)
do: $l.push(...$g.take(2))
show: $l + ''

# iterator-from-own
js: let $n = 0; const $i = Iterator.from({ next() { return { value: $n++, done: false } } })
do: $i.next()
do: $i.note = 1
show: $i.next().value + '' + $i.note

# iterator-own-class
js: class $I extends Iterator { n = 0; next() { return { value: this.n++, done: this.n > 9 } } } const $i = new $I()
do: $i.next()
do: $i.take(2).toArray()
show: $i.next().value

# array-holes
js: const $a = [1, , 3]; $a.length = 5
do: delete $a[0]
do: $a[1] = undefined
do: $a.length--
show: JSON.stringify(Object.keys($a)) + $a.length

# array-prototype-null
js: const $a = [1, 2]
do: Object.setPrototypeOf($a, null)
do: $a[2] = 3; $a.length = 2
show: Object.keys($a) + $a.length

# array-prototype-own
js: const $a = [1, , 3], $p = Object.create(Array.prototype, { 1: { value: 'p', writable: true, configurable: true } })
do: Object.setPrototypeOf($a, $p)
do: $p[1] = 'q'; $a[0]++
show: Array.prototype.join.call($a)

# accessor-keyword-order
js: const $o = { a: 1, get b() { return this.a } }
do: { const d = Object.getOwnPropertyDescriptor($o, 'b'); delete $o.b; $o.b = 1 }
do: Reflect.set($o, 'b', 9); $o.a++
show: $o.b

# setter-only-replaced
js: let $n = 0; class $B { constructor() { return $o } } const $o = { set v(x) { $n += x } }; class $F extends $B { v = undefined }
do: new $F()
do: $o.v = 3
show: $n + '' + $o.v

# hidden-member-made-visible
js: const $o = { a: 1 }; Object.defineProperty($o, 'h', { value: 2, writable: true, configurable: true })
do: { const v = $o.h; delete $o.h; $o.h = v }
do: $o.h++
show: JSON.stringify($o)

# json-reviver-on-existing
js: const $o = {}; Object.defineProperty($o, 'x', { value: 1, configurable: true, enumerable: true })
do: JSON.parse('{"a":1,"b":2}', function (k, v) { if (k === 'a') this.b = $o; return v })
do: Reflect.set($o, 'x', 5)
show: $o.x

# regexp-last-index-locked
js: const $r = /a/g
do: Object.defineProperty($r, 'lastIndex', { writable: false })
do: try { $r.test('aaa') } catch { }
show: $r.lastIndex

# regexp-compiled
js: const $r = /a/
do: $r.compile('b', 'g')
do: $r.lastIndex = 1
show: String($r) + $r.lastIndex

# dialogs-order
html: <dialog id="$p" style="margin:50px"><button id="$pb">P $#</button></dialog><dialog id="$q" style="margin:50px"><button id="$qb">Q $#</button></dialog>
js: let $s = ''; $pb.onclick = () => { $s += 'p' }; $qb.onclick = () => { $s += 'q' }
do: $p.open || $p.showModal(); $q.open || $q.showModal()
do: $q.open || $q.showModal(); $p.open || $p.showModal()
do: $p.close(); $q.close()
show: $s + document.elementFromPoint(65, 75)?.id

# popover-nested-in-toggle
html: <div id="$p" popover="manual" style="inset:100px auto auto 100px;width:90px"><i id="$pi">P $#</i></div><div id="$q" popover="manual" style="inset:100px auto auto 100px;width:90px"><i id="$qi">Q $#</i></div>
js: const $x = document.getElementById('$p'), $y = document.getElementById('$q'); $x.addEventListener('beforetoggle', e => { if (e.newState === 'open' && !$y.matches(':popover-open')) $y.showPopover() })
do: $x.togglePopover()
do: $y.togglePopover()
show: document.elementFromPoint(110, 112)?.id

# popover-over-dialog
html: <dialog id="$p" style="margin:50px;width:200px;height:100px"><i>D $#</i></dialog><div id="$q" popover="manual" style="inset:60px auto auto 60px;width:90px"><i>Q $#</i></div>
js: const $d = document.getElementById('$p'), $y = document.getElementById('$q')
do: $d.open ? $d.close() : $d.showModal()
do: $y.togglePopover()
do: if ($d.open) { $d.close(); $d.showModal() }
show: document.elementFromPoint(70, 70)?.closest('[popover],dialog')?.id

# popover-source-by-script
html: <button id="$b">Src $#</button><button>Mid $#</button><div id="$p" popover><button>In $#</button></div><button>End $#</button>
js: const $x = document.getElementById('$p')
do: $x.showPopover({ source: document.getElementById('$b') })
do: $x.showPopover()
do: document.getElementById('$b').focus()
show: document.activeElement.textContent

# details-named
html: <details name="$g" id="$p"><summary>One $#</summary>1</details><details name="$g" id="$q"><summary>Two $#</summary>2</details>
js: let $n = 0; document.getElementById('$p').ontoggle = () => { $n++ }
do: document.getElementById('$p').open = true
do: document.getElementById('$q').open = true
show: $n + '' + document.getElementById('$p').open
`,
);
