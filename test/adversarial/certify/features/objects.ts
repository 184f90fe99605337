import { readFeatures } from '../feature.ts';

/** How properties of objects are: descriptors, order, prototypes, proxies, members of natives. */
export const objects = readFeatures(
  'objects',
  String.raw`
# property-getter-in-place-of-value
js: const $o = { n: 1 }
do: Object.defineProperty($o, 'n', { get: () => 42, configurable: true, enumerable: true })
do: Object.defineProperty($o, 'n', { value: 2, writable: true, configurable: true, enumerable: true })
show: $o.n + typeof Object.getOwnPropertyDescriptor($o, 'n').get

# property-made-read-only
js: const $o = { n: 1 }
do: Object.defineProperty($o, 'n', { writable: false })
do: try { 'use strict'; $o.n++ } catch { }
show: $o.n + ' ' + Object.getOwnPropertyDescriptor($o, 'n').writable

# property-made-permanent
js: const $o = { n: 1 }; const $cut = () => Reflect.deleteProperty($o, 'n')
do: Object.defineProperty($o, 'n', { configurable: false })
do: $cut()
show: JSON.stringify($o)

# property-hidden
js: const $o = { a: 1, b: 2 }
do: Object.defineProperty($o, 'a', { enumerable: !Object.getOwnPropertyDescriptor($o, 'a').enumerable })
show: Object.keys($o)

# property-order
js: const $o = { a: 1, b: 2, c: 3 }
do: { const v = $o.a; delete $o.a; $o.a = v }
do: { const v = $o.b; delete $o.b; $o.b = v }
show: Object.keys($o)

# property-symbol-keyed
js: const $s = Symbol('s'), $o = { [$s]: 0 }
do: $o[$s]++
do: $o[Symbol.for('$x')] = Object.getOwnPropertySymbols($o).length
show: $o[$s] + '/' + Object.getOwnPropertySymbols($o).length

# object-frozen
js: const $o = { n: 1 }
do: Object.freeze($o)
do: Reflect.set($o, 'n', $o.n + 1)
show: $o.n + ' ' + Object.isFrozen($o)

# object-sealed
js: const $o = { n: 1 }
do: Object.seal($o)
do: Reflect.set($o, 'm', 1); $o.n++
show: Object.keys($o) + $o.n

# object-not-extensible
js: const $o = [1]
do: Object.preventExtensions($o)
do: Reflect.set($o, 1, 5)
show: $o + ''

# object-prototype-swapped
js: const $o = Object.create({ who: 'a' })
do: Object.setPrototypeOf($o, { who: 'b' })
do: Object.setPrototypeOf($o, null)
show: $o.who

# object-null-prototype
js: const $o = Object.create(null); $o.n = 0
do: $o.n++; $o['__proto__'] = $o.n
show: Object.keys($o) + $o.n

# object-proto-member
js: const $o = {}; Object.defineProperty($o, '__proto__', { value: 1, writable: true, enumerable: true, configurable: true })
do: Object.defineProperty($o, '__proto__', { value: Object.getOwnPropertyDescriptor($o, '__proto__').value + 1 })
show: Object.getOwnPropertyDescriptor($o, '__proto__').value

# object-accessor-pair-with-state
js: const $o = (() => { let n = 0; return { get n() { return n }, set n(v) { n = v * 2 } } })()
do: $o.n = $o.n + 1
show: $o.n

# array-holes-and-members
js: const $a = [1, , 3]
do: delete $a[0]
do: $a[6] = 7; $a.tag = 'x'
show: Object.keys($a) + '/' + $a.length

# array-beyond-indices
js: const $a = [1, 2]
do: $a[4294967295] = 'x'
do: $a['«4294967296|99999999999»'] = $a.length; $a.length = 1
show: Object.keys($a) + '/' + $a.length

# array-sparse
js: const $a = [1]
do: $a[«4000000000|70000000»] = 2
do: $a.push($a.length > 4 ? 'far' : 'near')
show: Object.keys($a) + '/' + $a.length

# array-length-read-only
js: const $a = [1, 2]
do: Object.defineProperty($a, 'length', { writable: false })
do: try { $a.push(3) } catch { }
show: $a.length

# array-negative-zero-and-nan
js: let $n = [0, NaN, 1n]
do: $n[0] = -$n[0]; $n[2] += 1n
show: Object.is($n[0], -0) + ' ' + $n[2]

# object-cycle
js: const $o = { n: 0 }; $o.self = $o; $o.list = [$o]
do: $o.list.push({ up: $o, n: $o.list.length }); $o.n++
show: $o.self.n + '/' + $o.list.length + ($o.list.at(-1).up === $o || $o.list.at(-1) === $o)

# object-shared-identity
js: let $a = { n: 1 }, $b = $a
do: $b = { n: $a.n }
do: $a.n++
do: $b = $a
show: $a.n + ' ' + $b.n + ($a === $b)

# function-own-property
js: function $f() { return $f.n } $f.n = 0
do: $f.n++
do: Object.defineProperty($f, 'name', { value: 'other' })
show: $f() + $f.name

# function-prototype-replaced
js: function $F() { } $F.prototype.hi = () => 1; let $o = new $F()
do: $F.prototype = { hi: () => 2 }
do: $o = new $F()
show: $o.hi() + String($o instanceof $F)

# symbol-registry
js: let $key = 'a'
do: $key = Symbol.keyFor(Symbol.for($key + 'b'))
show: $key

# symbol-global
top
js: globalThis[Symbol.for('$g')] = 1
do: globalThis[Symbol.for('$g')]++
show: globalThis[Symbol.for('$g')]

# accessor-global
top
js: (() => { let n = 0; Object.defineProperty(globalThis, '$g', { get: () => n, set: v => { n = v + 1 }, configurable: true }) })()
do: $g = $g
show: $g

# accessor-global-redefined
top
js: var $v = 1; globalThis.$w = 1
do: Object.defineProperty(globalThis, '$w', { get: () => 'got', configurable: true })
do: Object.defineProperty(globalThis, '$v', { writable: false })
do: try { $v = $v + 1 } catch { }
show: $v + ' ' + $w

# global-not-enumerable
top
js: Object.defineProperty(globalThis, '$h', { value: { n: 0 }, enumerable: false })
do: $h.n++
show: $h.n

# global-deleted
top
js: globalThis.$a = 1; globalThis.$b = 2
do: delete globalThis.$a
do: globalThis.$a = 5
show: ('$a' in globalThis) + Object.keys(globalThis).filter(key => key === '$a' || key === '$b')

# proxy-with-state
js: let $log = ''; const $t = { n: 0 }; const $p = new Proxy($t, { get: (t, k) => { $log += 'g'; return t[k] }, set: (t, k, v) => { $log += 's'; t[k] = v; return true } })
do: $p.n++
show: $p.n + $log

# proxy-without-handlers
js: const $p = new Proxy({ n: 0 }, {})
do: $p.n++
show: $p.n

# proxy-handler-changed
js: const $h = {}; const $p = new Proxy({ n: 1 }, $h)
do: $h.get = (t, k) => t[k] * 10
do: delete $h.get
show: $p.n

# proxy-revoked
js: const { proxy: $p, revoke: $end } = Proxy.revocable({ n: 1 }, {})
do: $p.n++
do: $end()
show: $p.n

# proxy-as-prototype
js: let $asked = 0; const $o = Object.create(new Proxy({}, { get: (t, k) => typeof k === 'string' ? (++$asked, 'p' + k) : undefined }))
do: $o.x
do: $o.y = 1
show: $asked + $o.y

# proxy-around-function
js: let $n = 0; const $f = new Proxy(() => $n, { apply: () => ++$n })
do: $f()
show: $n

# proxy-around-map
js: const $m = new Map(); const $p = new Proxy($m, { get: (t, k) => typeof t[k] === 'function' ? t[k].bind(t) : t[k] })
do: $p.set($m.size, 1)
show: $p.get(0) + '/' + $m.size

# proxy-that-locks
js: const $o = { x: 1, y: 2 }; const $p = new Proxy($o, {})
do: Object.defineProperty($p, 'x', { writable: !Object.getOwnPropertyDescriptor($o, 'x').writable })
do: Object.defineProperty($p, 'y', { enumerable: !Object.keys($o).includes('y') })
do: Reflect.set($o, 'x', $o.x + 1)
show: JSON.stringify($o)

# map-with-member
js: const $m = new Map()
do: $m.tag = ($m.tag ?? 0) + 1
show: $m.tag + '/' + $m.size

# set-with-member
js: const $m = new Set([1])
do: $m.tag = { n: ($m.tag?.n ?? 0) + 1 }
show: $m.tag?.n

# date-with-member
js: const $d = new Date(0)
do: $d.tag = ($d.tag ?? 'x') + '!'
show: $d.tag + $d.getTime()

# regexp-with-member
js: const $r = /a/g
do: $r.tag = ($r.tag ?? 0) + 1
show: $r.tag

# promise-with-member
js: const $p = Promise.resolve(1)
do: $p.tag = ($p.tag ?? 0) + 1
show: $p.tag

# error-with-member
js: const $e = new TypeError('x', { cause: { n: 0 } })
do: $e.cause.n++; $e.extra = $e.cause.n
show: $e.extra + $e.name

# boxed-primitive-with-member
js: const $s = Object('abc'), $n = Object(5)
do: $s.tag = ($s.tag ?? 0) + 1; $n.tag = $s.tag
show: $s.tag + $n.tag + $s

# math-patched
js: const $real = Math.«max|floor»
do: Math.$x = (Math.$x ?? 0) + 1
do: Math.max = Math.max === $real ? () => 7 : $real
show: Math.$x + '/' + Math.max(1, 2)

# json-member
js: JSON.$x = 0
do: JSON.$x++
show: JSON.$x

# console-member
js: console.$x = { n: 0 }
do: console.$x.n++
show: console.$x.n

# array-prototype-patched
js: Array.prototype.$last = function () { return this.at(-1) }
do: Array.prototype.$last = function () { return 'other' }
do: delete Array.prototype.$last
show: [1, 2].$last?.()

# object-prototype-patched
js: let $n = 0
do: Object.defineProperty(Object.prototype, '$x', { get: () => ++$n, configurable: true })
do: delete Object.prototype.$x
show: ({}).$x + '/' + $n

# element-prototype-patched
html: <i id="$e">i</i>
js: Element.prototype.$hi = function () { return 'a' + this.id.length }
do: Element.prototype.$hi = function () { return 'b' + this.id.length }
show: $e.$hi()

# native-method-replaced
js: const $real = Map.prototype.get; const $m = new Map([[1, 'one']])
do: Map.prototype.get = function (k) { return 'fake' + $real.call(this, k) }
do: Map.prototype.get = $real
show: $m.get(1)

# date-now-patched
js: const $real = Date.now
do: Date.now = () => 123
do: Date.now = $real
show: Date.now() === 123

# error-stack-limit
js: const $before = Error.stackTraceLimit
do: Error.stackTraceLimit = Error.stackTraceLimit === 3 ? 5 : 3
show: Error.stackTraceLimit + '/' + $before

# structured-clone-of-state
js: let $o = { m: new Map([[1, { d: new Date(5) }]]) }
do: $o = structuredClone($o); $o.m.set($o.m.size + 1, { d: new Date($o.m.size) })
show: [...$o.m.values()].map(({ d }) => d.getTime())

# template-object-cache
js: const $seen = []; const $tag = parts => { if (!$seen.includes(parts)) $seen.push(parts); return $seen.indexOf(parts) }; let $last = -1; const $call = new Function('t', 'return t' + '\x60a\x60'); const $other = new Function('t', 'return t' + '\x60b\x60')
do: $last = $call($tag)
do: $last = $other($tag)
show: $last + '/' + $seen.length
`,
);
