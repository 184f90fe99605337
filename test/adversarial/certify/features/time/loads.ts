import { readFeatures } from '../../feature.ts';

/** Images of the network against timers. */
export const loads = readFeatures(
  'loads',
  String.raw`
# image-of-network-and-timers
html: <img id="$i" alt="">
js: let $t = ''; const $e = document.getElementById('$i')
do: const i = new Image(); i.on«load|error» = () => { $t += 'l' }; i.onerror = () => { $t += 'e' }; i.src = '/«missing|inner».png?' + $t.length; setTimeout(() => { $t += 't' }, «0|4|30»)
do: $e.onerror = () => { $t += 'E' }; $e.src = '/other.png?' + $t.length; setTimeout(() => { $t += 'u' }, «0|5|100»)
show: $t

# image-of-markup-and-timers
html: <div id="$h"></div>
js: let $t = ''; window.$told = what => { $t += what }
do: document.getElementById('$h').innerHTML = '<img alt="" src="«/m.png?|data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC#»' + $t.length + '" onerror="$told(\'e\')" onload="$told(\'l\')">'; setTimeout(() => { $t += 't' }, «0|10|100»)
do: document.getElementById('$h').replaceChildren()
show: $t + document.querySelectorAll('#$h img').length

# image-source-changed
html: <img id="$i" alt="">
js: let $n = 0; const $e = document.getElementById('$i'), $svg = width => 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="' + width + '" height="9"/>'; $e.addEventListener('load', () => { $n++ })
do: $e.src = $svg(10 + $n)
do: $e.removeAttribute('src')
do: $e.remove()
do: document.body.append($e)
show: $n + ' ' + $e.complete + $e.naturalWidth
`,
);
