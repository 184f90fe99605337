import { readFeatures } from '../feature.ts';

/** What frameworks are made of: messages, promises that are open, weak collections, private members, style rules. */
export const frameworks = readFeatures(
  'frameworks',
  String.raw`
# channel-counter
js: let $n = 0; const $c = new MessageChannel(); $c.port1.onmessage = e => { $n += e.data }
do: $c.port2.postMessage(«1|2|3»)
do: $c.port1.onmessage = e => { $n += e.data * 10 }
show: $n

# channel-listener
js: let $n = 0; const $c = new MessageChannel(); const $hear = e => { $n += e.data.by }
do: $c.port1.addEventListener('message', $hear); $c.port1.start()
do: $c.port2.postMessage({ by: 1 })
do: $c.port1.removeEventListener('message', $hear)
show: $n

# channel-closed
js: let $n = 0; const $c = new MessageChannel(); $c.port1.onmessage = () => $n++
do: $c.port2.postMessage(1)
do: $c.port1.close()
show: $n

# channel-later
js: let $c = null, $n = 0
do: $c = new MessageChannel(); $c.port2.onmessage = () => $n++
do: $c?.port1.postMessage(1)
show: $n + ' ' + ($c === null)

# promise-open
js: let $go, $n = 0; const $p = new Promise(run => { $go = run }); $p.then(v => { $n += v })
do: $go(5)
do: $p.then(v => { $n += 100 + v })
show: $n

# promise-chain
js: let $go, $fail, $log = ''; const $p = new Promise((a, b) => { [$go, $fail] = [a, b] }); $p.then(v => v * 2).then(v => { $log += v }).catch(e => { $log += 'no' + e }).finally(() => { $log += '!' })
do: $go(3)
do: $fail(4)
show: $log

# promise-all-of-two
js: let $one, $two, $n = 0; Promise.«all|race|any»([new Promise(r => { $one = r }), new Promise(r => { $two = r })]).then(v => { $n += String(v).length })
do: $one(1)
do: $two(22)
show: $n

# promise-async-wait
js: let $go, $n = 0; const $wait = async () => { $n++; await new Promise(run => { $go = run }); $n += 10 }
do: $wait()
do: $go?.()
show: $n

# promise-thenable-kept
js: let $keep, $n = 0; const $t = { then(run) { $keep = run } }; Promise.resolve($t).then(v => { $n += v })
do: $keep?.(7)
do: (async () => { $n += await $t })()
show: $n

# promise-of-async-function
js: let $n = 0; let $p = (async () => ({ n: 1 }))()
do: $p.then(v => { $n += v.n++ })
do: $p = (async () => ({ n: $n }))()
show: $n

# promise-in-timer
js: let $n = 0
do: new Promise(run => setTimeout(run, «200|900|2000»)).then(() => { $n++ })
do: (async () => { await new Promise(run => setTimeout(run, «300|1200»)); $n += 10 })()
show: $n

# weak-map-of-three
js: const $m = new WeakMap(), $keys = [{}, {}]
do: for (const k of $keys) $m.set(k, ($m.get(k) ?? 0) + 1)
do: $m.delete($keys[0])
do: $keys.push({}); $m.set($keys.at(-1), { deep: $keys.length })
show: $keys.map(k => JSON.stringify($m.get(k))).join()

# weak-map-of-weak-map
js: const $a = new WeakMap(), $b = new WeakMap(), $k = {}
do: { const inner = {}; $a.set($k, inner); $b.set(inner, { n: ($b.get($a.get($k))?.n ?? 0) + 1 }) }
do: if ($a.has($k)) $b.set($a.get($k), { n: 50 })
show: $b.get($a.get($k) ?? $k)?.n

# weak-set-of-nodes
js: const $s = new WeakSet(); let $n = 0
do: { const b = document.body; $s.has(b) ? $s.delete(b) : $s.add(b) }
do: { const p = document.createElement('p'); $s.add(p); $n += Number($s.has(p)) }
show: $s.has(document.body) + ' ' + $n

# weak-reference
js: const $r = new WeakRef({ n: 0 }); const $f = new FinalizationRegistry(() => 0)
do: $r.deref().n++
do: $f.register($r.deref(), 1); $r.deref().own = [$r.deref().n]
show: JSON.stringify($r.deref())

# private-field-and-next
js: const $C = class { #n = «0|4»; static #made = 0; constructor() { $C2.made() } static made() { return ++this.count } add(v) { this.#n += v; return this } get n() { return this.#n } }; const $C2 = { made() {} }; let $o = new $C()
do: $o.add(«1|2»)
do: $o = new $C().add(100)
show: $o.n

# private-static-and-object
js: const $C = (() => { class C { #list = []; static #all = []; put(v) { this.#list.push(v); C.#all.push(this); return this } static all() { return C.#all.length } get size() { return this.#list.length } has(o) { return #list in o } } return C })(); const $o = new $C()
do: $o.put({ v: 1 })
do: new $C().put(2)
show: $o.size + ' ' + $C.all() + $o.has({})

# private-in-closure
js: const $C = class { #n = 0; later() { return () => ++this.#n } get n() { return this.#n } }; const $o = new $C(); const $up = $o.later()
do: $up()
show: $o.n

# style-rules
js: const $s = document.head.appendChild(document.createElement('style')); let $n = 0
do: $s.sheet.insertRule('.x$# { width: ' + ++$n + 'px }', 0)
do: if ($s.sheet.cssRules.length > 0) $s.sheet.deleteRule(0)
do: $s.textContent = '.x$# { width: 70px }'
show: $s.sheet.cssRules.length + ' ' + $n

# style-rules-moved
html: <p class="y$#">styled</p>
js: let $s = document.head.appendChild(document.createElement('style')); $s.sheet.insertRule('.y$# { padding-left: 3px }')
do: $s.remove()
do: document.head.append($s); $s.sheet.insertRule('.y$# { padding-left: 9px }')
show: getComputedStyle(document.querySelector('.y$#')).paddingLeft

# trusted-policy
js: let $n = 0; const $p = window.trustedTypes?.createPolicy('p$#', { createHTML: text => { $n++; return text } })
do: $p?.createHTML('a')
show: $n

# animation-cancelled
js: let $n = 0, $a = null
do: $a = document.body.animate([{ opacity: 0.5 }, { opacity: 1 }], 100); $a.onfinish = () => $n++
do: $a?.cancel()
show: $n + ' ' + ($a?.playState ?? 'none')

# own-value-accessor
html: <input id="own$#" aria-label="Own $#">
js: let $seen = ''; { const field = document.getElementById('own$#'), member = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); Object.defineProperty(field, 'value', { configurable: true, get() { return member.get.call(this) }, set(v) { $seen += v; member.set.call(this, v) } }) }
do: document.getElementById('own$#').value = 'a' + $seen.length
show: $seen

# shared-scope
js: const $make = () => { let n = 0, m = 0; function up() { n++ } function down() { m-- } function both() { up(); down() } function get() { return n + '/' + m } return { up, down, both, get } }; const $a = $make(), $b = $make()
do: $a.up(); $b.down()
do: $b.both()
do: $a.both()
show: $a.get() + ' ' + $b.get()

# names-used-twice
js: const $f = e => { const t = () => ++e; return { t, n: (t = e) => { let n = t; return () => n += e } } }; const $o = $f(1), $up = $o.n(5); let $last = 0
do: $last = $o.t()
do: $last = $up()
show: $last + ' ' + $o.t()

# error-held
js: let $e = new Error('a'), $n = 0
do: $e = new Error('b' + $n++); $e.cause = { n: $n }
do: $e.stack = 'mine'; $e.extra = $n
do: try { null.x } catch (cause) { $e = cause }
show: $e.message + ' ' + ($e.extra ?? '') + ($e.stack === 'mine') + ($e.cause?.n ?? '')

# error-of-many-kinds
js: const $log = []; let $e = null, $n = 0
do: try { JSON.parse('{' + $n++) } catch (cause) { $log.push(cause); $e = cause }
do: $e = new AggregateError([new TypeError('t'), $e], 'all', { cause: $e }); $log.push($e)
do: if ($e !== null) { Error.captureStackTrace?.($e); $e.name = 'Own' + $n }
do: $log.shift(); Promise.reject($e ?? new RangeError('r')).catch(cause => { $log.push(cause) })
show: $n + ' ' + $log.map(e => e.name + e.message + (typeof e.stack) + (e.errors?.length ?? '')).join()

# selection-told
html: <input id="sel$#" aria-label="Selected $#" value="some text">
js: let $n = 0, $where = ''; document.addEventListener('selectionchange', e => { $n++; const { selectionStart, value } = document.getElementById('sel$#'); $where = e.target.nodeName + selectionStart + value })
do: document.getElementById('sel$#').setSelectionRange(«1|3», 4)
do: document.getElementById('sel$#').value = 'now ' + $n
do: setTimeout(() => { const field = document.getElementById('sel$#'); field.value = ''; field.focus() }, «0|40|70|300»)
do: getSelection().selectAllChildren(document.body)
do: getSelection().removeAllRanges()
show: ($n > 0) + $where

# selection-answers-itself
html: <textarea id="own$#" aria-label="Own $#">abc</textarea>
js: let $left = 0, $log = ''; document.getElementById('own$#').addEventListener('selectionchange', ({ target }) => { if ($left-- > 0) { $log += target.selectionStart; target.value += '!' ; target.setSelectionRange($left, $left) } })
do: $left = «1|2|4»; document.getElementById('own$#').setSelectionRange(0, 2)
do: document.getElementById('own$#').value = 'reset'
do: $log = ''
show: $log + document.getElementById('own$#').value

# arguments-held
js: const $a = (function () { 'use strict'; return arguments })(1, { n: 2 }); let $n = 0
do: $a[0]++; $a[1].n += $a.length
do: delete $a[Symbol.iterator]; $n++
do: $a[Symbol.iterator] = Array.prototype.values; $a.length = 1
show: Array.from($a, one => JSON.stringify(one)).join() + $n + (typeof $a[Symbol.iterator])

# caret-of-a-field-nobody-was-in
html: <input id="caret$#" aria-label="Caret $#"><textarea id="area$#" aria-label="Area $#">ab</textarea>
js: const $of = id => { const { selectionStart, selectionEnd, selectionDirection } = document.getElementById(id + '$#'); return selectionStart + '-' + selectionEnd + selectionDirection }
do: document.getElementById('caret$#').setSelectionRange(0, 0)
do: { const field = document.getElementById('caret$#'); field.value += 'ab'; field.setSelectionRange(0, 1, «'backward'|'none'») }
do: document.getElementById('area$#').setSelectionRange(1, 1)
show: $of('caret') + ' ' + $of('area')

# module-state
html: <script type="module">let n = 0; class C { #m = 0; up() { return ++this.#m } } const c = new C(), made = []; export const up = () => { n++; made.push({ n }) }; Object.assign(globalThis, { up$#: up, get$#: () => n + ' ' + made.length + ' ' + c.up() })</script>
do: up$#()
do: get$#()
show: globalThis.get$#?.()

# member-that-stays
js: const $o = {}, $l = []; let $n = 0
do: Object.defineProperty($o, 'a' + $n++, { value: $n })
do: if (!Object.hasOwn($l, 'mark')) Object.defineProperty($l, 'mark', { value: { n: $n } })
show: Object.getOwnPropertyNames($o).join() + ' ' + ($l.mark?.n ?? 'none')
`,
);
