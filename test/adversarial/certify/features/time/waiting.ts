import { readFeatures } from '../../feature.ts';

/** What goes on later: promises, timers, microtasks, messages, observers, streams, listeners. */
export const waiting = readFeatures(
  'waiting',
  String.raw`
# promise-pending-then-settled
js: let $go, $n = 0; const $p = new Promise(done => { $go = done }); $p.then(v => { $n += v })
do: $go(5)
do: $p.then(() => { $n += 100 })
show: $n

# promise-rejected-later
js: let $fail, $n = ''; const $p = new Promise((_, no) => { $fail = no }); $p.catch(e => { $n += e.message })
do: $fail(new Error('x'))
do: $p.catch(() => { $n += 'y' })
show: $n

# promise-already-settled
js: let $n = 0, $p = Promise.resolve(3)
do: $p.then(v => { $n += v })
do: $p = Promise.resolve($n + 1)
show: $n

# promise-thenable
js: let $calls = 0, $got = 0; const $t = { then(done) { $calls++; done($calls) } }
do: Promise.resolve($t).then(v => { $got = v })
do: (async () => { $got += await $t })()
show: $calls + '/' + $got

# promise-with-resolvers
js: const $w = Promise.withResolvers(); let $n = 0
do: $w.promise.then(() => { $n++ })
do: $w.resolve()
show: $n

# promise-all-open
js: const $go = []; let $out = 'open'; Promise.all([1, 2].map(n => new Promise(done => { $go.push(() => done(n)) }))).then(all => { $out = all.join() })
do: $go[0]()
do: $go[1]()
show: $out

# async-loop-awaiting-clicks
js: let $next = () => { }, $n = 0; (async () => { for (;;) { await new Promise(done => { $next = done }); $n++ } })()
do: $next()
show: $n

# async-function-with-locals
js: let $next, $out = ''; (async () => { let local = 1; for (let i = 0; i < 5; i++) { await new Promise(done => { $next = done }); local *= 2; $out += local + ',' } })()
do: $next()
show: $out

# async-iteration-of-events
js: let $push, $sum = 0; (async () => { const queue = []; let wake; $push = v => { queue.push(v); wake?.() }; for (;;) { while (queue.length === 0) await new Promise(r => { wake = r }); $sum += queue.shift() } })()
do: $push(«1|2»); $push(3)
show: $sum

# timeout-pending
js: let $n = 0
do: setTimeout(() => { $n++ }, «0|300|900|2000»)
show: $n

# timeout-chain
js: let $n = 0; const $tick = () => { $n++; if ($n < 6) setTimeout($tick, 400) }
do: $tick()
show: $n

# timeout-cleared
js: let $n = 0, $id = 0
do: $id = setTimeout(() => { $n += 10 }, 1200)
do: clearTimeout($id); $n++
show: $n

# interval
js: let $n = 0, $id = 0
do: $id ||= setInterval(() => { $n++ }, 350)
do: clearInterval($id); $id = 0
show: $n

# interval-from-the-start
js: let $n = 0; setInterval(() => { $n++ }, «300|700»)
do: $n += 100
show: $n

# animation-frame-loop
js: let $n = 0, $on = false; const $step = () => { if (!$on) return; $n++; if ($n < 40) requestAnimationFrame($step) }
do: $on = true; requestAnimationFrame($step)
do: $on = false
show: $n

# idle-callback
js: let $n = 0
do: requestIdleCallback(() => { $n++ })
show: $n

# microtask
js: let $n = ''
do: queueMicrotask(() => { $n += 'm' }); Promise.resolve().then(() => { $n += 'p' }); $n += 's'
show: $n

# timer-id-visible
js: let $id = 0
do: $id = setTimeout(() => { }, 10)
show: $id

# scheduler-post-task
js: let $n = 0
do: scheduler.postTask(() => { $n++ }, { priority: 'background' })
show: $n

# message-channel
js: const $c = new MessageChannel(); let $n = 0; $c.port1.onmessage = ({ data }) => { $n += data }
do: $c.port2.postMessage(3)
show: $n

# message-channel-not-started
js: const $c = new MessageChannel(); let $n = 0; $c.port1.addEventListener('message', ({ data }) => { $n += data })
do: $c.port2.postMessage(3)
do: $c.port1.start()
show: $n

# message-channel-closed
js: const $c = new MessageChannel(); let $n = 0; $c.port1.onmessage = () => { $n++ }
do: $c.port2.postMessage(1)
do: $c.port1.close()
show: $n

# window-post-message
js: let $n = 0; addEventListener('message', ({ data }) => { if (data === '$m') $n++ })
do: postMessage('$m', '*')
show: $n

# broadcast-channel
js: const $a = new BroadcastChannel('$b'), $b = new BroadcastChannel('$b'); let $n = 0; $b.onmessage = () => { $n++ }
do: $a.postMessage(1)
do: $b.close()
show: $n

# mutation-observer
html: <div id="$e"></div>
js: let $n = 0; const $o = new MutationObserver(list => { $n += list.length }); $o.observe($e, { childList: true, attributes: true })
do: $e.append('x'); $e.dataset.n = $e.childNodes.length
do: $o.disconnect()
show: $n

# mutation-observer-take-records
html: <div id="$e"></div>
js: let $n = 0; const $o = new MutationObserver(() => { $n = -1 }); $o.observe($e, { childList: true, subtree: true })
do: $e.append('x'); $n += $o.takeRecords().length
do: $o.observe(document.body, { attributes: true })
do: document.body.dataset.s = 'x' + $n
show: $n

# resize-observer
html: <div id="$e" style="width:50px;height:9px"></div>
js: let $w = 0; const $o = new ResizeObserver(([entry]) => { $w = entry.contentRect.width }); $o.observe($e)
do: $e.style.width = $e.offsetWidth + 20 + 'px'
do: $o.unobserve($e)
show: $w

# intersection-observer
html: <div id="$e" style="width:9px;height:9px"></div>
js: let $log = ''; const $o = new IntersectionObserver(list => { $log += list.map(e => e.isIntersecting ? 'i' : 'o').join('') }); $o.observe($e)
do: $e.style.display = $e.style.display === 'none' ? '' : 'none'
show: $log

# performance-observer
js: let $n = 0; new PerformanceObserver(list => { $n += list.getEntries().length }).observe({ entryTypes: ['mark'] })
do: performance.mark('$p')
show: $n

# abort-controller
js: let $c = new AbortController(), $n = 0; $c.signal.addEventListener('abort', () => { $n++ })
do: $c.abort('why')
do: $c = new AbortController()
show: $n + ' ' + $c.signal.aborted

# abort-signal-removes-listener
html: <b id="$e">b</b>
js: const $c = new AbortController(); let $n = 0; $e.addEventListener('x', () => { $n++ }, { signal: $c.signal })
do: $e.dispatchEvent(new Event('x'))
do: $c.abort()
show: $n

# abort-signal-timeout
js: const $s = AbortSignal.timeout(«900|1700»), $any = AbortSignal.any([$s]); let $n = 0
do: $n++
show: $any.aborted + '' + $n

# listener-once
html: <b id="$e">b</b>
js: let $n = 0; $e.addEventListener('x', () => { $n++ }, { once: true })
do: $e.dispatchEvent(new Event('x'))
show: $n

# listener-added-and-removed
html: <b id="$e">b</b>
js: let $n = 0; const $h = () => { $n++ }; let $on = false
do: $on ? $e.removeEventListener('x', $h) : $e.addEventListener('x', $h); $on = !$on
do: $e.dispatchEvent(new Event('x'))
show: $n

# listener-order
html: <b id="$e">b</b>
js: let $log = ''; const $one = () => { $log += 1 }, $two = () => { $log += 2 }; $e.addEventListener('x', $one); $e.addEventListener('x', $two)
do: $e.removeEventListener('x', $one); $e.addEventListener('x', $one)
do: $e.dispatchEvent(new Event('x'))
show: $log

# listener-capture-and-stop
html: <div id="$o"><b id="$e">b</b></div>
js: let $log = ''; $o.addEventListener('x', () => { $log += 'c' }, true); $o.addEventListener('x', () => { $log += 'b' }); let $stop = false; $e.addEventListener('x', event => { $log += 'e'; if ($stop) event.stopPropagation() })
do: $stop = !$stop
do: $e.dispatchEvent(new Event('x', { bubbles: true }))
show: $log

# listener-object-with-handle-event
html: <b id="$e">b</b>
js: const $h = { n: 0, handleEvent() { this.n++ } }; $e.addEventListener('x', $h)
do: $e.dispatchEvent(new Event('x'))
do: $h.handleEvent = () => { $h.n += 10 }
show: $h.n

# listener-property-replaced
html: <b id="$e">b</b>
js: let $n = 0; $e.onclick = () => { $n++ }
do: $e.onclick = () => { $n += 10 }
do: $e.onclick = null
do: $e.click()
show: $n

# listener-attribute-set
html: <b id="$e" onclick="this.dataset.n = 1">b</b>
do: $e.setAttribute('onclick', 'this.dataset.n = 2')
do: $e.removeAttribute('onclick')
do: $e.click()
show: $e.dataset.n

# listener-on-target-that-does-not-exist-in-the-page
js: const $t = new EventTarget(); let $n = 0; $t.addEventListener('x', () => { $n++ })
do: $t.dispatchEvent(new Event('x'))
do: $t.addEventListener('x', () => { $n += 5 })
show: $n

# event-kept
js: let $kept = null; document.addEventListener('click', event => { $kept = event })
do: $kept && ($kept.tag = ($kept.tag ?? 0) + 1)
show: $kept?.type + $kept?.tag

# event-reused
html: <b id="$e">b</b>
js: const $ev = new Event('x', { cancelable: true }); let $n = 0; $e.addEventListener('x', event => { $n++; if ($n > 1) event.preventDefault() })
do: $e.dispatchEvent($ev)
show: $n + ' ' + $ev.defaultPrevented

# readable-stream-half-read
js: let $n = 0, $last; const $r = new ReadableStream({ pull(c) { c.enqueue(++$n) } }, { highWaterMark: 0 }).getReader()
do: $r.read().then(({ value }) => { $last = value })
show: $last + '/' + $n

# transform-stream
js: const $t = new TransformStream({ transform(v, c) { c.enqueue(v * 2) } }), $w = $t.writable.getWriter(), $r = $t.readable.getReader(); let $n = 0, $out = ''
do: $w.write(++$n); $r.read().then(({ value }) => { $out += value })
show: $out

# worker
js: const $w = new Worker(URL.createObjectURL(new Blob(['let n = 0; onmessage = () => postMessage(++n)']))); let $n = 0; $w.onmessage = ({ data }) => { $n = data }
do: $w.postMessage(1)
show: $n

# fetch-own-page
js: let $n = 0
do: fetch('/').then(r => r.text()).then(text => { $n += text.length > 0 ? 1 : 0 })
show: $n

# xml-http-request
js: let $x = null, $n = 0
do: $x = new XMLHttpRequest(); $x.open('GET', '/'); $x.onload = () => { $n++ }; $x.send()
show: $n + '/' + ($x?.readyState ?? '-')

# smil-in-image
html: <img id="$i" alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='60' height='20'><rect width='9' height='20' fill='red'><animate attributeName='width' from='9' to='60' dur='3s' repeatCount='indefinite'/></rect></svg>">
do: $i.hidden = !$i.hidden
show: $i.complete

# smil-in-background
html: <p id="$p">text</p>
do: $p.style.cssText = "list-style: none; width: 60px; height: 20px; «background|mask|border-image»: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRoPSc2MCcgaGVpZ2h0PScyMCc+PHJlY3Qgd2lkdGg9JzknIGhlaWdodD0nMjAnIGZpbGw9J3JlZCc+PGFuaW1hdGUgYXR0cmlidXRlTmFtZT0nd2lkdGgnIGZyb209JzknIHRvPSc2MCcgZHVyPSczcycgcmVwZWF0Q291bnQ9J2luZGVmaW5pdGUnLz48L3JlY3Q+PC9zdmc+)"
show: $p.style.length

# smil-in-object
html: <«object data|embed src»="data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRoPSc2MCcgaGVpZ2h0PScyMCc+PHJlY3Qgd2lkdGg9JzknIGhlaWdodD0nMjAnIGZpbGw9J3JlZCc+PGFuaW1hdGUgYXR0cmlidXRlTmFtZT0nd2lkdGgnIGZyb209JzknIHRvPSc2MCcgZHVyPSczcycgcmVwZWF0Q291bnQ9J2luZGVmaW5pdGUnLz48L3JlY3Q+PC9zdmc+" width="70" height="30"></object>
do: document.querySelector('object, embed').hidden ^= 1
show: document.querySelectorAll('object, embed').length

# smil-in-shadow
html: <p id="$h"></p>
js: $h.attachShadow({ mode: '«open|closed»' }).innerHTML = "<svg width='60' height='20'><rect width='9' height='20' fill='red'><animate attributeName='width' from='9' to='60' dur='3s' repeatCount='indefinite'/></rect></svg>"
do: $h.hidden = !$h.hidden
show: $h.offsetWidth

# motion-in-declared-shadow
html: <p><template shadowrootmode="«open|closed»"><svg width='60' height='20'><rect width='9' height='20' fill='red'><animate attributeName='width' from='9' to='60' dur='3s' repeatCount='indefinite'/></rect></svg><style>@keyframes a { to { padding-left: 60px } } b { animation: a 3s infinite }</style><b>b</b></template></p>
do: document.title += 1
show: document.title

# smil-used
html: <svg width="0" height="0"><g id="$g"><svg width='60' height='20'><rect width='9' height='20' fill='red'><animate attributeName='width' from='9' to='60' dur='3s' repeatCount='indefinite'/></rect></svg></g></svg><svg width="70" height="20"><use id="$u" href="#$g"/></svg>
do: $u.setAttribute('x', 5)
show: $u.getBoundingClientRect().x

# gif-with-frames
html: <img id="$i" alt="" width="20" height="20" src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAFAAAACwAAAAAAQABAAACAkQBACH5BAAUAAAALAAAAAABAAEAAAICTAEAOw=="><p style="height: 20px; background: url(data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQAFAAAACwAAAAAAQABAAACAkQBACH5BAAUAAAALAAAAAABAAEAAAICTAEAOw==)"></p>
do: $i.width = 30
show: $i.naturalWidth

# style-animation-in-image
html: <img id="$i" alt="" src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRoPSc2MCcgaGVpZ2h0PScyMCc+PHN0eWxlPkBrZXlmcmFtZXMgYSB7IHRvIHsgd2lkdGg6IDYwcHggfSB9IHJlY3QgeyBhbmltYXRpb246IGEgM3MgaW5maW5pdGUgfTwvc3R5bGU+PHJlY3Qgd2lkdGg9JzknIGhlaWdodD0nMjAnIGZpbGw9J3JlZCcvPjwvc3ZnPg==">
do: $i.width = 90
show: $i.width

# frame-animates
html: <iframe id="$f" width="90" height="40" srcdoc="<svg width='60' height='20'><rect width='9' height='20' fill='red'><animate attributeName='width' from='9' to='60' dur='3s' repeatCount='indefinite'/></rect></svg><style>@keyframes a { to { width: 60px } } i { display: block; height: 9px; background: red; animation: a 3s infinite }</style><i></i>"></iframe>
do: $f.width = 95
show: $f.width

# marquee-and-progress
html: <«marquee|progress» id="$m">text</marquee>
do: $m.title += 'x'
show: $m.title

# scroll-timeline
html: <div id="$d" style="height: 30px; overflow: auto"><p style="height: 90px"><i id="$i">i</i></p></div>
css: @keyframes $a { to { padding-left: 60px } } #$i { animation: $a linear; animation-timeline: scroll() }
do: $d.scrollTop += 10
show: $i.offsetWidth

# interest-for
html: <button id="$b" interestfor="$h">Interest $#</button><p id="$h" popover="hint">hint</p>
do: $b.focus()
show: $h.matches(':popover-open')

# image-input-inline-load
html: <i id="$o">0</i><form onsubmit="return false"><input id="$i" type="image" alt="Go $#" onload="$o.textContent += 1" src="data:image/svg+xml;base64,PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRoPSc2MCcgaGVpZ2h0PScyMCc+PHJlY3Qgd2lkdGg9JzknIGhlaWdodD0nMjAnIGZpbGw9J3JlZCc+PGFuaW1hdGUgYXR0cmlidXRlTmFtZT0nd2lkdGgnIGZyb209JzknIHRvPSc2MCcgZHVyPSczcycgcmVwZWF0Q291bnQ9J2luZGVmaW5pdGUnLz48L3JlY3Q+PC9zdmc+"></form>
do: $i.src += ' '
do: void $i.cloneNode()
show: $o.textContent

# unhandled-rejection
js: let $n = 0; addEventListener('unhandledrejection', event => { event.preventDefault(); $n++ })
do: Promise.reject(new Error('x'))
show: $n

# error-handler
js: let $n = 0; addEventListener('error', event => { $n++; event.preventDefault() })
do: setTimeout(() => { throw new Error('x') })
show: $n
`,
);
