import { readFeatures } from '../feature.ts';

/** Patterns that apps are built from: stores, renderers, routers, queues, menus. */
export const apps = readFeatures(
  'apps',
  String.raw`
# app-list-rendered-anew
html: <ul id="$l"></ul><input id="$i" aria-label="Item $#">
js: let $items = ['one'], $next = 1; const $draw = () => { $l.innerHTML = $items.map((t, i) => '<li>' + t + ' <button data-i="' + i + '">x' + i + ' $#</button>').join('') }; $l.addEventListener('click', ({ target }) => { if (target.dataset.i) { $items.splice(+target.dataset.i, 1); $draw() } }); $draw()
do: $items.push(($i.value || 'item') + $next++); $i.value = ''; $draw()
do: $items.reverse(); $draw()
show: $items + '/' + $next

# app-reactive-proxy
html: <b id="$b">0</b>
js: const $raw = { n: 0, list: [] }; const $deps = new Map(); let $active = null; const $react = o => new Proxy(o, { get(t, k) { if ($active) { if (!$deps.has(k)) $deps.set(k, new Set()); $deps.get(k).add($active) } const v = t[k]; return v && typeof v === 'object' ? $react(v) : v }, set(t, k, v) { t[k] = v; for (const f of $deps.get(k) ?? []) f(); return true } }); const $s = $react($raw); const $effect = f => { $active = f; f(); $active = null }; $effect(() => { $b.textContent = $s.n + ':' + $s.list.length })
do: $s.n++
do: $s.list = [...$s.list, $s.n]
show: $raw.n + '/' + $raw.list

# app-signals
html: <b id="$b">0</b>
js: const $signal = v => { const subs = new Set(); return { get: () => v, set: next => { v = next; subs.forEach(f => f(v)) }, on: f => { subs.add(f); return () => subs.delete(f) } } }; const $s = $signal(1); let $off = $s.on(v => { $b.textContent = v })
do: $s.set($s.get() * 2)
do: $off(); $off = $s.on(v => { $b.textContent = 'v' + v })
show: $s.get()

# app-hooks
html: <b id="$b"></b>
js: const $cells = []; let $at = 0; const $use = first => { const i = $at++; if (!(i in $cells)) $cells[i] = first; return [$cells[i], v => { $cells[i] = v; $render() }] }; let $api; const $view = () => { const [n, setN] = $use(0); const [t, setT] = $use('a'); $api = { up: () => setN(n + 1), add: () => setT(t + n) }; return n + t }; const $render = () => { $at = 0; $b.textContent = $view() }; $render()
do: $api.up()
do: $api.add()
show: $cells.join()

# app-store-with-reducer
js: const $store = ((reduce, state) => { const subs = []; return { dispatch(a) { state = reduce(state, a); subs.forEach(f => f(state)) }, get: () => state, on: f => subs.push(f) } })((s, a) => a.type === 'up' ? { ...s, n: s.n + a.by } : { ...s, log: [...s.log, s.n] }, Object.freeze({ n: 0, log: Object.freeze([]) })); let $seen = 0; $store.on(({ n }) => { $seen = n })
do: $store.dispatch({ type: 'up', by: 2 })
do: $store.dispatch({ type: 'log' })
show: JSON.stringify($store.get()) + $seen

# app-undo-stack
js: const $past = [], $future = []; let $doc = 'a'
do: $past.push($doc); $doc += $doc.length; $future.length = 0
do: if ($past.length) { $future.push($doc); $doc = $past.pop() }
do: if ($future.length) { $past.push($doc); $doc = $future.pop() }
show: $doc + '/' + $past.length + '/' + $future.length

# app-hash-router
html: <a href="#/$a">Route a$#</a> <a href="#/$b">Route b$#</a><b id="$b">none</b>
js: let $n = 0; const $go = () => { $n++; $b.textContent = 'at ' + location.hash }; addEventListener('hashchange', $go)
do: location.hash = '#/$c'
show: $b.textContent + $n

# app-history-router
html: <b id="$b">start</b>
js: const $go = path => { history.pushState({ path }, '', path); $b.textContent = path }; addEventListener('popstate', ({ state }) => { $b.textContent = state?.path ?? 'start' })
do: $go('/$p')
do: $go('/$q?x=1#y')
show: location.pathname + location.search + location.hash

# app-debounce
html: <input id="$i" aria-label="Search $#"><b id="$b"></b>
js: let $t = 0, $n = 0; $i.addEventListener('input', () => { clearTimeout($t); $t = setTimeout(() => { $n++; $b.textContent = 'found ' + $i.value }, «200|800») })
do: $i.value = 'set'; $i.dispatchEvent(new Event('input'))
show: $n

# app-throttle-by-clock
js: let $last = 0, $n = 0, $dropped = 0
do: if (Date.now() - $last > 700) { $last = Date.now(); $n++ } else $dropped++
show: $n + '/' + $dropped

# app-memo-cache
js: const $cache = new Map(); let $misses = 0; const $get = k => { if (!$cache.has(k)) { $misses++; $cache.set(k, { k, at: $misses }) } return $cache.get(k) }; let $k = 0, $last = null
do: $last = $get(++$k % 3)
do: $cache.delete($k % 3)
show: $misses + '/' + $last?.at + '/' + [...$cache.keys()]

# app-emitter
js: class $Emitter { #on = new Map(); on(k, f) { this.#on.set(k, [...(this.#on.get(k) ?? []), f]); return this } emit(k, v) { for (const f of this.#on.get(k) ?? []) f(v) } } const $e = new $Emitter(); let $log = ''; $e.on('x', v => { $log += v })
do: $e.emit('x', 1)
do: $e.on('x', v => { $log += 'n' + v })
show: $log

# app-observable-symbols
js: const $subs = Symbol('subs'); const $o = { [$subs]: new Set(), value: 0, on(f) { this[$subs].add(f) }, push() { this.value++; for (const f of this[$subs]) f(this.value) } }; let $seen = []
do: $o.push()
do: $o.on(v => { $seen.push(v) })
show: $o.value + ':' + $seen

# app-state-machine
js: const $m = { idle: { go: 'busy' }, busy: { ok: 'done', no: 'idle' }, done: { go: 'busy' } }; let $state = 'idle', $log = []
do: { const to = Object.values($m[$state])[0]; $log.push($state[0]); $state = to }
do: $m.done.extra = 'idle'; delete $m.busy.ok
show: $state + $log.join('')

# app-linked-list
js: let $head = { v: 0, next: null }; const $tail = $head
do: $head = { v: $head.v + 1, next: $head }
do: if ($head.next) $head.next.next = null
show: (() => { let t = ''; for (let at = $head; at; at = at.next) t += at.v; return t + ($tail === $head) })()

# app-job-queue
js: const $q = []; let $busy = false, $done = ''; const $run = async () => { if ($busy) return; $busy = true; while ($q.length) { const j = $q.shift(); await null; $done += j } $busy = false }
do: $q.push('a'); $run()
do: $q.push('b', 'c'); $run()
show: $done

# app-job-queue-with-timers
js: const $q = []; let $busy = false, $done = ''; const $run = async () => { if ($busy) return; $busy = true; while ($q.length) { const j = $q.shift(); await new Promise(r => setTimeout(r, «100|400|900»)); $done += j } $busy = false }
do: $q.push('a'); $run()
show: $done + $q.length

# app-dialog-promise
html: <dialog id="$d"><button id="$y">Yes $#</button><button id="$n">No $#</button></dialog>
js: let $answers = ''; const $ask = () => new Promise(done => { $d.show(); $y.onclick = () => { $d.close(); done('y') }; $n.onclick = () => { $d.close(); done('n') } })
do: (async () => { $answers += await $ask() })()
do: $y.click()
show: $answers

# app-toast
html: <div id="$t"></div>
js: let $id = 0; const $toast = text => { const e = document.createElement('p'); e.textContent = text + ++$id; $t.append(e); setTimeout(() => e.remove(), 1200) }
do: $toast('saved')
show: $t.children.length + '/' + $id

# app-tabs
html: <div id="$tabs"><button role="tab" aria-selected="true" data-p="1">Tab 1 $#</button><button role="tab" data-p="2">Tab 2 $#</button></div><div id="$p1">first</div><div id="$p2" hidden>second</div>
js: $tabs.onclick = ({ target }) => { if (!target.dataset.p) return; for (const t of $tabs.children) t.setAttribute('aria-selected', t === target); $p1.hidden = target.dataset.p !== '1'; $p2.hidden = !$p1.hidden }
do: $tabs.lastChild.click()
do: $tabs.firstChild.click()
show: $p1.hidden + '' + $p2.hidden

# app-menu-by-keys
html: <div id="$m" tabindex="0" role="menu" aria-label="Menu $#"><i>a</i><i>b</i><i>c</i></div>
js: let $at = 0; $m.addEventListener('keydown', event => { if (event.key === 'ArrowDown') { $at = ($at + 1) % 3; event.preventDefault() } if (event.key === 'Enter') $m.dataset.chosen = $at })
do: $m.focus()
do: $m.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))
show: $at + ($m.dataset.chosen ?? '-')

# app-key-log
html: <input id="$i" aria-label="Keys $#">
js: let $log = ''; addEventListener('keydown', ({ key, repeat }) => { if (key !== 'F2') $log += key.length === 1 ? key : key[0] + '.' }, true); addEventListener('keyup', () => { $log += '' })
do: $i.focus()
do: $log = ''
show: $log

# app-click-detail
html: <b id="$b" style="display:inline-block;width:50px" onclick="this.dataset.n = event.detail + '/' + event.button">Press $#</b>
do: $b.dataset.n = ''
show: $b.dataset.n

# app-drag-and-drop-order
html: <ul id="$l"><li id="$x">x<li id="$y">y<li id="$z">z</ul>
do: $l.prepend($l.lastElementChild)
do: $l.insertBefore($l.children[1], null)
show: [...$l.children].map(e => e.id.slice(-1)).join('')

# app-virtual-dom
html: <div id="$r"></div>
js: let $tree = null, $n = 0; const $h = (t, ...c) => ({ t, c }); const $make = v => { if (typeof v === 'string') return document.createTextNode(v); const e = document.createElement(v.t); v.el = e; e.append(...v.c.map($make)); return e }; const $draw = () => { const next = $h('p', 'n ' + $n, $h('b', 'x'.repeat($n % 4))); if ($tree) $tree.el.replaceWith($make(next)); else $r.append($make(next)); $tree = next }; $draw()
do: $n++; $draw()
show: $r.textContent + ($tree.el === $r.firstChild)

# app-lazy-module-pattern
js: var $app = $app || {}; (function (ns) { var secret = 0; ns.up = function () { secret++; return ns }; ns.get = function () { return secret } })($app)
do: $app.up()
do: $app.up = () => { $app.over = true; return $app }
show: $app.get() + '/' + $app.over

# app-storage-backed
js: let $s = JSON.parse(localStorage.getItem('$s') ?? '{"n":0}'); const $save = () => localStorage.setItem('$s', JSON.stringify($s))
do: $s.n++; $save()
do: $s = JSON.parse(localStorage.getItem('$s') ?? '{"n":-1}')
show: $s.n + localStorage.getItem('$s')

# app-big-table-sorted
html: <table id="$t"></table>
js: let $rows = Array.from({ length: 12 }, (_, i) => ({ id: i, v: (i * 7) % 12 })), $dir = 1; const $draw = () => { $t.innerHTML = ''; for (const r of $rows) { const row = $t.insertRow(); row.insertCell().textContent = r.id; row.insertCell().textContent = r.v } }; $draw()
do: $dir = -$dir; $rows.sort((a, b) => $dir * (a.v - b.v)); $draw()
do: $rows = $rows.filter(r => r.v % 3); $draw()
show: $rows.map(r => r.id)

# app-form-wizard
html: <form id="$f"><fieldset id="$s1"><input name="a" aria-label="Name $#"></fieldset><fieldset id="$s2" hidden><input name="b" type="checkbox" aria-label="Agree $#"></fieldset></form>
js: let $step = 1
do: $step = 3 - $step; $s1.hidden = $step !== 1; $s2.hidden = $step !== 2
do: $f.reset()
show: $step + JSON.stringify(Object.fromEntries(new FormData($f)))

# app-web-component-counter
html: <x-count-$# id="$c"></x-count-$#>
js: customElements.define('x-count-$#', class extends HTMLElement { #n = 0; #root = this.attachShadow({ mode: 'open' }); connectedCallback() { this.#root.innerHTML = '<button>Count $#</button><b>0</b>'; this.#root.firstChild.onclick = () => this.up() } up() { this.#root.lastChild.textContent = ++this.#n } get n() { return this.#n } })
do: $c.up()
show: $c.n
`,
);
