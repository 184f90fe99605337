import { readFeatures } from '../feature.ts';

/** What lies around the document: storage, cookies, history, addresses, the window, reloads. */
export const surroundings = readFeatures(
  'surroundings',
  String.raw`
# local-storage
do: localStorage.setItem('$k', (localStorage.getItem('$k') ?? '') + 'x')
do: localStorage.$p = localStorage.length
do: localStorage.removeItem('$k')
show: localStorage.getItem('$k') + localStorage.$p

# inline-handler-set
html: <button id="$b" onclick="$o.textContent += 1">Inline $#</button><i id="$o">0</i>
do: $b.onclick = null
do: $b.setAttribute('onclick', '$o.textContent += 2')
do: $b.addEventListener('click', () => { $o.textContent += 3 })
show: $o.textContent

# style-attribute-under-policy
html: <i id="$i">styled</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="Content-Security-Policy" content="style-src-attr \'none\'">')
do: $i.setAttribute('style', 'padding-left: 30px')
do: $i.style.paddingLeft = '20px'
show: getComputedStyle($i).paddingLeft

# meta-with-prefix
html: <i id="$i">0</i>
do: const m = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:meta'); m.setAttribute('http-equiv', 'Content-Security-Policy'); m.setAttribute('content', "style-src 'none'"); document.head.append(m)
do: const s = document.createElement('style'); s.textContent = '#$i { padding-left: 30px }'; document.head.append(s)
show: getComputedStyle($i).paddingLeft

# svg-style-title
html: <svg id="$s" width="5" height="5"></svg><i id="$i">i</i>
do: const t = document.createElementNS('http://www.w3.org/2000/svg', 'style'); t.setAttribute('title', 'T' + $s.childElementCount); t.textContent = '#$i { padding-left: ' + (9 + $s.childElementCount) + 'px }'; $s.append(t)
do: $s.replaceChildren()
show: getComputedStyle($i).paddingLeft

# session-storage
do: sessionStorage.$k = (+sessionStorage.$k || 0) + 1
do: sessionStorage.clear()
show: sessionStorage.$k

# storage-with-member
do: Object.defineProperty(localStorage, '$k', { value: 'v' + localStorage.length, configurable: true })
do: localStorage[Symbol.for('$s')] = (localStorage[Symbol.for('$s')] ?? 0) + 1
show: localStorage.$k + localStorage[Symbol.for('$s')]

# storage-order
do: localStorage.setItem('$a' + localStorage.length, 'v')
do: localStorage.removeItem(localStorage.key(0))
show: Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i)).sort()

# cookie
do: document.cookie = '$c=' + (document.cookie.length % 7)
do: document.cookie = '$c=; max-age=0'
show: document.cookie

# cookie-with-age
do: document.cookie = '$c=1; max-age=«1|100»'
show: document.cookie

# cookie-store
js: let $v = ''
do: globalThis.cookieStore?.set('$c', 'v' + $v.length).then(() => { $v += '1' })
show: document.cookie + $v

# indexed-db
js: let $n = 0
do: { const r = indexedDB.open('$d', 1); r.onupgradeneeded = () => r.result.createObjectStore('s', { autoIncrement: true }); r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').add(1); const c = t.objectStore('s').count(); c.onsuccess = () => { $n = c.result } } }
show: $n

# cache-storage
js: let $n = 0
do: globalThis.caches ? caches.open('$c').then(c => c.put('/x' + $n, new Response('a')).then(() => c.keys())).then(all => { $n = all.length }) : $n++
show: $n

# history-push-state
js: let $log = ''; addEventListener('popstate', ({ state }) => { $log += 'p' + state?.n })
do: history.pushState({ n: (history.state?.n ?? 0) + 1 }, '', '?p=' + (history.state?.n ?? 0))
do: history.replaceState({ n: 50 }, '')
do: history.back()
show: JSON.stringify(history.state) + location.search + $log

# history-length
js: const $start = history.length
do: history.pushState(null, '', '#x' + history.length)
show: history.length - $start

# history-state-object-identity
js: history.replaceState({ list: [1] }, ''); let $held = history.state
do: history.state?.list?.push(2)
do: $held = history.state
show: JSON.stringify(history.state) + ($held === history.state)

# hash
js: let $n = 0; addEventListener('hashchange', () => { $n++ })
do: location.hash = 'h' + $n
do: location.hash = ''
show: location.hash + $n

# scroll-restoration
do: history.scrollRestoration = history.scrollRestoration === 'auto' ? 'manual' : 'auto'
show: history.scrollRestoration

# window-name
do: window.name += 'n'
show: window.name

# window-members
js: window.$w = { n: 0 }
do: window.$w.n++; window.$later = window.$w
do: window.status = 's' + window.$w.n
show: window.$w.n + String(window.$later === window.$w) + window.status

# window-handler
js: let $n = 0; window.on$x = 1
do: window.onfocus = () => { $n++ }
do: window.dispatchEvent(new Event('focus'))
show: $n

# navigator-members
do: navigator.$x = (navigator.$x ?? 0) + 1
show: navigator.$x

# location-members
do: location.$x = (location.$x ?? 0) + 1
show: location.$x

# screen-and-performance-members
do: screen.$x = (screen.$x ?? 0) + 1; performance.$y = screen.$x
show: screen.$x + '/' + performance.$y

# crypto-members
do: crypto.$x = (crypto.$x ?? 0) + 1
show: crypto.$x

# custom-event-global-bus
js: window.$bus = new EventTarget(); let $n = 0
do: $bus.addEventListener('x', () => { $n++ })
do: $bus.dispatchEvent(new CustomEvent('x'))
show: $n

# link-to-another-page
html: <a href="/inner">Leave $#</a>
js: let $n = 0
do: $n++
show: $n + location.pathname

# debugger-statement
js: let $n = 0; debugger
do: debugger; $n++
show: $n

# reload-by-button
js: let $n = 0; sessionStorage.$loads = (+sessionStorage.$loads || 0) + 1
do: $n++
do: location.reload()
show: sessionStorage.$loads + '/' + $n

# reload-at-start
js: let $n = 0; if ((+sessionStorage.$loads || 0) < 2) { sessionStorage.$loads = (+sessionStorage.$loads || 0) + 1; location.reload() }
do: $n++
show: sessionStorage.$loads + '/' + $n

# document-written
js: document.write('<i id="$w">w</i>')
do: document.getElementById('$w').textContent += '!'
show: document.getElementById('$w').textContent

# import-map-and-dynamic-import
js: let $n = 0
do: import('data:text/javascript,export let n = 0; export const up = () => ++n').then(m => { $n = m.up() })
show: $n

# module-state
js: let $n = 0; const $url = URL.createObjectURL(new Blob(['let n = 0; export const up = () => ++n; export { n }'], { type: 'text/javascript' }))
do: import($url).then(m => { m.up(); $n = m.n })
show: $n

# json-module-like-object
js: const $ns = {}; Object.defineProperty($ns, Symbol.toStringTag, { value: 'Module' }); $ns.n = 0
do: $ns.n++
show: $ns.n + Object.prototype.toString.call($ns)

# web-assembly-instance
js: const $m = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 6, 6, 1, 127, 1, 65, 0, 11, 7, 5, 1, 1, 103, 3, 0)); const $i = new WebAssembly.Instance($m)
do: $i.exports.g.value++
show: $i.exports.g.value

# web-assembly-global-and-table
js: const $g = new WebAssembly.Global({ value: 'i32', mutable: true }, 1), $t = new WebAssembly.Table({ initial: 1, element: 'externref' })
do: $g.value += 3; $t.set(0, $g.value)
do: $t.grow(1)
show: $g.value + '/' + $t.get(0) + $t.length

# permissions-and-notifications
js: let $s = ''
do: navigator.permissions.query({ name: 'geolocation' }).then(p => { $s += p.state })
show: $s

# clipboard-event
js: let $n = ''; document.addEventListener('copy', event => { event.clipboardData.setData('text/plain', 'c'); event.preventDefault(); $n += 'c' })
do: document.execCommand('copy')
show: $n

# language-and-intl-defaults
js: let $n = 0
do: $n += new Date(0).toLocaleString('en', { timeZone: 'UTC' }).length
show: $n + navigator.language

# locks
js: let $n = 0, $free = null
do: navigator.locks ? navigator.locks.request('$l', { ifAvailable: true }, lock => { $n += lock ? 1 : 10; return new Promise(done => { $free = done }) }) : $n++
do: $free?.()
show: $n

# report-error
js: let $n = 0; addEventListener('error', event => { event.preventDefault(); $n++ })
do: reportError(new Error('x'))
show: $n

# trusted-types-policy
js: let $p = null, $n = 0
do: try { $p = globalThis.trustedTypes?.createPolicy('$p', { createHTML: text => text + '!' }); $n++ } catch { $n += 10 }
show: $n + ($p ? String($p.createHTML('a')) : '-')

# dialogs-refused
js: let $a = ''
do: $a += confirm('sure?')
do: $a += prompt('name?')
show: $a
`,
);
