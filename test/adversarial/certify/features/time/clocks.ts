import { readFeatures } from '../../feature.ts';

/** Clocks, chance and answers of the browser: a page shows its own, or is refused a certificate by name. */
export const clocks = readFeatures(
  'clocks',
  String.raw`
# clock-of-intl
js: let $t = ''; const $f = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 })
do: $t = $f.«format()|formatToParts().map(part => part.value).join('')»
show: $t

# clock-of-temporal
js: let $t = ''; const $now = globalThis.Temporal?.Now
do: $t = String($now?.«instant|zonedDateTimeISO|plainDateTimeISO|plainTimeISO»())
show: $t

# clock-of-performance
js: let $t = ''
do: $t = [performance.timeOrigin, performance.timing.«navigationStart|domLoading|responseEnd», performance.toJSON().timeOrigin, Performance.prototype.now.call(performance)].join()
show: $t

# clock-of-marks
js: let $t = 0
do: performance.mark('$m'); $t = performance.measure('$n', '$m').duration + performance.getEntriesByName('$m', 'mark').at(-1).startTime
do: performance.clearMarks(); $t = performance.getEntriesByType('measure').length
show: $t

# clock-of-observed-marks
js: let $t = ''; new PerformanceObserver(list => { $t += list.getEntries().map(entry => entry.startTime) }).observe({ type: '«mark|measure»', buffered: true })
do: performance.mark('$m'); performance.measure('$n', '$m')
show: $t

# clock-of-navigation-entries
js: let $t = ''
do: $t = performance.getEntriesByType('«navigation|resource|paint»').length > 9
show: $t

# clock-of-events
html: <b id="$e">b</b>
js: let $t = 0; $e.addEventListener('x', event => { $t = event.timeStamp })
do: $e.dispatchEvent(new Event('x'))
do: $t = new KeyboardEvent('x').timeStamp
show: $t

# clock-of-document
js: let $t = ''
do: $t = document.lastModified + document.timeline.currentTime
show: $t

# clock-of-file
js: let $t = ''; const $d = new FormData(); $d.set('a', new Blob(['x']), 'a.txt')
do: $t = new File(['x'], 'x').lastModified + ' ' + $d.get('a').lastModified
show: $t

# clock-of-animation-frame
js: let $t = ''
do: requestAnimationFrame(time => { $t += time + ' ' + (time === performance.now()) })
show: $t

# clock-of-idle-deadline
js: let $t = ''
do: requestIdleCallback(deadline => { $t += deadline.timeRemaining() + String(deadline.didTimeout) }, { timeout: 30 })
show: $t

# clock-of-scheduler
js: let $t = ''
do: scheduler.postTask(() => { $t += performance.now() }, { delay: «0|40|700» }).then(() => { $t += ';' })
do: scheduler.yield().then(() => { $t += 'y' + performance.now() })
show: $t

# clock-of-intersection
html: <i id="$e">i</i>
js: let $t = ''; new IntersectionObserver(([entry]) => { $t += entry.time + ' ' }).observe($e)
do: $e.hidden = !$e.hidden
show: $t

# clock-of-frame
html: <iframe id="$f" «srcdoc="<p>x</p>"|src="/inner"|name="x"»></iframe>
js: let $t = ''
do: const { Date: D, performance: P, Intl: I } = $f.contentWindow; $t = [D.now(), new D(), P.now(), P.timeOrigin, new I.DateTimeFormat('en', { timeStyle: 'medium' }).format()].join()
do: $f.contentWindow.setTimeout(() => { $t += $f.contentWindow.performance.now() }, «20|300|900»)
do: $f.contentWindow.requestAnimationFrame(time => { $t += time })
show: $t

# clock-in-frame
html: <iframe id="$f" srcdoc="<p id=t></p><script>setInterval(() => { t.textContent = Date.now() + ' ' + performance.now() + ' ' + Math.random() }, 300)</script>"></iframe>
do: $f.contentDocument.body.append('x')
show: $f.contentDocument.body.textContent

# clock-in-removed-frame
js: let $t = ''
do: const f = document.createElement('iframe'); document.body.append(f); const w = f.contentWindow; const D = w.Date, M = w.Math; f.remove(); $t = D.now() + ' ' + M.random()
show: $t

# clock-in-sandboxed-frame
html: <iframe id="$f" sandbox="allow-scripts" srcdoc="<script>globalThis.t = Date.now()</script>"></iframe>
do: $f.title += 'x'
show: $f.title

# clock-of-worker
js: let $t = ''; const $w = new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage(Date.now() > 0)']))); $w.onmessage = ({ data }) => { $t = data }
do: $w.postMessage(1)
show: $t

# clock-of-timed-signal
js: let $t = ''
do: AbortSignal.timeout(«30|400|900»).addEventListener('abort', () => { $t += performance.now() + ' ' })
show: $t

# clock-of-atomics
js: let $t = ''
do: const w = Atomics.waitAsync?.(new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer), 0, 0, 1e6); $t += w?.async
show: $t

# cookie-with-age
js: document.cookie = '$c=1; max-age=«3600|31536000»'
do: document.cookie = '$c=2; expires=' + new Date(Date.now() + 1e10).toUTCString()
do: document.cookie = '$c=; max-age=0'
show: document.cookie.includes('$c')

# meta-refresh-later
html: <meta http-equiv="refresh" content="600">
do: document.title += 'x'
show: document.title

# chance-of-crypto
js: let $t = ''
do: $t = «crypto.randomUUID()|Crypto.prototype.randomUUID.call(crypto)|crypto.getRandomValues(new Uint32Array(3)).join()|Crypto.prototype.getRandomValues.call(crypto, new Uint8Array(4)).join()»
show: $t

# chance-of-frame
html: <iframe id="$f"></iframe>
js: let $t = ''
do: const w = $f.contentWindow; $t = w.Math.random() + w.crypto.randomUUID?.() + w.crypto.getRandomValues(new w.Uint8Array(2))
show: $t

# chance-of-garbage
js: let $n = 0; const $r = new FinalizationRegistry(() => { $n++ }), $w = new WeakRef({})
do: for (let i = 0; i < 300; i++) $r.register(new Array(2000)); for (let i = 0; i < 60; i++) new Array(1e5).fill(i)
show: $n + ' ' + ($w.deref() === undefined)

# chance-of-history-entry
js: let $t = ''
do: $t = navigation.currentEntry.key.length + navigation.currentEntry.id.length
show: $t

# answers-of-database
js: let $t = ''
do: const open = indexedDB.open('$d', 1); open.onupgradeneeded = () => open.result.createObjectStore('s'); open.onsuccess = () => { const store = open.result.transaction('s', 'readwrite').objectStore('s'); store.put($t.length, 'k').onsuccess = () => { store.get('k').onsuccess = ({ target }) => { $t += target.result + ';' } } }
do: indexedDB.databases().then(list => { $t += list.length })
show: $t

# answers-of-database-and-timers
js: let $t = ''
do: setTimeout(() => { $t += 't' }, «0|5|60|200»); indexedDB.open('$e').onsuccess = () => { $t += 'd' }
show: $t

# answers-of-server-and-timers
js: let $t = ''
do: for (const wait of [0, 4, 20, 90, 400]) setTimeout(() => { $t += wait + ' ' }, wait); fetch('/').then(r => r.text()).then(() => { $t += 'f ' })
show: $t

# answers-of-digest
js: let $t = ''
do: setTimeout(() => { $t += 't' }, 3); crypto.subtle?.digest('SHA-256', new Uint8Array(99)).then(sum => { $t += new Uint8Array(sum)[0] })
show: $t

# answers-of-images
html: <canvas id="$c" width="20" height="20"></canvas>
js: let $t = ''
do: createImageBitmap(new ImageData(90, 90)).then(map => { $t += map.width }); setTimeout(() => { $t += 't' }, 2)
do: $c.toBlob(blob => { $t += blob.size + ';' }); setTimeout(() => { $t += 'u' }, 2)
do: const i = new Image(); i.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='; i.decode().then(() => { $t += 'i' }, () => { $t += 'e' })
show: $t

# answers-of-modules
js: let $t = ''
do: WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => { $t += 'w' }); setTimeout(() => { $t += 't' }, 1)
show: $t

# player-of-stream
html: <canvas id="$c" width="20" height="20"></canvas>
js: let $v = null; $c.getContext('2d').fillRect(0, 0, 9, 9)
do: $v = document.createElement('video'); $v.muted = true; $v.srcObject = $c.captureStream(); $v.play().catch(() => { })
show: $v === null

# player-without-a-file
html: <video id="$v" «hidden|width="20"» preload="none"></video><audio id="$a"></audio>
do: $v.controls = !$v.controls
show: $v.controls + ' ' + $a.preload

# view-transition-with-clock
html: <p id="$p">text</p>
js: let $t = ''
do: const v = document.startViewTransition(() => { $p.textContent += 'x' }); v.finished.then(() => { $t += 'f' }, () => { $t += 'e' })
show: $t + $p.textContent

# popover-and-toggle-events
html: <p id="$p" popover="«auto|manual»">pop</p>
js: let $t = ''; for (const type of ['beforetoggle', 'toggle']) $p.addEventListener(type, event => { $t += event.newState + event.timeStamp })
do: $p.togglePopover()
show: $t

# dialog-closed-by
html: <dialog id="$d" closedby="«any|closerequest|none»">dialog <button onclick="this.closest('dialog').close('x')">Shut $#</button></dialog>
js: let $t = ''; for (const type of ['close', 'cancel']) $d.addEventListener(type, event => { $t += type + event.timeStamp })
do: $d.open || $d.showModal()
key: Escape
show: $t + $d.returnValue

# resize-and-frames
html: <p id="$p" style="width: 40px">p</p>
js: let $t = ''; new ResizeObserver(() => { $t += performance.now() + ' ' }).observe($p)
do: $p.style.width = 30 + $t.length + 'px'
show: $t

# history-state-with-clock
js: let $t = ''; addEventListener('popstate', ({ state, timeStamp }) => { $t += state?.at + ' ' + timeStamp })
do: history.pushState({ at: Date.now() }, '')
do: history.back()
show: $t
`,
);
