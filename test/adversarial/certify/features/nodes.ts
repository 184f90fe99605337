import { readFeatures } from '../feature.ts';

/** The document: nodes, trees out of it, ranges, shadows, frames, elements of its own, members of nodes. */
export const nodes = readFeatures(
  'nodes',
  String.raw`
# node-members
html: <b id="$e">b</b>
do: $e.tag = ($e.tag ?? 0) + 1
do: $e.firstChild.note = $e.tag
show: $e.tag + '/' + $e.firstChild.note

# node-member-cycle
html: <b id="$e">b</b>
js: $e.model = { el: $e, n: 0 }
do: $e.model.n++
do: $e.model = { el: $e, n: 50 }
show: $e.model.n + String($e.model.el === $e)

# attributes-beyond-names
html: <p id="$p">$t</p>
js: let $n = 0; const $write = () => { $p.setAttributeNS(null, 'Size$#', ++$n); $p.setAttributeNS('urn:$#', 'kind', $n); $p.setAttribute('kind', -$n) }; $write()
do: $write()
do: $p.removeAttributeNS('urn:$#', 'kind'); $p.removeAttributeNS(null, 'Size$#')
show: [...$p.attributes].map(a => [a.namespaceURI, a.name, a.value].join(' ')).join(';')

# attribute-node-members
html: <b id="$e" title="t">b</b>
js: const $a = $e.getAttributeNode('title')
do: $a.tag = ($a.tag ?? 0) + 1
do: $a.value += '!'
do: $e.removeAttributeNode($e.getAttributeNode('title') ?? $e.setAttributeNode($a) ?? $a)
show: $a.tag + $e.title + ($a.ownerElement === $e)

# style-declaration-members
html: <b id="$e" style="color: red">b</b>
do: $e.style.tag = ($e.style.tag ?? 0) + 1
do: $e.style.color = 'blue'
show: $e.style.tag + $e.style.color

# node-list-members
html: <ul id="$l"><li>1<li>2</ul>
js: const $live = $l.childNodes, $still = $l.querySelectorAll('li')
do: $live.tag = ($live.tag ?? 0) + 1
do: $l.append(document.createElement('li'))
show: $live.length + '/' + $still.length + '/' + $live.tag

# html-collection-live
html: <div id="$d"><i>1</i></div>
js: const $all = $d.getElementsByTagName('i')
do: $d.append(document.createElement('i')); $all.tag = $all.length
show: $all.length + '/' + $all.tag

# class-list-and-dataset
html: <b id="$e" class="x">b</b>
js: const $c = $e.classList, $d = $e.dataset
do: $c.toggle('on'); $d.count = ($d.count ?? 0) + '1'
do: $c.tag = 'kept'
show: $c.value + $d.count + $c.tag

# detached-tree
js: const $t = document.createElement('div'); $t.innerHTML = '<i>1</i>'
do: $t.append('x'); $t.firstChild.textContent += '2'
show: $t.innerHTML

# detached-tree-attached-later
html: <div id="$d"></div>
js: const $t = document.createElement('em'); $t.textContent = 'new'; let $n = 0; $t.onclick = () => { $n++ }
do: $t.isConnected ? $t.remove() : $d.append($t)
do: $t.textContent += '!'; $t.click()
show: $t.textContent + $n

# node-removed-and-kept
html: <div id="$d"><b id="$e">b</b></div>
js: const $held = $e
do: $held.remove()
do: $held.textContent += '+'; $d.append($held)
show: $held.textContent + $held.isConnected

# fragment
js: const $f = document.createDocumentFragment(); $f.append('a')
do: $f.append(document.createElement('i'))
show: $f.childNodes.length

# template-content
html: <template id="$t"><i>one</i></template><div id="$d"></div>
do: $t.content.firstChild.textContent += '!'
do: $d.append($t.content.cloneNode(true))
show: $t.innerHTML

# parsed-document
js: const $doc = new DOMParser().parseFromString('<p>one</p>', 'text/html')
do: $doc.body.append('x'); $doc.title = 'T' + $doc.body.childNodes.length
show: $doc.body.innerHTML + $doc.title

# created-document
js: const $doc = document.implementation.createHTMLDocument('a'); let $n = 0; $doc.addEventListener('x', () => { $n++ })
do: $doc.body.innerHTML += '<i></i>'; $doc.dispatchEvent(new Event('x'))
show: $doc.body.children.length + '/' + $n

# xml-document
js: const $doc = new DOMParser().parseFromString('<a><b/></a>', 'text/xml')
do: $doc.documentElement.append($doc.createElement('c'))
show: new XMLSerializer().serializeToString($doc)

# node-adopted
html: <i id="$e">i</i>
js: const $doc = document.implementation.createHTMLDocument('a'); const $n = document.createElement('b')
do: $doc.body.append($n)
do: document.adoptNode($n)
show: ($n.ownerDocument === document) + '' + $doc.body.children.length

# range
html: <p id="$p">hello <b>big</b> world</p>
js: const $r = document.createRange(); $r.setStart($p.firstChild, 1)
do: $r.setEnd($p.lastChild, 3)
do: $p.firstChild.data = 'X' + $p.firstChild.data
do: $r.deleteContents()
show: String($r) + $r.startOffset + $p.textContent

# range-with-member
js: const $r = new Range()
do: $r.tag = ($r.tag ?? 0) + 1; $r.selectNode(document.body)
show: $r.tag + $r.startContainer.nodeName

# selection
html: <p id="$p">select <b>some</b> text</p>
do: getSelection().setBaseAndExtent($p.firstChild, 2, $p.lastChild, 3)
do: getSelection().extend($p.firstChild, 0)
do: getSelection().removeAllRanges()
show: String(getSelection()) + getSelection().direction

# selection-range-held
html: <p id="$p">abcdef</p>
js: let $r = null; let $n = 0; document.addEventListener('selectionchange', () => { $n++ })
do: getSelection().collapse($p.firstChild, 2); $r = getSelection().getRangeAt(0)
do: $r?.setEnd($p.firstChild, 5)
show: String(getSelection()) + '/' + $n

# tree-walker
html: <div id="$d"><i>1</i><b>2<u>3</u></b></div>
js: const $w = document.createTreeWalker($d, NodeFilter.SHOW_ELEMENT)
do: $w.nextNode()
show: $w.currentNode.nodeName

# node-iterator
html: <div id="$d"><i>1</i><b>2</b><u>3</u></div>
js: const $w = document.createNodeIterator($d, NodeFilter.SHOW_ELEMENT)
do: $w.nextNode()
do: $d.lastChild?.remove()
show: $w.referenceNode.nodeName + $w.pointerBeforeReferenceNode

# xpath-result
html: <div id="$d"><i>1</i><i>2</i><i>3</i></div>
js: const $x = document.evaluate('.//i', $d, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE); let $at = 0
do: $at++
show: $x.snapshotItem($at)?.textContent

# xpath-iterator
html: <div id="$d"><i>1</i><i>2</i><i>3</i></div>
js: const $doc = new DOMParser().parseFromString('<i>1</i><i>2</i><i>3</i>', 'text/html'), $x = $doc.evaluate('//i', $doc, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE); let $last
do: $last = $x.iterateNext()?.textContent
show: $last

# shadow-root-open
html: <div id="$h"></div>
js: const $s = $h.attachShadow({ mode: 'open' }); $s.innerHTML = '<style>b { color: red }</style><b>in</b><slot></slot>'; let $n = 0; $s.querySelector('b').onclick = () => { $n++ }
do: $s.querySelector('b').textContent += '!'; $s.querySelector('b').click()
do: $h.append('slotted')
show: $s.querySelector('b').textContent + $n

# shadow-root-closed
html: <div id="$h"></div>
js: const $s = $h.attachShadow({ mode: 'closed' }); $s.innerHTML = '<b>0</b>'
do: $s.firstChild.textContent = +$s.firstChild.textContent + 1
show: $s.firstChild.textContent

# shadow-root-later
html: <div id="$h">light</div>
do: if (!$h.shadowRoot) $h.attachShadow({ mode: 'open' }).innerHTML = '<i>dark</i>'
do: $h.shadowRoot?.append('+')
show: $h.shadowRoot?.textContent

# shadow-root-declarative
html: <div id="$h"><template shadowrootmode="open"><input aria-label="Shadow $#"><b>s</b></template></div>
do: $h.shadowRoot.querySelector('b').textContent += 's'
do: $h.shadowRoot.querySelector('input').value += 'v'
show: $h.shadowRoot.querySelector('b').textContent + $h.shadowRoot.querySelector('input').value

# shadow-scroll
html: <div id="$h"></div>
js: const $s = $h.attachShadow({ mode: 'open' }); $s.innerHTML = '<div id="box" style="height:30px;overflow:auto"><div style="height:300px">tall</div></div>'; const $box = $s.getElementById('box')
do: $box.scrollTop += 20
show: $box.scrollTop

# slot-assigned-by-hand
html: <div id="$h"><i>1</i><i>2</i></div>
js: const $s = $h.attachShadow({ mode: 'open', slotAssignment: 'manual' }); $s.innerHTML = '<slot></slot>'; const $slot = $s.firstChild
do: $slot.assign($h.children[0])
do: $slot.assign($h.children[1])
show: $slot.assignedElements().map(e => e.textContent)

# custom-element
js: let $log = ''; customElements.define('x-own-$#', class extends HTMLElement { static observedAttributes = ['n']; #p = 0; connectedCallback() { $log += 'c' } disconnectedCallback() { $log += 'd' } attributeChangedCallback() { $log += 'a'; this.#p++ } get p() { return this.#p } })
html: <div id="$d"><x-own-$# id="$x">own</x-own-$#></div>
js: const $el = $x
do: $el.setAttribute('n', $el.p)
do: $el.isConnected ? $el.remove() : $d.append($el)
show: $log + $el.p

# custom-element-defined-later
html: <x-late-$# id="$x">late</x-late-$#>
css: x-late-$#:not(:defined) { margin-left: 40px }
do: customElements.get('x-late-$#') ?? customElements.define('x-late-$#', class extends HTMLElement { n = 5 })
do: $x.n = ($x.n ?? 0) + 1
show: $x.n + ($x.constructor === HTMLElement)

# customized-built-in
html: <button is="x-press-$#" id="$x">Own $#</button>
js: customElements.define('x-press-$#', class extends HTMLButtonElement { #n = 0; constructor() { super(); this.addEventListener('click', () => { this.#n++ }) } get n() { return this.#n } }, { extends: 'button' })
do: $x.click()
show: $x.n

# element-from-cloned-node
html: <div id="$d"><b>1</b></div>
do: $d.append($d.firstChild.cloneNode(true)); $d.lastChild.textContent = $d.children.length
show: $d.textContent

# frame-srcdoc
html: <iframe id="$f" srcdoc="<p id=p>0</p>" width="80" height="30"></iframe>
do: { const p = $f.contentDocument.getElementById('p'); if (p) p.textContent = +p.textContent + 1 }
show: $f.contentDocument.body.textContent

# frame-blank-with-script-state
html: <iframe id="$f" width="80" height="30"></iframe>
js: $f.contentWindow.n = 0
do: $f.contentWindow.n++
do: $f.contentWindow.eval('var inner = (globalThis.inner ?? 0) + 1')
show: $f.contentWindow.n + '/' + $f.contentWindow.inner

# frame-intrinsics
html: <iframe id="$f" width="80" height="30"></iframe>
js: const $a = new $f.contentWindow.Array(1, 2), $m = new $f.contentWindow.Map()
do: $a.push(3); $m.set($m.size, 1)
show: $a.join() + $m.size + ($a instanceof Array)

# frame-own-document
html: <iframe id="$f" src="/inner" width="120" height="40"></iframe>
do: $f.contentWindow.up?.()
do: $f.contentDocument.body.append('!')
do: $f.contentWindow.location.reload()
show: $f.contentDocument.body?.textContent + $f.contentWindow.get?.()

# frame-removed
html: <div id="$d"><iframe id="$f" srcdoc="x" width="80" height="30"></iframe></div>
js: const $held = $f
do: $held.isConnected ? $held.remove() : $d.append($held)
show: $held.contentDocument === null

# frame-added-later
html: <div id="$d"></div>
js: let $n = 0
do: { const f = document.createElement('iframe'); f.width = 50; f.height = 20; f.onload = () => { $n++ }; f.srcdoc = 'in'; $d.append(f) }
show: $n + '/' + $d.children.length

# document-members
js: document.$x = 0
do: document.$x++
do: document.body.$y = document.$x
show: document.$x + '/' + document.body.$y

# document-title-and-lang
do: document.title += '!'
do: document.documentElement.lang = 'de'; document.dir = 'rtl'
do: document.dir = ''
show: document.title + document.documentElement.lang

# comments-and-text-nodes
html: <div id="$d">a<!--c-->b</div>
do: $d.firstChild.splitText(0)
do: $d.normalize(); $d.append(document.createComment('x'), 'y')
show: $d.childNodes.length

# adjacent-text-nodes
html: <div id="$d">ab</div>
do: $d.append('cd')
do: $d.lastChild.data = ''
show: [...$d.childNodes].map(node => node.data.length)

# inner-html-rewritten
html: <div id="$d"><b>1</b></div>
js: let $first = $d.firstChild
do: $d.innerHTML = '<b>' + ($d.textContent + 1) + '</b>'
do: $first.textContent += 'old'
show: $d.textContent + $first.textContent + ($first === $d.firstChild)

# svg-elements
html: <svg id="$s" width="60" height="20"><rect id="$r" width="10" height="10"/></svg>
do: $r.width.baseVal.value += 5
do: $s.append(document.createElementNS('http://www.w3.org/2000/svg', 'circle'))
show: $r.width.baseVal.value + '/' + $s.childElementCount

# svg-transform-list
html: <svg width="60" height="20"><g id="$g"></g></svg>
js: const $l = $g.transform.baseVal; const $t = $g.ownerSVGElement.createSVGTransform()
do: $t.setTranslate(3, 4); $l.appendItem($t)
show: $l.numberOfItems + ($g.getAttribute('transform') ?? '')

# table-api
html: <table id="$t"><tr><td>1</table>
do: $t.insertRow().insertCell().textContent = $t.rows.length
do: $t.deleteRow(0)
show: $t.rows.length + $t.textContent

# details
html: <details id="$d" name="$g"><summary>Sum $#</summary>inside</details>
js: let $n = 0; $d.addEventListener('toggle', () => { $n++ })
do: $d.open = !$d.open
show: $n + String($d.open)

# dialog
html: <dialog id="$d"><button id="$b">Close $#</button></dialog>
js: let $n = 0; $d.addEventListener('close', () => { $n++ }); $b.onclick = () => $d.close('by button')
do: $d.open || $d.show()
do: $d.close('x' + $n)
show: $n + $d.returnValue + $d.open

# dialog-modal
html: <dialog id="$d"><button id="$b">Close $#</button></dialog>
js: $b.onclick = () => $d.close('b')
do: $d.open || $d.showModal()
show: $d.matches(':modal') + $d.returnValue

# dialog-returns-focus
html: <dialog id="$d"><button id="$b">Close $#</button></dialog><input id="$i" aria-label="Other $#">
js: let $f = ''; $b.onclick = () => { $d.close(); $f = document.activeElement?.id ?? 'none' }
do: $d.open || $d.«showModal|show»()
do: if (!$d.open) { $i.focus(); $d.«showModal|show»() }
show: $f

# dialog-by-command
html: <button commandfor="$d" command="show-modal">Ask $#</button><dialog id="$d"><button commandfor="$d" command="close">Close $#</button></dialog>
js: let $f = ''; $d.addEventListener('close', () => { $f += document.activeElement?.textContent?.trim() + ';' })
do: $f = ''
show: $f + $d.open

# popover-returns-focus
html: <button popovertarget="$p">More $#</button><div id="$p" popover><input id="$i" autofocus aria-label="Inside $#"><button id="$b">Close $#</button></div>
js: let $f = ''; $b.onclick = () => { $p.hidePopover(); $f = document.activeElement?.textContent?.trim() ?? 'none' }
do: $p.matches(':popover-open') || $p.showPopover()
show: $f

# popover
html: <div id="$p" popover="«auto|manual»">pop</div>
css: #$p:popover-open { color: red }
js: let $n = 0; $p.addEventListener('toggle', () => { $n++ })
do: $p.togglePopover()
show: $p.matches(':popover-open') + '/' + $n

# pointer-events-counted
html: <b id="$e" style="display:inline-block;width:40px">hover</b><button id="$b">Over $#</button>
js: let $log = ''; for (const kind of ['mouseenter', 'mouseleave', 'pointerdown']) $b.addEventListener(kind, () => { $log += kind[5] })
do: $log += '.'
show: $log

# hover-style
html: <button id="$b">Over $#</button><i id="$i">i</i>
css: #$b:hover + i { margin-left: 25px }
do: $b.textContent = $b.textContent + '.'
show: $b.matches(':hover')

# drag-data
js: const $t = new DataTransfer(); $t.setData('text/plain', 'a')
do: $t.setData('text/plain', $t.getData('text/plain') + 'b')
show: $t.getData('text/plain')

# named-access-on-window
html: <i id="$named">i</i>
do: globalThis.$named.textContent += '!'
do: $named.id = 'other$#'
show: typeof $named
`,
);
