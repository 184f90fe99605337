import { readFeatures } from '../feature.ts';

/** Variables that only closures know, assigned in every way that the language has. */
export const closures = readFeatures(
  'closures',
  String.raw`
# closure-optional-call
js: const $make = () => { let n = 0, log = null; return { up: () => { n += 1, log?.push(n) }, see: () => n, keep: () => { log = log ?? [] } } }; const $c = $make()
do: $c.up()
do: $c.keep()
show: $c.see()

# closure-optional-call-last
js: const $make = () => { let n = 0, last; return { up() { n++; document.title = 'n' + n; last?.call?.(null, n); last?.(n) }, see: () => n + ' ' + typeof last, set: () => { last = x => { n += x - x } } } }; const $c = $make()
do: $c.up()
do: $c.set()
show: $c.see()

# closure-counter
js: «let|var» $n = «0|5»
do: $n«++| += 2| = $n + 1»
show: $n

# closure-in-function
js: const [$add, $get] = (() => { let n = 0; return [() => { n++ }, () => n] })()
do: $add()
show: $get()

# closure-three-deep
js: const $make = a => { let b = a; return c => { let d = c; return () => [a, ++b, d += c].join() } };
  const $one = $make(1)(2); let $last = 'none'
do: $last = $one()
do: $last = $make(4)(5)()
show: $last + ' ' + $one.length

# closure-by-destructuring
js: let $a = 1, $b = 2
do: [$a, $b] = [$b, $a + $b]
do: ({ $a, b: $b = 9 } = { $a: $a * 2 })
show: $a + '/' + $b

# closure-by-nested-destructuring
js: let $a = 1, $rest = []
do: ({ x: [$a, ...$rest] } = { x: [$a + 1, $a, ...$rest] })
show: $a + ':' + $rest.join()

# closure-by-for-of-head
js: let $n = 0
do: for ($n of [$n + 1, $n + 2]);
do: for ([$n] of [[$n + 5]]);
show: $n

# closure-by-for-in-head
js: let $k = 'a'
do: for ($k in { [$k + 'b']: 1 });
show: $k

# closure-by-default-parameter
js: let $n = 0; const $step = (a = ++$n, b = $n += a) => b
do: $step()
do: $step(3)
show: $n

# closure-by-catch-parameter
js: let $seen = 0; const $keep = (() => { let held; try { throw { n: 1 } } catch (error) { held = { add() { error = { n: error.n + 1 } }, get: () => error.n } } return held })()
do: $keep.add()
show: $keep.get()

# closure-by-catch-destructuring
js: let $held; try { throw [3] } catch ([first]) { $held = { up: () => first++, get: () => first } }
do: $held.up()
show: $held.get()

# closure-in-labelled-block
js: let $box; outer: { let n = 7; $box = { up() { n ^= 3 }, get: () => n }; break outer }
do: $box.up()
show: $box.get()

# closure-by-direct-eval
sloppy
js: let $n = 0
do: eval('$n += 3')
show: $n

# closure-by-eval-in-function
sloppy
js: const $run = (() => { let n = 0; return text => eval(text) })()
do: $run('n++')
do: $run('var later = n + 10; n = later')
show: $run('n')

# closure-by-indirect-eval
top
js: var $n = 0
do: (0, eval)('$n++')
show: $n

# closure-by-new-function
top
js: var $n = 0
do: new Function('$n += 2')()
do: Function('a', 'globalThis.$n = a')(9)
show: $n

# function-made-with-state
js: const $f = new Function('let n = 0; return { up() { n++ }, get: () => n }')()
do: $f.up()
show: $f.get()

# closure-by-with
top
js: var $o = { n: 1 }; let $m = 0
do: with ($o) { n++; $m = n }
show: $o.n + ' ' + $m

# closure-by-getter
js: let $n = 0; const $o = { get next() { return $n += 2 } }
do: $o.next
do: ({ ...$o })
show: $n

# closure-by-setter
js: let $n = 0; const $o = { set to(v) { $n = v * 2 }, at: () => $n }
do: $o.to = $o.at() + 1
show: $o.at()

# closure-by-logical-assignment
js: let $a = null, $b = 1, $c = 0
do: $a ??= 4; $b &&= $b + 1; $c ||= 6
do: $a = null; $c = 0
show: [$a, $b, $c]

# closure-by-comma-and-conditional
js: let $n = 1
do: ($n > 3 ? $n = 0 : $n++, $n *= 2)
show: $n

# closure-by-tagged-template-argument
js: let $n = 0; const $t = (parts, ...values) => values.length
do: $n += $t(["x"], «$n++|$n += 2|$n *= 3»)
show: $n

# closure-by-computed-key
js: let $n = 0; let $o = {}
do: $o = { [$n++]: $n, ...$o }
show: JSON.stringify($o) + $n

# closure-by-class-body
js: let $n = 0, $C
do: $C = class { static [(++$n, 'x')] = $n; y = $n++ }; new $C()
show: $n + ' ' + ($C ? $C.x : '-')

# closure-by-generator-body
js: let $n = 0; const $go = function* () { $n++; yield $n; $n += 10 }
do: [...$go()]
do: $go().next()
show: $n

# closure-by-sort-callback
js: let $n = 0
do: [3, 1, 2].sort((a, b) => ($n++, a - b))
show: $n

# closure-by-replace-callback
js: let $found = ''
do: 'abc'.replace(/[ab]/g, found => $found += found)
show: $found

# closure-by-json-reviver
js: let $n = 0
do: JSON.parse('[1,[2]]', (key, value) => { $n += key.length; return value })
show: $n

# closure-by-to-primitive
js: let $n = 0; const $o = { [Symbol.toPrimitive]: () => ++$n }
do: +$o
do: $o + ''
show: $n

# closure-by-iterator-protocol
js: let $n = 0; const $it = { [Symbol.iterator]: () => ({ next: () => ({ done: ++$n % 3 === 0, value: $n }) }) }
do: [...$it]
show: $n

# closure-shadowed
js: let $n = 1; const $f = { get() { return $n }, inner() { let $n = 50; const up = () => { $n++; return $n }; return up } };
  const $up = $f.inner(); let $last = 0
do: $last = $up()
do: $n += 1
show: $n + ' ' + $last

# closure-var-hoisted
js: const $f = (function () { const set = v => { later = v }, get = () => later; if (false) { var later } return { set, get } })()
do: $f.set(($f.get() ?? 0) + 1)
show: $f.get()

# closure-loop-variables
js: const $all = []; for (let i = 0; i < 3; i++) $all.push({ up() { i += 10 }, get: () => i })
do: $all[1].up()
do: $all[2].up()
show: $all.map(each => each.get())

# closure-function-reassigned
sloppy
js: function $f() { return 'first' }
do: $f = () => 'second'
do: $f = (old => () => old() + '!')($f)
show: $f()

# closure-named-function-expression
js: const $f = function again(n) { return n > 0 ? again(n - 1) : ++again.calls }; $f.calls = 0
do: $f(2)
show: $f.calls

# closure-const-holding-object
js: const $o = { a: { b: [1] } }
do: $o.a.b.push($o.a.b.length)
do: $o.a = { b: [...$o.a.b], same: $o }
show: JSON.stringify($o.a.b) + ($o.a.same === $o)

# closure-temporal-dead-zone
js: const $peek = () => { try { return $late } catch (error) { return error.name } };
  let $first = $peek(); let $late = 1
do: $late++
show: $first + $peek()

# closure-arguments-aliasing
sloppy
js: const $f = (function (a) { const args = arguments; return { up() { args[0]++ }, set() { a += 10 }, get: () => a + '/' + args[0] } })(1)
do: $f.up()
do: $f.set()
show: $f.get()

# closure-arguments-unmapped
sloppy
js: const $f = (function (a) { const args = arguments; return { cut() { delete args[0]; args[0] = 5 }, set() { a += 10 }, get: () => a + '/' + args[0] } })(1)
do: $f.cut()
do: $f.set()
show: $f.get()

# closure-bound-function
js: const $o = { n: 0 }; const $up = function (by) { this.n += by; return this.n }.bind($o, 2)
do: $up()
do: $up.calls = ($up.calls ?? 0) + 1
show: $o.n + ' ' + $up.calls

# closure-recursive-pair
js: const $pair = (() => { let even = 0, odd = 0; const e = n => { even++; return n ? o(n - 1) : 0 }, o = n => { odd++; return n ? e(n - 1) : 0 }; return { e, get: () => even + ',' + odd } })()
do: $pair.e(3)
show: $pair.get()

# closure-memo-in-default
js: const $memo = (cache => key => cache[key] ??= Object.keys(cache).length)({}); let $last
do: $last = $memo('k' + ($last ?? ''))
show: $last + '|' + $memo('q')

# closure-switch-scope
js: let $o; switch (1) { case 1: let n = 0; $o = { up: () => n++, get: () => n } }
do: $o.up()
show: $o.get()

# closure-unreferenced-until-called
js: const $make = () => { let hidden = 3; return { again: () => { const get = () => hidden; hidden++; return get } } };
  const $m = $make(); let $get = () => 'none'
do: $get = $m.again()
show: $get()

# global-let-and-window-property
top
js: let $n = 1; globalThis.$n = 100
do: $n++; globalThis.$n--
show: $n + ' ' + globalThis.$n

# global-implicit
sloppy
js: $imp = 1
do: $imp = $imp * 3
do: delete globalThis.$imp
show: typeof $imp === 'undefined' ? 'gone' : $imp

# script-added-later
js: let $n = 0
do: { const s = document.createElement('script'); s.textContent = 'globalThis.$late = (globalThis.$late ?? 0) + 1'; document.head.append(s); s.remove(); $n++ }
show: globalThis.$late + '/' + $n
`,
);
