import { readFeatures } from '../feature.ts';

/** State on objects that the browser hands out, and in places that no list of members shows. */
export const handed = readFeatures(
  'handed',
  String.raw`
# text-node-members
html: <p id="$p">text</p>
do: $p.firstChild.tag = ($p.firstChild.tag ?? 0) + 1
do: $p.textContent = 'other'
show: $p.firstChild.tag

# node-symbol-members
html: <b id="$e">b</b>
do: $e[Symbol.for('$s')] = ($e[Symbol.for('$s')] ?? 0) + 1
do: delete $e[Symbol.for('$s')]
show: $e[Symbol.for('$s')]

# node-hidden-members
html: <b id="$e">b</b>
do: Object.defineProperty($e, 'hid', { value: ($e.hid ?? 0) + 1, configurable: true, writable: «true|false» })
do: Object.defineProperty(document.body, '$k', { get: () => $e.hid, configurable: true })
show: $e.hid + '/' + document.body.$k

# comment-members
html: <div id="$e"><!--c--></div>
do: $e.firstChild.tag = ($e.firstChild.tag ?? 0) + 1
do: $e.replaceChildren(document.createComment('d'))
show: $e.firstChild?.tag

# handed-out-members
html: <form id="$f"><label>L<input id="$i" list="$l" aria-label="In $#"></label><datalist id="$l"><option>o</datalist><a id="$a" href="#">a</a></form>
do: { const o = «$f.classList|$f.attributes|$f.elements|$f.children|$f.childNodes|$i.validity|$i.labels|$l.options|$a.relList|$f.dataset|document.forms»; o[Symbol.for('$s')] = (o[Symbol.for('$s')] ?? 0) + 1 }
do: $f.className += ' x'
show: [$f.classList, $f.attributes, $f.elements, $f.children, $f.childNodes, $i.validity, $i.labels, $l.options, $a.relList, $f.dataset, document.forms].map(o => o[Symbol.for('$s')])

# attribute-members
html: <b id="$e" title="t">b</b>
do: $e.attributes[1].tag = ($e.attributes[1].tag ?? 0) + 1
do: $e.attributes[1].value += 'x'
show: $e.attributes[1].tag + $e.title

# selection-members
do: getSelection().tag = (getSelection().tag ?? 0) + 1
show: getSelection().tag

# style-object-held
html: <b id="$e" style="color: red">b</b>
js: const $style = $e.style, $spare = document.createElement('i').style
do: $style.color = $style.color === 'red' ? 'blue' : 'red'
do: $spare.width = (parseInt($spare.width) || 0) + 1 + 'px'; $spare.tag = { n: ($spare.tag?.n ?? 0) + 1 }
show: $style.color + $spare.width + $spare.tag?.n + ($e.style === $style)

# style-of-another-browser
html: <b id="$e">b</b>
do: $e.style.MozOsxFontSmoothing = 'grayscale' + ($e.style.MozOsxFontSmoothing ?? '')
do: Object.assign($e.style, { msTransform: 'rotate(1deg)', opacity: '0.5' })
show: $e.style.MozOsxFontSmoothing + $e.style.msTransform + $e.style.opacity

# computed-style-held
html: <b id="$e">b</b>
js: const $computed = getComputedStyle($e)
do: $e.style.color = 'rgb(' + (parseInt($computed.color.slice(4)) + 1) + ', 0, 0)'
show: $computed.color

# blob-link
html: <a id="$a" download>File</a>
do: $a.href = URL.createObjectURL(new Blob(['x'.repeat($n++)]))
do: URL.revokeObjectURL($a.href)
js: let $n = 0
show: $n + $a.href.slice(0, 5)

# blob-image
html: <img id="$m" alt="none">
js: let $log = ''; $m.onload = () => { $log += 'l' + $m.naturalWidth }; $m.onerror = () => { $log += 'e' }
do: $m.src = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'], { type: 'image/svg+xml' }))
show: $log

# history-state-held
js: let $held = history.state
do: history.replaceState({ n: (history.state?.n ?? 0) + 1 }, ''); $held = history.state
do: history.pushState({ p: history.length }, '', '#$x' + history.length)
do: history.state && (history.state.n = 9)
show: JSON.stringify(history.state) + ($held === history.state)

# field-email-spaces
html: <input id="$i" type="email" aria-label="Mail $#">
do: $i.value = ' a@b.c '
do: $i.type = $i.type === 'email' ? 'text' : 'email'
show: JSON.stringify($i.value) + $i.validity.valid

# select-by-keys
html: <select id="$s" aria-label="Pick $#"><option>Ant<option>Bee<option>Cow</select>
js: let $log = ''; for (const type of ['input', 'change', 'focus', 'blur']) $s.addEventListener(type, () => { $log += type[0] })
do: $s.focus()
do: $s.options[1].disabled = !$s.options[1].disabled
show: $s.value + $log

# focus-by-script-after-key
html: <button id="$a">A $#</button><button id="$b">B $#</button>
css: #s$#a:focus-visible, #s$#b:focus-visible { letter-spacing: 9px }
do: $a.focus()
do: $b.focus()
do: document.activeElement.blur()
show: $a.matches(':focus-visible') + ' ' + $b.matches(':focus-visible')

# async-frame-with-old-promise
js: let $go, $n = 0; (async () => { let own = 0; for (;;) { await new Promise(run => { $go = run }); own += 2; $n = own } })()
do: $go()
do: { const before = $go; $go = () => { $n += 100; before() } }
show: $n

# reaction-added-later
js: let $log = '', $open = null; const $later = () => { const wait = new Promise(run => { $open = run }); return word => wait.then(() => { $log += word }) }; const $add = $later()
do: $add('x')
do: $add('y'); $add('z')
do: $open()
show: $log

# thenable-awaited
js: let $resolve, $n = 0; async function $wait() { $n += await { then(run) { $resolve = run } } }
do: $wait()
do: $resolve?.(5)
show: $n

# async-generator-half-way
js: const $numbers = (async function* () { for (let n = 1; ; n++) yield n })(); let $last
do: $numbers.next().then(({ value }) => { $last = value })
show: $last

# promise-in-map
js: const $cache = new Map(); let $hits = 0
do: { let p = $cache.get('k'); if (p === undefined) { p = Promise.resolve({ n: 0 }); $cache.set('k', p) } p.then(o => { $hits = ++o.n }) }
show: $hits

# time-read-in-many-ways
js: let $seen = []
do: $seen.push(Date.now(), Math.round(performance.now()), new Date().getMinutes(), Date().length)
do: setTimeout(() => { $seen.push('t', Math.round(performance.now())) }, «10|300|700»)
show: $seen

# event-order
html: <div id="$o"><input id="$i" aria-label="Order $#"></div>
js: let $log = ''; for (const type of ['focusin', 'focusout', 'input', 'change', 'keydown', 'keyup', 'pointerdown', 'mousedown', 'click']) $o.addEventListener(type, () => { $log += type.at(-1) })
do: $i.focus()
do: $i.value = $log.length; $i.blur()
show: $log

# caret-typing
html: <input id="$i" value="abc" aria-label="Caret $#">
do: $i.focus(); $i.setSelectionRange(1, 2)
do: $i.setRangeText('ZZ', 0, 1, '«select|start|end|preserve»')
show: $i.value + $i.selectionStart + $i.selectionEnd + $i.selectionDirection

# collection-held-with-members
html: <ul id="$l"><li>1</ul>
js: const $items = $l.getElementsByTagName('li'), $all = $l.children
do: $items.tag = ($items.tag ?? 0) + 1; $l.append(document.createElement('li'))
do: $all.note = $all.length
show: $items.tag + '/' + $l.children.note + '/' + $items.length
`,
);
