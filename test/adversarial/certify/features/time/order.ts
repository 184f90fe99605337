import { readFeatures } from '../../feature.ts';

/** What comes first: frames, observers, files, answers and timers beside each other. */
export const order = readFeatures(
  'order',
  String.raw`
# order-of-crossings
html: <div id="$l"><i>1</i><i>2</i><i>3</i><i>4</i><i>5</i></div>
js: let $t = ''; for (const e of document.getElementById('$l').children) new IntersectionObserver(([entry]) => { $t += e.textContent + (entry.isIntersecting ? '+' : '-') }).observe(e)
do: const l = document.getElementById('$l'); l.hidden = !l.hidden
show: $t

# order-of-sizes-and-timers
html: <p id="$p" style="width: 40px">p</p>
js: let $t = ''; const $e = document.getElementById('$p'); new ResizeObserver(() => { $t += 's' }).observe($e)
do: for (const wait of [«2, 9, 20|0, 4|5, 10, 15, 30»]) setTimeout(() => { $t += wait; $e.style.width = $e.offsetWidth + 3 + 'px' }, wait)
show: $t

# order-of-scripts-and-timers
js: let $t = ''
do: const e = Object.assign(document.createElement('«script|link»'), { onload: () => { $t += 'l' }, onerror: () => { $t += 'e' } }); if (e.rel === '') { e.rel = 'stylesheet'; e.href = '/$a.css' } else e.src = '/$a.js'; document.head.append(e); for (const wait of [0, «5|30»]) setTimeout(() => { $t += wait }, wait)
show: $t

# order-of-modules-and-timers
js: let $t = ''
do: import('/$m.js?' + $t.length).catch(() => { $t += 'e' }); setTimeout(() => { $t += 't' }, «0|10»)
show: $t

# order-of-answers
js: let $t = ''
do: for (const name of 'abc') fetch('/' + name).then(answer => { $t += name; return answer.text() }).then(() => { $t += name.toUpperCase() })
show: $t

# order-of-view-transition-and-timers
html: <p id="$p">text</p>
js: let $t = ''
do: const v = document.startViewTransition(() => { document.getElementById('$p').textContent += 'x'; $t += 'u' }); v.ready.then(() => { $t += 'r' }, () => { $t += 'n' }); for (const wait of [0, «4|20»]) setTimeout(() => { $t += wait }, wait)
show: $t

# order-of-skipped-parts
html: <div id="$d" style="height: 90px; overflow: auto">«<p style="content-visibility: auto; line-height: 99px">a<br>b</p>|<p style="content-visibility: auto; contain-intrinsic-size: 9px 300px">a</p>»<p style="height: 900px">p</p><p style="content-visibility: auto; line-height: 50px">c<br>d</p></div>
do: document.getElementById('$d').scrollTop += 500
show: document.getElementById('$d').scrollHeight

# caret-that-is-styled
html: <input id="$i" aria-label="caret $#" style="font-size: 40px; caret-color: red «!important|»">
do: document.getElementById('$i').focus()
show: document.activeElement.id === '$i'

# caret-in-shadow-root
html: <span id="$h" «tabindex="0"|»></span>
js: const $r = document.getElementById('$h').attachShadow({ mode: '«open|closed»' }); $r.innerHTML = '<input style="font-size: 40px; caret-color: red">'
do: $r.firstChild.focus()
show: document.activeElement.id === '$h'
`,
);
