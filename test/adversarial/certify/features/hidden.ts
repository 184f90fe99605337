import { readFeatures } from '../feature.ts';

/** State of documents that the browser keeps and no script can read: policies, style sets, animations, scrolling. */
export const hidden = readFeatures(
  'hidden',
  String.raw`
# smil-set-by-click
html: <svg width="60" height="20"><rect id="$r" width="10" height="10" fill="red"><set id="$t" attributeName="fill" to="blue" begin="$go.click" fill="freeze"/></rect></svg><button id="$go">Go $#</button>
do: $r.setAttribute('height', Number($r.getAttribute('height')) % 20 + 5)
show: getComputedStyle($r).fill

# smil-set-by-key
html: <svg width="60" height="20"><rect id="$r" tabindex="0" width="10" height="10" fill="red"><set attributeName="width" to="40" begin="$r.focus" end="$r.blur"/></rect></svg>
do: $r.focus()
do: $r.blur()
show: $r.getBoundingClientRect().width

# smil-inserted
html: <svg width="60" height="20"><rect id="$r" width="10" height="10" fill="red"></rect></svg>
do: const t = document.createElementNS('http://www.w3.org/2000/svg', 'set'); t.setAttribute('attributeName', 'width'); t.setAttribute('to', '50'); $r.append(t)
do: $r.replaceChildren()
show: $r.getBoundingClientRect().width

# policy-inserted-style
html: <i id="$i">styled</i>
do: const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "style-src 'none'"; document.head.append(m)
do: const s = document.createElement('style'); s.textContent = '#$i { padding-left: 30px; color: red }'; document.head.append(s)
do: document.head.lastElementChild.remove()
show: getComputedStyle($i).paddingLeft

# policy-inserted-script
html: <i id="$i">0</i>
do: const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "script-src 'none'"; document.head.append(m)
do: const s = document.createElement('script'); s.textContent = 'document.getElementById("$i").textContent += "1"'; document.body.append(s)
show: $i.textContent

# policy-inserted-image
html: <img id="$m" alt="none" onload="this.dataset.state = 'loaded'" onerror="this.dataset.state = 'failed'">
do: const m = document.createElement('meta'); m.httpEquiv = 'content-security-policy'; m.content = "img-src 'none'"; document.head.append(m)
do: $m.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + (20 + $m.src.length % 9) + '" height="20"/>'
show: $m.dataset.state

# policy-inserted-trusted-types
html: <i id="$i">0</i>
do: const m = document.createElement('meta'); m.httpEquiv = 'Content-Security-Policy'; m.content = "require-trusted-types-for 'script'"; document.head.append(m)
do: try { $i.innerHTML = $i.textContent + '1' } catch (error) { $i.textContent = error.name }
show: $i.textContent

# policy-inserted-connect
html: <i id="$i">0</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="Content-Security-Policy" content="connect-src \'none\'">')
do: fetch('/inner').then(() => { $i.textContent += 'y' }, () => { $i.textContent += 'n' })
show: $i.textContent

# policy-inserted-form-action
html: <form id="$f" action="/inner"><button>Send $#</button></form><i id="$i">0</i>
js: document.addEventListener('securitypolicyviolation', () => { $i.textContent += 'v' })
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="Content-Security-Policy" content="form-action \'none\'">')
show: $i.textContent

# meta-referrer-inserted
html: <i id="$i">0</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')
do: document.querySelector('meta[name=referrer]')?.remove()
show: new Request('/inner').referrerPolicy + document.querySelectorAll('meta').length

# meta-viewport-and-theme
html: <i id="$i">0</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta name="color-scheme" content="dark">')
do: document.querySelector('meta[name=color-scheme]')?.remove()
show: getComputedStyle($i).color + matchMedia('(prefers-color-scheme: dark)').matches

# meta-refresh-inserted
html: <i id="$i">0</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="1;url=/inner">')
show: $i.textContent

# meta-default-style
html: <style title="One">#$i { padding-left: 10px }</style><style title="Two">#$i { padding-left: 20px }</style><i id="$i">i</i>
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="default-style" content="Two">')
do: document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="default-style" content="One">')
show: getComputedStyle($i).paddingLeft

# base-inserted
html: <a id="$a" href="x/y">Link $#</a>
do: document.head.insertAdjacentHTML('afterbegin', '<base href="/deep/">')
do: document.querySelector('base')?.remove()
show: $a.href

# image-input-load
html: <form id="$f" onsubmit="return false"><input id="$i" type="image" alt="Go $#" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'/>"></form><i id="$o">0</i>
js: let $n = 0; $i.onload = () => { $o.textContent = String(++$n) }
do: $i.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + (31 + $n) + '" height="20"/>'
do: const $j = document.createElement('input'); $j.type = 'image'; $j.onload = () => { $o.textContent = 'made ' + ++$n }; $j.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='; $j.onerror = () => { $o.textContent = 'bad ' + ++$n }
show: $n + ' ' + $i.width

# svg-image-load
html: <svg width="60" height="20"><image id="$i" width="20" height="20"/></svg><i id="$o">0</i>
js: let $n = 0; $i.addEventListener('load', () => { $o.textContent = String(++$n) })
do: $i.setAttribute('href', 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + (31 + $n) + '" height="20"/>')
show: $n

# image-made-and-let-go
html: <i id="$o">0</i>
js: let $n = 0
do: const $m = new Image(); $m.onload = () => { $o.textContent = 'load ' + ++$n }; $m.onerror = () => { $o.textContent = 'error ' + ++$n }; $m.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
do: const $m = new Image(); $m.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>'; $m.decode().then(() => { $o.textContent = 'decoded ' + ++$n })
show: $n

# preferred-style-set
html: <i id="$i">styled</i>
do: const s = document.createElement('style'); s.title = 'One'; s.textContent = '#$i { padding-left: 30px }'; document.head.append(s)
do: const s = document.createElement('style'); s.title = 'Two'; s.textContent = '#$i { padding-left: 60px }'; document.head.append(s)
show: getComputedStyle($i).paddingLeft

# style-title-changed
html: <style id="$s">#$i { padding-left: 30px }</style><i id="$i">styled</i>
do: $s.title = $s.title === '' ? 'One' : ''
do: $s.disabled = !$s.disabled
show: getComputedStyle($i).paddingLeft

# link-disabled-and-alternate
html: <link id="$l" rel="stylesheet" title="Plain" href="data:text/css,i{padding-left:22px}"><i id="$i">styled</i>
do: $l.disabled = !$l.disabled
do: $l.rel = $l.rel === 'stylesheet' ? 'alternate stylesheet' : 'stylesheet'
show: getComputedStyle($i).paddingLeft

# script-already-started
html: <i id="$i">0</i><script id="$s" type="text/x"> document.getElementById('$i').textContent += '1'</script>
do: $s.type = ''
do: $s.type = 'text/x'
do: document.body.append($s)
show: $i.textContent

# script-held-and-moved
html: <i id="$i">0</i>
js: const $s = document.createElement('script'); $s.textContent = 'document.getElementById("$i").textContent += "1"'
do: document.body.append($s)
do: $s.remove()
do: document.body.append($s.cloneNode(true))
show: $i.textContent

# script-emptied
html: <i id="$i">0</i>
js: const $s = document.createElement('script'); document.body.append($s)
do: $s.textContent = 'document.getElementById("$i").textContent += "1"'
do: $s.textContent = ''
show: $i.textContent

# details-opened-by-find
html: <details id="$d" name="$g"><summary>One $#</summary>1</details><details id="$e" name="$g" open><summary>Two $#</summary>2</details>
do: $d.name = $d.name === '' ? '$g' : ''; $d.open = true
do: $e.remove()
show: $d.open + '/' + $e.open

# content-visibility-size
html: <div id="$d" style="content-visibility: auto; contain-intrinsic-size: auto 50px"><div id="$c" style="height: 80px">c</div></div>
do: $d.style.marginTop = $d.style.marginTop === '' ? '3000px' : ''
do: $c.style.height = '120px'
show: Math.round($d.getBoundingClientRect().height)

# content-visibility-hidden-size
html: <div id="$d" style="contain-intrinsic-size: auto 50px"><div id="$c" style="height: 80px">c</div></div>
do: $d.style.contentVisibility = $d.style.contentVisibility === 'hidden' ? '' : 'hidden'
do: $c.style.height = parseInt($c.style.height) + 30 + 'px'
show: Math.round($d.getBoundingClientRect().height)

# anchor-fallback-kept
html: <button id="$a" style="anchor-name: --$n">A $#</button><div id="$p" style="position: fixed; position-anchor: --$n; position-area: top; position-try-fallbacks: flip-block">tip</div>
do: $a.style.marginTop = $a.style.marginTop === '' ? '150px' : ''
do: $p.style.height = $p.style.height === '' ? '60px' : ''
show: Math.round($p.getBoundingClientRect().top)

# transition-started-by-change
html: <i id="$i">i</i>
css: #$i { display: inline-block; width: 20px; transition: width 2s } #$i.wide { width: 90px }
js: let $n = 0; $i.ontransitionstart = () => { $n++ }; $i.ontransitioncancel = () => { $n += 100 }
do: $i.classList.toggle('wide')
show: $n + getComputedStyle($i).width

# starting-style
html: <i id="$i" hidden>i</i>
css: #$i { display: inline-block; opacity: 1; transition: opacity 1s, display 1s allow-discrete } #$i[hidden] { display: none; opacity: 0 } @starting-style { #$i { opacity: 0.2 } }
js: let $n = 0; $i.ontransitionend = ({ propertyName }) => { $n += propertyName.length }
do: $i.hidden = !$i.hidden
show: $n + getComputedStyle($i).opacity

# animation-restarted
html: <i id="$i">i</i>
css: @keyframes $k { from { margin-left: 0 } to { margin-left: 40px } } #$i.on { animation: $k 1s forwards }
js: let $n = 0; $i.onanimationstart = () => { $n++ }; $i.onanimationcancel = () => { $n += 100 }
do: $i.classList.toggle('on')
do: $i.remove(); document.body.append($i)
show: $n + getComputedStyle($i).marginLeft

# animation-paused-by-class
html: <i id="$i">i</i>
css: @keyframes $k { from { margin-left: 10px } to { margin-left: 40px } } #$i { animation: $k 1s infinite } #$i.off { animation-play-state: paused }
do: $i.classList.toggle('off')
show: getComputedStyle($i).marginLeft

# scroll-snap-kept
html: <div id="$d" style="height: 50px; overflow: auto; scroll-snap-type: y mandatory"><p id="$a" style="height: 60px; margin: 0; scroll-snap-align: start">a</p><p style="height: 60px; margin: 0; scroll-snap-align: start">b</p><p style="height: 60px; margin: 0; scroll-snap-align: start">c</p></div>
do: $d.scrollTop = 65
do: $a.style.height = $a.style.height === '60px' ? '90px' : '60px'
show: $d.scrollTop

# scroll-anchor-moved
html: <div id="$d" style="height: 60px; overflow: auto"><p id="$a" style="height: 40px; margin: 0">a</p><p style="height: 60px; margin: 0">b</p><p style="height: 160px; margin: 0">c</p></div>
do: $d.scrollTop = 50
do: $a.style.height = parseInt($a.style.height) + 15 + 'px'
show: $d.scrollTop

# scroll-of-hidden
html: <div id="$d" style="height: 40px; overflow: auto"><p style="height: 200px">tall</p></div>
do: $d.scrollTop = 70
do: $d.style.display = $d.style.display === '' ? 'none' : ''
show: $d.scrollTop

# target-after-push
html: <p id="$p">target</p>
css: #$p:target { padding-left: 33px }
do: location.hash = '$p'
do: history.pushState(null, '', '#other')
do: $p.id === '$p' ? $p.id = 'gone' : $p.id = '$p'
show: document.querySelector(':target')?.tagName

# visited-link
html: <a id="$a" href="#$p">Jump $#</a><p id="$p">p</p>
css: #$a:visited { color: rgb(1, 2, 3) }
do: location.hash = '$p'
show: getComputedStyle($a).color

# history-scroll
html: <p style="height: 900px">tall</p><p id="$p">p</p>
do: scrollTo(0, 200); history.pushState(1, '', '#x')
do: scrollTo(0, 30)
do: history.back()
show: Math.round(scrollY) + location.hash

# pointer-capture
html: <div id="$d" style="width: 50px; height: 20px; background: #ccc">pad</div><i id="$i">0</i>
js: let $n = 0; $d.onpointerdown = ({ pointerId }) => { $d.setPointerCapture(pointerId) }; $d.ongotpointercapture = () => { $n++ }
do: $n += 10
show: $n

# slot-of-details
html: <details id="$d"><summary id="$s">One $#</summary><p>one</p></details>
do: $d.prepend(Object.assign(document.createElement('summary'), { textContent: 'Other $#' }))
do: $d.open = !$d.open
show: $d.querySelectorAll('summary').length + '' + $d.open

# counter-and-list-value
html: <ol id="$o"><li id="$l">one</li><li>two</li></ol>
do: $l.value = 5
do: $o.reversed = !$o.reversed
do: $o.start = 3
show: $l.value + '' + $o.start

# map-and-area
html: <img usemap="#$m" width="40" height="20" alt="map"><map name="$m"><area id="$a" shape="rect" coords="0,0,40,20" href="#$p" alt="Area $#"></map>
key: Tab
do: $a.coords = $a.coords === '0,0,40,20' ? '0,0,10,10' : '0,0,40,20'
show: location.hash + $a.coords

# track-lazy-image
html: <p style="height: 2500px">tall</p><img id="$m" loading="lazy" width="20" height="20" alt="lazy">
js: let $n = 0; $m.onload = () => { $n++ }
do: $m.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
do: scrollTo(0, 2400)
do: $m.loading = 'eager'
show: $n + '' + $m.complete

# picture-source
html: <picture><source id="$s" media="(min-width: 1px)"><img id="$m" alt="p" width="20"></picture>
js: let $n = 0; $m.onload = () => { $n++ }
do: $s.srcset = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + (9 + $n) + '" height="9"/>'
do: $s.media = $s.media === 'print' ? '' : 'print'
show: $n + '' + ($m.currentSrc.length > 0)

# content-visibility-event
html: <div id="$d" style="content-visibility: auto; contain-intrinsic-size: 50px"><div style="height: 80px">c</div></div>
js: let $n = 0; $d.addEventListener('contentvisibilityautostatechange', () => { $n++ })
do: $d.style.marginTop = $d.style.marginTop === '' ? '3000px' : ''
show: $n

# scroll-snap-event
html: <div id="$d" style="height: 50px; overflow: auto; scroll-snap-type: y mandatory"><p style="height: 60px; margin: 0; scroll-snap-align: start">a</p><p style="height: 60px; margin: 0; scroll-snap-align: start">b</p></div>
js: let $n = 0; $d.addEventListener('scrollsnapchange', () => { $n++ })
do: $d.scrollTop = $d.scrollTop === 0 ? 60 : 0
show: $n + ' ' + $d.scrollTop

# policy-violation-event
html: <i id="$i">i</i>
js: let $n = 0; document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'">'); document.addEventListener('securitypolicyviolation', () => { $n++ }); const $m = document.createElement('img'); $m.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
do: $m.isConnected ? $m.remove() : $i.append($m)
do: $m.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=#' + $n
show: $n > 0

# animation-iteration-event
html: <i id="$i">i</i>
css: @keyframes $k { from { margin-left: 0 } to { margin-left: 4px } } #$i.on { animation: $k 0.1s 3 }
js: let $n = 0; $i.onanimationiteration = () => { $n++ }; $i.onanimationend = () => { $n += 10 }
do: $i.classList.toggle('on')
show: $n > 9

# property-registered
html: <i id="$i" style="--$p: 5px; padding-left: var(--$p)">i</i><style id="$s"></style>
do: $s.textContent = '@property --$p { syntax: "<length>"; inherits: false; initial-value: 40px }'
do: $i.style.removeProperty('--$p')
show: getComputedStyle($i).paddingLeft

# layer-order
html: <style>@layer $a, $b;</style><style id="$s">@layer $a { #$i { padding-left: 11px } } @layer $b { #$i { padding-left: 22px } }</style><i id="$i">i</i>
do: $s.textContent = $s.textContent.includes('33') ? $s.textContent.replace('33', '11') : $s.textContent.replace('11', '33')
do: document.head.insertAdjacentHTML('afterbegin', '<style>@layer $b, $a;</style>')
show: getComputedStyle($i).paddingLeft

# container-query
html: <div id="$d" style="container-type: inline-size; width: 100px"><i id="$i">i</i></div>
css: @container (min-width: 150px) { #$i { padding-left: 44px } }
do: $d.style.width = $d.style.width === '100px' ? '200px' : '100px'
show: getComputedStyle($i).paddingLeft

# highlight-of-selection
html: <p id="$p">select me</p>
css: #$p::selection { background: rgb(9, 9, 9) }
do: getSelection().selectAllChildren($p)
do: getSelection().setBaseAndExtent($p.firstChild, 6, $p.firstChild, 2)
show: getSelection().toString() + getSelection().direction

# function-member
html: <i id="$i">0</i>
js: function $f() { return $f.count ?? 'none' } class $K { static seen = 0 }
do: $f.count = ($f.count ?? 0) + 1
do: $K.seen++; $K['extra' + $K.seen] = 1
do: delete $f.count
show: $f() + Object.keys($K)
`,
);
