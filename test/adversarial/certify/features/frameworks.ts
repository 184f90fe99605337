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

# permanent-members-of-a-store
js: const $key = Symbol('$key'), $raw = { list: [{ n: 0 }, { n: 1 }] }; const $wrap = o => o[$key] ?? (Object.defineProperty(o, $key, { value: new Proxy(o, { get: (t, k) => k === $key ? t[k] : t[k] !== null && typeof t[k] === 'object' ? $wrap(t[k]) : t[k], getOwnPropertyDescriptor: (t, k) => Reflect.getOwnPropertyDescriptor(t, k) }) }), Object.getOwnPropertyDescriptors(o), o[$key]); let $n = 0
do: $wrap($raw).list[$n++ % 2].n += 3
do: $raw.list = [...$raw.list, { n: $n }]
do: $n += Object.keys($wrap($raw)).length
show: JSON.stringify($raw) + [$raw, $raw.list, ...$raw.list].map(o => $key in o) + $n

# permanent-members-that-scripts-ask-for
js: const $o = { a: 1 }, $f = () => 0, $l = [1]; let $seen = ''
do: Object.defineProperty($o, 'b', { value: 1, writable: true, enumerable: true })
do: $o.b = ($o.b ?? 0) + 2; $seen += $o.b
do: Object.defineProperty($o, 'a', { configurable: false })
do: Reflect.defineProperty($f, 'mark', { get: () => $seen.length, set: undefined, enumerable: true }); $seen += $f.mark
do: $seen += JSON.stringify(Object.getOwnPropertyDescriptors($o)) + Object.isSealed($o)
do: try { Object.defineProperty($o, 'b', { value: 9, enumerable: false }); $seen += 'd' } catch { $seen += 't' }
show: JSON.stringify($o) + Object.keys($f) + Reflect.ownKeys($l) + $seen

# permanent-members-that-are-deleted
js: const $o = { a: 1 }; let $seen = ''
do: Object.defineProperty($o, 'b', { value: { n: 1 }, enumerable: true })
do: try { delete $o.b; $seen += 'gone' } catch { $seen += 'stays' }
do: $o.b ??= { n: 5 }; $o.b.n++
do: $seen += Reflect.deleteProperty($o, 'b') + Object.keys($o)
do: try { class A { constructor(o) { return o } } new (class extends A { b = 7 })($o); $seen += 'field' } catch { $seen += 'no' }
show: JSON.stringify($o) + $seen

# canvas-drawing
html: <canvas id="canvas$#" width="60" height="40" role="img" aria-label="Drawing $#"></canvas>
js: const $c = document.getElementById('canvas$#'), $x = $c.getContext('2d'); let $n = 0; const $sum = () => { const { data } = $x.getImageData(0, 0, $c.width || 1, $c.height || 1); let s = 0; for (let i = 0; i < data.length; i++) s = (s * 31 + data[i]) | 0; return s }
do: $x.fillStyle = «'red'|'rgba(10, 200, 30, 0.3)'|'#12345678'»; $x.fillRect($n++ % 20, 3, 17, 9)
do: $x.save(); $x.clip(); $x.rotate(0.3); $x.strokeText('a' + $n, 10, 20); $x.restore()
do: $x.rect($n * 3, 2, 10, 10); $x.scale(1.5, 1); $x.lineTo(30, 30)
do: $x.fill(); $x.beginPath(); $x.lineWidth += 0.5; $x.setLineDash([$n, 1])
do: $c.setAttribute('width', 50 + $n++)
show: $n + ' ' + $sum() + $x.isPointInPath(12, 8) + $x.lineWidth + $x.getTransform() + $x.getLineDash()

# canvas-held-parts
html: <canvas id="canvas$#" width="30" height="30"></canvas>
js: const $c = document.getElementById('canvas$#'), $x = $c.getContext('2d'), $g = $x.createLinearGradient(0, 0, 30, 0), $off = document.createElement('canvas'); let $p = new Path2D(), $n = 0; $off.width = $off.height = 8
do: $n++; $p = new Path2D($p); $p.rect($n, $n, 5, 5); $x.fill($p)
do: $g.addColorStop(«0|0.5|1», 'blue'); $n++
do: $x.save(); $x.fillStyle = $g; $x.fillRect(0, 0, 30, 10); $x.restore()
do: if ($n++ % 2) $x.save(); else $x.restore()
do: { const o = $off.getContext('2d'); o.fillStyle = 'rgba(255,0,0,' + (0.2 + $n % 5 / 10) + ')'; o.fillRect($n % 8, 0, 3, 8); $x.drawImage($off, $n % 20, 12) }
do: if ($c.isConnected) $c.remove(); else document.body.append($c)
show: $n + $c.toDataURL().slice(-60) + $x.isPointInPath($p, 3, 3) + $x.mark

# canvas-reset-behind-a-path
html: <canvas id="canvas$#" width="30" height="30"></canvas>
js: const $c = document.getElementById('canvas$#'), $x = $c.getContext('2d'); let $n = 0
do: $x.rect(5, 5, 10, 10); $n++
do: $c.getAttributeNode('width').value = String(30 + $n)
do: $c.toggleAttribute('height'); $x.arc(8, 8, 4, 0, 6)
do: $c.attributes.removeNamedItem('width'); $x.moveTo(1, 1)
do: $x.reset(); $x.lineTo({ valueOf: () => $n }, 3)
do: $x.clip(); $c.width = 31
show: $n + [$x.isPointInPath(8, 8), $x.isPointInPath(14, 14)] + $c.width + 'x' + $c.height + $c.toDataURL().length

# event-held-with-members
html: <button id="held$#">Held $#</button>
js: let $last = null, $n = 0; document.getElementById('held$#').addEventListener('click', event => { event.own = { n: ++$n, before: $last?.own }; $last = event })
do: if ($last) $last.own.n += 5
do: if ($last) delete $last.own.before
do: if ($last) Object.defineProperty($last, 'fixed', { value: $n })
do: $last?.preventDefault(); $n++
show: JSON.stringify($last?.own ?? null) + Object.getOwnPropertyNames($last ?? {}) + $last?.defaultPrevented + $n
`,
);
