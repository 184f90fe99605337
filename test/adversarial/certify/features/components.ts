import { readFeatures } from '../feature.ts';

/** Shadow roots, custom elements, adopted style sheets, and what stands in slots. */
export const components = readFeatures(
  'components',
  String.raw`
# shadow-counter
html: <div id="$h"></div>
js: let $n = 0; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<button>In $#</button><b>0</b>'; $r.querySelector('button').onclick = () => { $r.querySelector('b').textContent = ++$n }
do: $r.append(document.createElement('hr'))
do: $r.querySelector('b').remove?.(); $r.innerHTML += '<b>' + $n + '</b>'
show: $r.innerHTML + $n

# shadow-later
html: <div id="$h">light</div>
js: let $r = null
do: if (!$r) { $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<i>in</i><slot></slot>' }
do: $r?.append('x')
show: $r?.innerHTML

# shadow-of-new
html: <div id="$list"></div>
js: const $all = []
do: { const d = document.createElement('div'); const r = d.attachShadow({ mode: '«open|closed»' }); r.innerHTML = '<button>New $#</button>'; r.firstChild.onclick = () => { r.append('!') }; $all.push(r); document.getElementById('$list').append(d) }
do: $all.pop()?.host.remove()
do: document.getElementById('$list').append(...[...document.getElementById('$list').children].reverse())
show: $all.map(r => r.innerHTML + r.host.isConnected).join()

# shadow-field
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); let $log = ''; $r.innerHTML = '<form><label>Word $# <input name="w" «required|minlength=3|»></label><label><input type="checkbox"> Box $#</label><select aria-label="Pick $#"><option>a<option>b</select><button>Send $#</button></form>'; $r.querySelector('form').onsubmit = e => { e.preventDefault(); $log += 's' }; $r.addEventListener('change', e => { $log += e.target.tagName[0] }); addEventListener('input', e => { $log += e.target.id || '?' })
do: $r.querySelector('form').reset()
do: $r.querySelector('input').focus()
do: $r.querySelector('select').selectedIndex = 1
show: $log + [...new FormData($r.querySelector('form'))].join() + $r.querySelector('[type=checkbox]').checked + $r.querySelector('select').value + ($r.activeElement?.tagName ?? '')

# shadow-slots
html: <div id="$h"><span>one</span><span slot="b">two</span></div>
js: let $n = 0; const $host = document.getElementById('$h'), $r = $host.attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<p>A <slot></slot></p><p>B <slot name="b"></slot></p>'; $r.addEventListener('slotchange', e => { $n += e.target.assignedElements().length * 10 + 1 })
do: { const s = $host.firstElementChild; s.slot = s.slot === 'b' ? '' : 'b' }
do: { const s = document.createElement('u'); s.textContent = 'u'; $host.append(s) }
do: $host.lastElementChild?.remove()
do: $r.querySelector('slot[name]').name = 'c'
show: $n + ' ' + [...$r.querySelectorAll('slot')].map(s => s.assignedNodes().length)

# shadow-focus-and-delegate
html: <div id="$h" tabindex="0"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»', delegatesFocus: true }); let $log = ''; $r.innerHTML = '<button id="one">One $#</button><input aria-label="Two $#">'; for (const t of ['focusin', 'focusout']) $r.addEventListener(t, e => { $log += t[5] + e.target.tagName[0] }); document.getElementById('$h').addEventListener('focus', () => { $log += '!' })
do: document.getElementById('$h').focus()
do: document.getElementById('$h').blur(); $r.activeElement?.blur()
do: $r.querySelector('button').disabled = !$r.querySelector('button').disabled
show: $log

# shadow-scroll
html: <div id="$h"></div>
js: let $n = 0; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<div id="box" style="height:30px;overflow:auto"><p style="height:300px">tall</p><button>Low $#</button></div>'; $r.getElementById('box').addEventListener('scroll', () => { $n++ }); $r.querySelector('button').onclick = () => { $n += 100 }
do: $r.getElementById('box').scrollTop += 40
do: $r.getElementById('box').scrollTop = 0
show: $n + ' ' + $r.getElementById('box').scrollTop

# shadow-details-and-dialog
html: <div id="$h"></div>
js: let $log = ''; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<details><summary>More $#</summary>text</details><dialog>Sure? <button>Yes $#</button></dialog><div popover>pop</div>'; const $d = $r.querySelector('dialog'); $d.querySelector('button').onclick = () => $d.close('yes'); for (const t of ['toggle', 'close', 'beforetoggle']) $r.addEventListener(t, e => { $log += t[0] + e.target.tagName[1] }, true)
do: $d.open || $d.showModal()
do: $d.open || $d.show()
do: $r.querySelector('details').open = !$r.querySelector('details').open
do: $r.querySelector('[popover]').togglePopover()
key: Escape
show: $log + $d.returnValue + $d.open

# shadow-image
html: <div id="$h"></div>
js: let $n = 0; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<img alt="p" width="9" height="9">'; $r.querySelector('img').onload = () => { $n++ }; $r.querySelector('img').onerror = () => { $n += 10 }
do: $r.querySelector('img').src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="«3|4»" height="3"/>'
do: $r.querySelector('img').removeAttribute('src')
do: $r.querySelector('img').src = '/none.png'
show: $n

# shadow-animation
html: <div id="$h"></div>
css: @keyframes $k { to { opacity: .5 } }
js: let $n = 0; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<style>p { transition: opacity 90ms } .x { opacity: .3 } @keyframes k { to { color: red } } .y { animation: k 80ms }</style><p>moves</p>'; const $p = $r.querySelector('p'); for (const t of ['transitionend', 'transitionrun', 'animationend']) $p.addEventListener(t, () => { $n++ })
do: $p.classList.toggle('x')
do: $p.classList.toggle('y')
do: $p.animate([{ opacity: 0 }, { opacity: 1 }], «100|2000»).onfinish = () => { $n += 50 }
show: $n

# shadow-observed
html: <div id="$h"></div>
js: let $n = 0; const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<p style="width:40px">a</p>'; new MutationObserver(all => { $n += all.length }).observe($r, { subtree: true, childList: true, attributes: true, characterData: true }); new ResizeObserver(all => { $n += 100 * all.length }).observe($r.firstChild); new IntersectionObserver(all => { $n += 1000 * all.length }).observe($r.firstChild)
do: $r.firstChild.style.width = '«50|60|70»px'
do: $r.append('t')
do: $r.firstChild.firstChild.data += 'b'
show: $n

# shadow-sheets
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<p>styled</p>'; const $s = new CSSStyleSheet(), $t = new CSSStyleSheet(); $s.replaceSync('p { width: 30px }'); $r.adoptedStyleSheets = [$s]
do: $s.replaceSync('p { width: «40|50|60»px } b { color: red }')
do: $s.insertRule('p { height: «20|30»px }', $s.cssRules.length)
do: if ($s.cssRules.length) $s.deleteRule(0)
do: $r.adoptedStyleSheets = $r.adoptedStyleSheets.length > 1 ? [] : [...$r.adoptedStyleSheets, $t]; $t.replaceSync('p { margin-left: 7px }')
do: $r.adoptedStyleSheets.push($t)
do: document.adoptedStyleSheets = [$t]
show: getComputedStyle($r.firstChild).width + getComputedStyle($r.firstChild).marginLeft + $r.adoptedStyleSheets.length + $s.cssRules.length + document.adoptedStyleSheets.length

# shadow-sheet-made-later
js: let $list = []
do: { const s = new CSSStyleSheet(); s.replaceSync('.x$# { width: ' + $list.length + 'px }'); $list.push(s); document.adoptedStyleSheets.push(s) }
do: document.adoptedStyleSheets = document.adoptedStyleSheets.filter(s => s !== $list[0])
do: $list[0]?.insertRule('.y { top: 0 }')
do: $list = []
show: $list.map(s => [...s.cssRules].map(r => r.cssText).join()).join(';') + document.adoptedStyleSheets.length

# shadow-style-element
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<style>p { width: 30px }</style><p>styled</p>'; const $s = $r.querySelector('style')
do: $s.sheet.insertRule('p { width: «40|50»px }', 1)
do: $s.textContent = 'p { width: «60|70»px }'
do: $s.isConnected ? $s.remove() : $r.prepend($s)
show: getComputedStyle($r.querySelector('p')).width

# shadow-nested
html: <div id="$h"><em>light</em></div>
js: let $log = ''; const $a = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $a.innerHTML = '<section><slot></slot></section>'; const $b = $a.firstChild.attachShadow({ mode: '«open|closed»' }); $b.innerHTML = '<label>Deep $# <input></label><button>Deep go $#</button><slot></slot>'; $b.querySelector('button').addEventListener('click', e => { $log += e.composedPath().length; e.target.dispatchEvent(new CustomEvent('own', { bubbles: true, composed: «true|false» })) }); addEventListener('own', e => { $log += 'w' + e.target.id }); $b.addEventListener('own', () => { $log += 'b' })
do: $a.firstChild.remove(); $a.append($b.host)
do: $b.querySelector('input').value = $log
do: document.getElementById('$h').append('more')
show: $log + $b.querySelector('input').value

# shadow-expando
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: 'open' }); $r.count = 0; $r.innerHTML = '<i></i>'; $r.firstChild.own = { n: 0 }
do: $r.count++
do: $r.firstChild.own.n++
do: $r.addEventListener('click', () => { $r.count += 10 })
do: $r.firstChild.click()
show: $r.count + ' ' + $r.firstChild.own.n

# shadow-selection
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<p>some words to select</p><p>and more of them</p>'
do: getSelection().setBaseAndExtent($r.firstChild.firstChild, 2, $r.lastChild.firstChild, 4)
do: getSelection().setBaseAndExtent($r.firstChild.firstChild, 7, $r.firstChild.firstChild, 1)
do: getSelection().modify('extend', 'forward', 'character')
do: getSelection().removeAllRanges()
show: String(getSelection()) + getSelection().direction

# selection-in-a-field-that-was-left
html: <p id="$p">words <input id="$i" aria-label="Field $#" value="abcdef"> and <label><input type="checkbox" id="$c"> Box $#</label><input type="number" id="$n" aria-label="Count $#" value="123"></p>
do: $i.focus(); $i.setSelectionRange(1, 4, '«forward|backward»'); $c.focus()
do: $i.focus(); $i.blur()
do: $i.setSelectionRange(2, 3)
do: $n.focus(); $n.select(); $n.blur()
do: $i.disabled = !$i.disabled
show: (s => [s.type, s, s.direction, s.anchorNode?.nodeName, s.anchorOffset, s.focusOffset])(getSelection())

# shadow-selection-in-a-field-that-was-left
html: <div id="$h"></div>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<p>some words</p><form><input aria-label="Field $#" value="abcdef"><textarea aria-label="Area $#">area</textarea></form><button>Leave $#</button>'; const [$i, $t, $b] = $r.querySelectorAll('input, textarea, button')
do: $i.focus(); $i.setSelectionRange(1, 4, '«forward|backward»'); $b.focus()
do: $t.focus(); $t.select(); $t.blur()
do: $i.remove(); $r.firstChild.after($i)
do: getSelection().selectAllChildren($r.firstChild)
do: getSelection().modify('«extend|move»', 'forward', 'character')
show: (s => [s.type, s, s.direction, s.anchorNode?.nodeName, s.anchorOffset, s.focusNode?.nodeName, s.focusOffset])(getSelection())

# element-lifecycle
html: <div id="$a"></div><div id="$b"></div>
js: let $log = ''; customElements.define('x-life-$#', class extends HTMLElement { static observedAttributes = ['of']; constructor() { super(); $log += 'n' } connectedCallback() { $log += 'c' } disconnectedCallback() { $log += 'd' } attributeChangedCallback(n, a, b) { $log += 'a' + b } adoptedCallback() { $log += 'o' } }); const $make = () => document.getElementById('$a').appendChild(document.createElement('x-life-$#'))
do: $make().textContent = 'made'
do: $make().setAttribute('of', '«1|2»')
do: { const e = document.querySelector('x-life-$#'); if (e) (e.parentNode.id === '$a' ? document.getElementById('$b') : document.getElementById('$a')).append(e) }
do: document.querySelector('x-life-$#')?.remove()
do: { const t = document.createElement('template'); const e = document.querySelector('x-life-$#'); if (e) { t.content.append(e); document.body.append(e) } }
do: document.getElementById('$b').innerHTML = '<x-life-$# of="9"></x-life-$#>'
show: $log

# element-private
html: <x-private-$#></x-private-$#>
js: customElements.define('x-private-$#', class extends HTMLElement { #n = 0; add() { this.#n++; this.title = this.#n > 3 } get n() { return this.#n } })
do: document.querySelector('x-private-$#').add()
do: document.querySelector('x-private-$#').replaceWith(document.createElement('x-private-$#'))
show: document.querySelector('x-private-$#').n

# element-static-alone
js: customElements.define('x-alone-$#', class extends HTMLElement { static made = 0; constructor() { super(); this.constructor.made++ } })
do: document.createElement('x-alone-$#')
do: customElements.get('x-alone-$#').own = [1]
show: customElements.get('x-alone-$#').made + String(customElements.get('x-alone-$#').own)

# element-defined-later
html: <x-late-$#>late</x-late-$#>
js: let $n = 0; customElements.whenDefined('x-late-$#').then(() => { $n += 100 })
do: customElements.get('x-late-$#') ?? customElements.define('x-late-$#', class extends HTMLElement { connectedCallback() { $n++; this.append('!') } })
do: document.body.append(document.createElement('x-late-$#'))
show: $n + document.querySelector('x-late-$#').textContent

# element-waits
js: let $n = 0
do: customElements.whenDefined('x-wait-$#').then(() => { $n++ })
do: customElements.get('x-wait-$#') ?? customElements.define('x-wait-$#', class extends HTMLElement {})
show: $n

# element-upgraded
js: customElements.define('x-up-$#', class extends HTMLElement { constructor() { super(); this.n = 1 } }); const $t = document.createElement('template'); $t.innerHTML = '<x-up-$#>a</x-up-$#>'; let $part = $t.content.cloneNode(true)
do: document.body.append($part)
do: $part = $t.content.cloneNode(true)
do: customElements.upgrade($part)
do: document.body.append(document.importNode($t.content, true))
show: ($part.firstChild?.n ?? 'none') + ' ' + document.querySelectorAll('x-up-$#').length + [...document.querySelectorAll('x-up-$#')].map(e => e.n)

# element-failing
js: let $ok = false; customElements.define('x-fail-$#', class extends HTMLElement { constructor() { super(); if (!$ok) throw new Error('no'); this.n = 1 } })
do: document.body.insertAdjacentHTML('beforeend', '<x-fail-$#>f</x-fail-$#>')
do: $ok = !$ok
do: document.querySelector('x-fail-$#')?.remove()
show: [...document.querySelectorAll('x-fail-$#')].map(e => e.n).join()

# element-with-shadow
html: <x-card-$#><b>slotted</b></x-card-$#>
js: class $Card extends HTMLElement { #root = this.attachShadow({ mode: '«open|closed»' }); #n = 0; static get observedAttributes() { return ['n'] } connectedCallback() { this.#draw() } attributeChangedCallback() { this.#n += 10; this.#draw() } #draw() { this.#root.innerHTML = '<button>Card $# ' + this.#n + '</button><slot></slot>'; this.#root.firstChild.onclick = () => { this.#n++; this.#draw(); this.dispatchEvent(new CustomEvent('n', { bubbles: true, detail: this.#n })) } } get n() { return this.#n } }; customElements.define('x-card-$#', $Card); let $heard = 0; addEventListener('n', e => { $heard += e.detail })
do: document.querySelector('x-card-$#').setAttribute('n', '«1|2»')
do: document.querySelector('x-card-$#').after(new $Card())
do: { const all = document.querySelectorAll('x-card-$#'); all[0].parentNode.append(all[0]) }
show: [...document.querySelectorAll('x-card-$#')].map(e => e.n).join() + ' ' + $heard

# element-inherits
js: class $Base extends HTMLElement { connectedCallback() { this.seen = (this.seen ?? 0) + 1; this.update?.() } }; class $One extends $Base { update() { this.textContent = 'one ' + this.seen } disconnectedCallback() { this.left = true } }; class $Two extends $Base { connectedCallback() { super.connectedCallback(); this.textContent = 'two ' + this.seen } }; customElements.define('x-one-$#', $One); customElements.define('x-two-$#', $Two)
do: document.body.append(new $One(), new $Two())
do: $Base.prototype.update = function () { this.textContent += '?' }
do: { const e = document.querySelector('x-one-$#'); if (e) document.body.prepend(e) }
do: document.querySelector('x-two-$#')?.remove()
show: [...document.querySelectorAll('x-one-$#, x-two-$#')].map(e => e.textContent + e.left).join()

# element-internals
js: customElements.define('x-int-$#', class extends HTMLElement { i = this.attachInternals() })
html: <x-int-$#>i</x-int-$#>
do: document.querySelector('x-int-$#').i.states.add('«a|b»')
show: [...document.querySelector('x-int-$#').i.states].join()

# element-of-forms
js: customElements.define('x-form-$#', class extends HTMLElement { static formAssociated = true; n = 0; formResetCallback() { this.n++ } })
html: <form id="$f"><x-form-$#></x-form-$#><input name="q"></form>
do: document.getElementById('$f').reset()
do: document.getElementById('$f').append(document.querySelector('x-form-$#'))
show: document.querySelector('x-form-$#').n

# element-built-in
js: customElements.define('x-built-$#', class extends HTMLButtonElement { connectedCallback() { this.n = (this.n ?? 0) + 1 } }, { extends: 'button' })
do: document.body.append(document.createElement('button', { is: 'x-built-$#' }))
show: [...document.querySelectorAll('button')].map(b => b.n ?? '').join('')

# tree-walker
html: <ul id="$l"><li>a<li>b<!--c--><li>d</ul>
js: const $w = document.createTreeWalker(document.getElementById('$l'), «1|5|129»); let $seen = ''
do: $seen += $w.nextNode()?.nodeName ?? '-'
do: $seen += $w.previousNode()?.nodeName ?? '-'
do: $w.currentNode = $w.root
do: document.getElementById('$l').firstChild?.remove()
show: $seen + $w.currentNode.nodeName
`,
);
