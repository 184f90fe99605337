import { readFeatures } from '../feature.ts';

/** What hears the mouse and the keys one event at a time. */
export const gestures = readFeatures(
  'gestures',
  String.raw`
# gesture-mouse-log
html: <button id="$b">Pad $#</button>
js: let $t = ''; for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick']) $b.addEventListener(type, ({ type: t, button, detail }) => { $t += t[0] + button + detail + ' ' })
do: $t += '|'
show: $t

# gesture-pointer-path
html: <button id="$b" style="touch-action: none">Path $#</button>
js: const $p = []; let $down = false; addEventListener('pointerdown', () => { $down = true }); addEventListener('pointerup', () => { $down = false }); addEventListener('pointermove', ({ clientX, clientY, buttons }) => { if ($down) $p.push([clientX, clientY, buttons].join()) })
do: $p.length = 0
show: $p.join(' ') + $down

# gesture-drag-and-drop
html: <button id="$a" draggable="true">Drag $#</button><button id="$z">Drop $#</button>
js: let $t = ''; $a.ondragstart = event => { event.dataTransfer.setData('text/plain', 'x$#'); $t += 's' }; $z.ondragover = event => { event.preventDefault(); $t += $t.endsWith('o') ? '' : 'o' }; $z.ondrop = event => { event.preventDefault(); $t += 'd' + event.dataTransfer.getData('text/plain') }; $a.ondragend = () => { $t += 'e' }
do: $t += '|'
show: $t

# gesture-drag-moves-box
html: <button id="$b" style="position: relative; left: 0">Box $#</button>
js: let $from = null; $b.onmousedown = ({ clientX }) => { $from = clientX - parseInt($b.style.left) }; onmousemove = ({ clientX }) => { if ($from !== null) $b.style.left = clientX - $from + 'px' }; addEventListener('mouseup', () => { $from = null })
do: $b.style.left = '«5|20»px'
show: $b.style.left + ($from === null)

# gesture-slider
html: <input type="range" aria-label="Slider $#" id="$r" min="0" max="«10|100»" value="3"><i id="$o">-</i>
js: let $n = 0; $r.oninput = () => { $n++; $o.textContent = $r.value }
do: $r.value = «1|7»
do: $r.max = 9
show: $r.value + '/' + $n

# gesture-select-text
html: <p id="$p">some words to select $#</p><button id="$b">Mark $#</button>
js: let $n = 0; document.addEventListener('selectionchange', () => { $n = String(getSelection()).length })
do: getSelection().selectAllChildren($p)
do: getSelection().removeAllRanges()
show: $n + String(getSelection())

# gesture-wheel
html: <div id="$d" tabindex="0" role="button" aria-label="Wheel $#" style="height: 40px; width: 120px; overflow: auto"><div style="height: 300px; width: 300px">inside</div></div>
js: let $t = 0; $d.addEventListener('wheel', ({ deltaX, deltaY }) => { $t += deltaY + deltaX }, { passive: true })
do: $d.scrollTop = «10|50»
do: $d.firstElementChild.style.height = '«60|500»px'
show: $t + '/' + Math.round($d.scrollTop) + '/' + Math.round($d.scrollLeft)

# gesture-wheel-refused
html: <div id="$d" tabindex="0" role="button" aria-label="Zoom $#" style="height: 40px; width: 120px">zoom</div><p style="height: 700px">tall</p>
js: let $z = 1; $d.addEventListener('wheel', event => { event.preventDefault(); $z *= event.deltaY > 0 ? 2 : 0.5 }, { passive: false })
do: $z = 1
show: $z + '/' + Math.round(scrollY)

# gesture-scroll-hears
html: <p style="height: «500|900»px">tall</p><b id="$e">end</b>
js: let $n = 0, $last = 0; addEventListener('scroll', () => { $n++; $last = Math.round(scrollY) }); addEventListener('scrollend', () => { $n += 100 })
do: scrollTo(0, «40|300»)
show: ($n > 0) + '/' + $last

# gesture-scroll-snap
html: <div id="$d" tabindex="0" role="button" aria-label="Snap $#" style="height: 50px; width: 120px; overflow: auto; scroll-snap-type: y mandatory"><div style="height: 45px; scroll-snap-align: start">1</div><div style="height: 45px; scroll-snap-align: start">2</div><div style="height: 45px; scroll-snap-align: start">3</div></div>
do: $d.scrollTop = 50
do: $d.lastElementChild.remove()
show: Math.round($d.scrollTop)

# gesture-sticky-and-fixed
html: <p id="$s" style="position: sticky; top: 0">sticky</p><p style="height: 800px">tall</p>
js: let $n = ''
do: $n = Math.round($s.getBoundingClientRect().top) + '/' + Math.round(scrollY)
show: $n

# gesture-typed-log
html: <input aria-label="Typed $#" id="$i">
js: let $t = ''; for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'change']) $i.addEventListener(type, ({ type: t, key = '', data = '' }) => { $t += t[0] + (key || data || '') })
do: $i.focus()
do: $t += '|'
show: $t + '/' + $i.value

# gesture-typed-in-editor
html: <div contenteditable id="$d" role="textbox" aria-label="Editor $#">one <b>two</b></div>
js: let $n = 0; $d.oninput = ({ inputType }) => { $n += inputType.length }
do: $d.focus()
do: $d.querySelector('b')?.remove()
show: $n + $d.innerHTML

# gesture-typed-lines
html: <textarea aria-label="Lines $#" id="$a" rows="2" cols="12">one
  two</textarea>
do: $a.focus()
do: $a.setSelectionRange(«0|2|5», «2|5|7»)
show: JSON.stringify($a.value) + $a.selectionStart + '/' + $a.selectionEnd + $a.selectionDirection

# gesture-typeahead
html: <ul id="$u" tabindex="0" role="listbox" aria-label="Ahead $#"><li>ant</li><li>bee</li><li>cat</li></ul>
js: let $q = '', $at = -1, $timer; $u.onkeydown = ({ key }) => { clearTimeout($timer); $q += key; $at = [...$u.children].findIndex(({ textContent }) => textContent.startsWith($q)); $timer = setTimeout(() => { $q = '' }, «100|700») }
do: $u.focus()
show: $q + $at

# gesture-outside-closes
html: <button id="$b">Menu $#</button><ul id="$m" hidden><li><button>Item $#</button></li></ul>
js: $b.onclick = event => { event.stopPropagation(); $m.hidden = !$m.hidden }; document.addEventListener('click', () => { $m.hidden = true })
do: $m.hidden = false
show: $m.hidden

# gesture-own-menu
html: <button id="$b">Right $#</button><i id="$o"></i>
js: $b.oncontextmenu = event => { event.preventDefault(); $o.textContent = 'menu ' + event.button }
do: $o.textContent = ''
show: $o.textContent

# gesture-double-renames
html: <button id="$b">Name $#</button>
js: $b.ondblclick = () => { $b.hidden = true; const i = document.createElement('input'); i.ariaLabel = 'Rename $#'; i.value = 'Name $#'; $b.after(i); i.select(); i.onblur = () => { $b.textContent = i.value || 'Name $#'; i.remove(); $b.hidden = false } }
do: $b.click()
show: $b.textContent + $b.hidden

# gesture-textarea-resized
html: <textarea aria-label="Size $#" id="$a" style="width: 100px; height: 40px">x</textarea>
js: let $n = 0; new ResizeObserver(([{ contentRect }]) => { $n = Math.round(contentRect.width) }).observe($a)
do: $a.style.width = '«80|130»px'
show: $n

# gesture-capture-slider
html: <div id="$d" role="slider" tabindex="0" aria-label="Own slider $#" style="width: 100px; height: 14px; background: #ddd"></div>
js: let $v = 0; $d.onpointerdown = event => { $d.setPointerCapture(event.pointerId) }; $d.onpointermove = event => { if ($d.hasPointerCapture(event.pointerId)) $v = Math.round(event.offsetX) }; $d.onlostpointercapture = () => { $d.title = String($v) }
do: $v = 0
show: $v + $d.title

# gesture-hover-menu
html: <div id="$d"><button>Over $#</button><span id="$m">open</span></div>
css: #$m { display: none } #$d:hover #$m { display: inline }
js: let $n = 0; $d.onmouseenter = () => { $n++ }; $d.onmouseleave = () => { $n += 10 }
do: $n = 0
show: $n + getComputedStyle($m).display
`,
);
