import { readFeatures } from '../feature.ts';

/** What a page looks like: style sheets, animations, scroll positions, pictures, pseudo-classes. */
export const looks = readFeatures(
  'looks',
  String.raw`
# sheet-insert-rule
html: <style id="$s">.$c { margin-left: 1px }</style><i id="$i" class="$c">i</i>
do: $s.sheet.insertRule('.$c { margin-left: ' + 10 * ($s.sheet.cssRules.length + 1) + 'px }', $s.sheet.cssRules.length)
do: $s.sheet.cssRules.length > 0 && $s.sheet.deleteRule(0)
show: $s.sheet.cssRules.length + getComputedStyle($i).marginLeft

# sheet-rule-style
html: <style id="$s">.$c { margin-left: 1px }</style><i id="$i" class="$c">i</i>
js: const $rule = $s.sheet.cssRules[0]
do: $rule.style.marginLeft = parseInt($rule.style.marginLeft) * 3 + 'px'
do: $rule.selectorText = $rule.selectorText === '.none' ? '.$c' : '.none'
show: getComputedStyle($i).marginLeft

# sheet-disabled
html: <style id="$s">.$c { display: none }</style><b id="$b" class="$c">hidden</b>
do: $s.sheet.disabled = !$s.sheet.disabled
show: $b.checkVisibility()

# sheet-media-changed
html: <style id="$s">.$c { margin-left: 33px }</style><b id="$b" class="$c">b</b>
do: $s.sheet.media.mediaText = $s.sheet.media.mediaText === 'print' ? 'all' : 'print'
do: $s.media = 'print'
show: getComputedStyle($b).marginLeft

# sheet-text-replaced
html: <style id="$s">.$c { margin-left: 1px }</style><b id="$b" class="$c">b</b>
do: $s.textContent = '.$c { margin-left: ' + ($s.textContent.length % 7) + '7px }'
do: $s.append('.$c { padding-left: 5px }')
show: getComputedStyle($b).marginLeft + getComputedStyle($b).paddingLeft

# sheet-removed
html: <style id="$s">.$c { margin-left: 41px }</style><b id="$b" class="$c">b</b>
js: const $held = $s, $sheet = $s.sheet
do: $held.isConnected ? $held.remove() : document.head.append($held)
show: getComputedStyle($b).marginLeft + ($held.sheet === $sheet)

# sheet-adopted
html: <b id="$b" class="$c">b</b>
js: const $s = new CSSStyleSheet(); $s.replaceSync('.$c { margin-left: 5px }')
do: document.adoptedStyleSheets = document.adoptedStyleSheets.includes($s) ? [] : [...document.adoptedStyleSheets, $s]
do: $s.replaceSync('.$c { margin-left: 25px }')
do: $s.insertRule('.$c { padding-left: 7px }')
show: getComputedStyle($b).marginLeft + getComputedStyle($b).paddingLeft

# sheet-adopted-push
html: <b id="$b" class="$c">b</b>
js: const $s = new CSSStyleSheet({ disabled: false }); $s.replaceSync('.$c { margin-left: 15px }')
do: document.adoptedStyleSheets.push($s)
do: $s.disabled = !$s.disabled
show: document.adoptedStyleSheets.length + getComputedStyle($b).marginLeft

# sheet-in-shadow
html: <div id="$h"></div>
js: const $r = $h.attachShadow({ mode: 'open' }), $s = new CSSStyleSheet(); $r.innerHTML = '<b>b</b>'; $r.adoptedStyleSheets = [$s]
do: $s.insertRule('b { margin-left: ' + 9 * ($s.cssRules.length + 1) + 'px }', $s.cssRules.length)
show: getComputedStyle($r.firstChild).marginLeft

# sheet-member
html: <style id="$s">b { }</style>
do: $s.sheet.tag = ($s.sheet.tag ?? 0) + 1
show: $s.sheet.tag

# sheet-grouping-rule
html: <style id="$s">@media all { .$c { margin-left: 3px } }</style><b id="$b" class="$c">b</b>
do: $s.sheet.cssRules[0].insertRule('.$c { margin-left: 19px }', 1)
do: $s.sheet.cssRules[0].media.mediaText = 'print'
show: getComputedStyle($b).marginLeft

# sheet-font-face
js: const $f = new FontFace('f$#', 'local("Arial")')
do: document.fonts.add($f)
do: document.fonts.delete($f)
show: document.fonts.size

# custom-property-registered
html: <b id="$b">b</b>
js: let $n = 0
do: try { CSS.registerProperty({ name: '--$p', syntax: '<length>', inherits: false, initialValue: '3px' }) } catch { $n++ }
do: $b.style.setProperty('--$p', '7px')
show: getComputedStyle($b).getPropertyValue('--$p') + $n

# style-attribute-and-variables
html: <b id="$b" style="--w: 5px; margin-left: var(--w)">b</b>
do: $b.style.setProperty('--w', parseInt($b.style.getPropertyValue('--w')) * 2 + 'px')
do: $b.style.cssText += '; padding-left: 3px'
do: $b.attributeStyleMap.set('margin-top', CSS.px(4))
show: getComputedStyle($b).marginLeft + $b.style.length

# computed-style-live
html: <b id="$b" style="margin-left: 2px">b</b>
js: const $c = getComputedStyle($b)
do: $b.style.marginLeft = parseInt($c.marginLeft) + 6 + 'px'
show: $c.marginLeft

# animation-of-script
html: <b id="$b" style="display:inline-block">b</b>
js: let $a = null
do: $a = $b.animate([{ marginLeft: '0px' }, { marginLeft: '100px' }], { duration: 4000, fill: 'both' })
do: $a?.pause()
do: if ($a) $a.currentTime = 1000
show: getComputedStyle($b).marginLeft + $a?.playState

# animation-finished
html: <b id="$b" style="display:inline-block">b</b>
js: let $n = 0
do: $b.animate([{ opacity: 0 }, { opacity: 1 }], 200).onfinish = () => { $n++ }
show: $n + '/' + $b.getAnimations().length

# animation-filled-then-cancelled
html: <b id="$b" style="display:inline-block">b</b>
js: let $a = null
do: $a = $b.animate([{ marginLeft: '50px' }, { marginLeft: '70px' }], { duration: 100, fill: 'forwards' })
do: $a?.cancel()
show: getComputedStyle($b).marginLeft

# css-animation
html: <b id="$b" style="display:inline-block">b</b>
css: @keyframes $k { from { margin-left: 0 } to { margin-left: 60px } } .$on { animation: $k 300ms forwards }
js: let $n = 0; $b.addEventListener('animationend', () => { $n++ })
do: $b.classList.toggle('$on')
show: $n + getComputedStyle($b).marginLeft

# css-transition
html: <b id="$b" class="$t">b</b>
css: .$t { display: inline-block; transition: margin-left «200ms|1500ms» linear; margin-left: 0 } .$t.on { margin-left: 80px }
js: let $n = 0; $b.addEventListener('transitionend', () => { $n++ })
do: $b.classList.toggle('on')
show: $n + getComputedStyle($b).marginLeft

# view-transition
html: <b id="$b">b</b>
js: let $n = 0
do: document.startViewTransition ? document.startViewTransition(() => { $b.textContent += '!'; $n++ }) : $n++
show: $n + $b.textContent

# scroll-of-element
html: <div id="$s" style="height:30px;width:60px;overflow:auto"><div style="height:300px;width:300px">tall</div></div>
js: let $n = 0; $s.addEventListener('scroll', () => { $n++ })
do: $s.scrollTop += 25
do: $s.scrollTo(10, 0)
show: $s.scrollTop + ',' + $s.scrollLeft + '/' + $n

# scroll-nested
html: <div id="$o" style="height:60px;overflow:auto"><div id="$i" style="height:40px;overflow:auto"><div id="$t" style="height:200px">tall</div></div><div style="height:200px"></div></div>
do: $i.scrollTop += 15
do: $o.scrollTop += 30
do: $t.style.height = '20px'
show: $o.scrollTop + ',' + $i.scrollTop

# scroll-of-page
html: <div id="$t" style="height:900px;width:2px"></div>
js: let $n = 0; addEventListener('scroll', () => { $n++ })
do: scrollBy(0, 70)
do: $t.scrollIntoView({ block: 'end' })
show: scrollY + '/' + $n

# scroll-smooth
html: <div id="$s" style="height:30px;overflow:auto;scroll-behavior:smooth"><div style="height:500px">tall</div></div>
do: $s.scrollTo(0, 120)
show: $s.scrollTop

# scroll-in-field
html: <textarea id="$t" rows="2" aria-label="Area $#">a&#10;b&#10;c&#10;d&#10;e&#10;f</textarea>
do: $t.scrollTop += 20
show: $t.scrollTop

# scroll-snap
html: <div id="$s" style="height:40px;overflow:auto;scroll-snap-type:y mandatory"><div style="height:40px;scroll-snap-align:start">1</div><div id="$m" style="height:40px;scroll-snap-align:start">2</div></div>
do: $s.scrollTop += 35
do: $m.style.height = '60px'
show: $s.scrollTop

# scroll-anchoring
html: <div id="$s" style="height:40px;overflow:auto"><div id="$a" style="height:10px"></div><div style="height:300px">tall</div></div>
do: $s.scrollTop = 50
do: $a.style.height = '60px'
show: $s.scrollTop

# canvas-pixels
html: <canvas id="$c" width="20" height="10"></canvas>
js: const $p = $c.getContext('2d'); let $n = 0
do: $p.fillRect(0, 0, ++$n, 1)
do: $c.width = 20
show: [...$p.getImageData(0, 0, 20, 1).data].filter(v => v > 0).length

# canvas-state
html: <canvas id="$c" width="20" height="10"></canvas>
js: const $p = $c.getContext('2d')
do: $p.save(); $p.fillStyle = 'red'; $p.translate(2, 0); $p.lineWidth += 1
do: $p.restore()
show: $p.fillStyle + $p.lineWidth + $p.getTransform().e

# canvas-offscreen
js: const $c = new OffscreenCanvas(4, 1), $p = $c.getContext('2d')
do: $p.fillRect(0, 0, 1, 1); $p.globalAlpha /= 2
show: $p.globalAlpha + '/' + $p.getImageData(0, 0, 1, 1).data[3]

# canvas-path-in-progress
html: <canvas id="$c" width="20" height="10"></canvas>
js: const $p = $c.getContext('2d')
do: $p.rect(5, 0, 5, 5)
do: $p.beginPath()
show: $p.isPointInPath(7, 2)

# media-element
html: <video id="$v" width="50" height="20"></video>
do: $v.volume = Math.max(0, $v.volume - 0.25); $v.playbackRate += 0.5
do: $v.muted = !$v.muted
show: $v.volume + '/' + $v.playbackRate + $v.muted

# media-text-track
html: <video id="$v" width="50" height="20"></video>
js: const $t = $v.addTextTrack('captions', 'c', 'en')
do: $t.addCue(new VTTCue(0, $t.cues?.length ?? 0, 'x')); $t.mode = 'showing'
show: ($t.cues?.length ?? 0) + $t.mode

# audio-parameters
js: const $a = new Audio()
do: $a.currentTime += 1; $a.loop = !$a.loop; $a.volume /= 2
show: $a.loop + '/' + $a.volume

# image-element
html: <img id="$i" alt="pic" width="10" height="10">
js: let $n = 0; $i.onload = () => { $n++ }
do: $i.src = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
do: $i.removeAttribute('src')
show: $n + '/' + $i.complete + $i.naturalWidth

# target-pseudo-class
html: <p id="$p"><a href="#$p">Link $#</a></p>
css: #$p:target { margin-left: 30px }
do: location.hash = '$p'
do: location.hash = ''
show: $p.matches(':target')

# hidden-and-inert
html: <div id="$d"><button>Inner $#</button></div>
do: $d.hidden = !$d.hidden
do: $d.inert = !$d.inert
do: $d.style.visibility = 'hidden'
show: $d.checkVisibility() + '' + $d.inert

# hidden-until-found
html: <div id="$d" hidden="until-found">found</div>
do: $d.hidden = $d.hidden === 'until-found' ? false : 'until-found'
show: String($d.hidden)

# content-visibility
html: <div id="$d" style="content-visibility: visible">text</div>
do: $d.style.contentVisibility = $d.style.contentVisibility === 'hidden' ? 'visible' : 'hidden'
show: $d.checkVisibility({ contentVisibilityAuto: true })

# has-selector
html: <div id="$d"><input type="checkbox" id="$c" aria-label="Check $#"><i id="$i">i</i></div>
css: #$d:has(:checked) i { margin-left: 22px }
do: $c.checked = !$c.checked
show: getComputedStyle($i).marginLeft

# container-query
html: <div id="$d" style="container-type:inline-size;width:100px"><i id="$i">i</i></div>
css: @container (min-width: 150px) { #$i { margin-left: 9px } }
do: $d.style.width = parseInt($d.style.width) + 60 + 'px'
show: getComputedStyle($i).marginLeft

# counter-and-generated-content
html: <ol id="$l"><li>one</ol>
css: #$l { counter-reset: c var(--from, 0) } #$l li::before { counter-increment: c; content: counter(c) }
do: $l.style.setProperty('--from', '5')
do: $l.append(document.createElement('li'))
show: $l.children.length

# match-media-listener
js: const $m = matchMedia('(min-width: 10px)'); let $n = 0; $m.onchange = () => { $n++ }
do: $m.dispatchEvent(new Event('change'))
do: $m.onchange = null
show: $n + String($m.matches)

# element-resized-by-hand
html: <textarea id="$t" aria-label="Area $#" style="width:80px;height:30px">t</textarea>
do: $t.style.width = parseInt($t.style.width) + 20 + 'px'
do: $t.rows += 2; $t.style.height = ''
show: $t.offsetWidth + 'x' + $t.offsetHeight

# fullscreen-and-pointer-lock
html: <b id="$b">b</b>
js: let $n = 0; document.addEventListener('fullscreenchange', () => { $n++ })
do: document.exitFullscreen().catch(() => { $n += 10 })
show: $n

# highlight-registry
html: <p id="$p">text to mark</p>
css: ::highlight($h) { background-color: yellow }
do: { const r = new Range(); r.selectNodeContents($p); CSS.highlights.set('$h', new Highlight(r)) }
do: CSS.highlights.clear()
show: CSS.highlights.size
`,
);
