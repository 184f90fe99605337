import { readFeatures } from '../feature.ts';

/** What scripts make of natives and errors, and of several dialogs and popovers. */
export const natives = readFeatures(
  'natives',
  String.raw`
# native-prototype-frozen
js: let $n = 0
do: Object.freeze(Array.prototype)
do: try { Array.prototype.$x = ++$n } catch { }
show: [].$x + '' + $n

# native-member-made-visible
js: const $keys = () => { const all = []; for (const key in []) all.push(key); return all }
do: Object.defineProperty(Array.prototype, 'at', { enumerable: true })
do: Object.defineProperty(Array.prototype, 'at', { enumerable: false })
show: $keys()

# native-member-assigned-anew
js: const $keys = () => { const all = []; for (const key in []) all.push(key); return all }
do: { const at = Array.prototype.at; delete Array.prototype.at; Array.prototype.at = at }
do: Array.prototype.$more = 1
show: $keys()

# native-of-window-read-only
js: const $print = window.print
do: Object.defineProperty(window, 'print', { writable: false })
do: Reflect.set(window, 'print', () => 5)
show: window.print === $print

# native-prototype-with-another-above
js: const $o = Object.create(Object.prototype, {})
do: Object.setPrototypeOf(Array.prototype, { __proto__: Object.prototype, $x: 5 })
do: Object.setPrototypeOf(Array.prototype, Object.prototype)
show: [].$x

# native-function-locked
js: const $f = Array.prototype.at
do: Object.freeze($f)
do: try { $f.note = 1 } catch { }
show: String($f.note)

# native-added-hidden
js: let $n = 0
do: Object.defineProperty(Array.prototype, '$m', { value: ++$n, configurable: true, writable: true })
do: Array.prototype.$m = 9
show: [].$m + '' + Object.keys(Array.prototype)

# dialog-as-popover
html: <dialog id="$p" popover="manual"><button>In $#</button></dialog>
js: const $d = document.getElementById('$p')
do: $d.togglePopover()
do: if (!$d.open) $d.showModal(); else $d.close()
show: $d.open + '' + $d.matches(':popover-open') + $d.matches(':modal')

# layers-three
html: <div id="$p" popover="manual" style="inset:100px auto auto 100px;width:90px"><i id="$pi">P $#</i></div><div id="$q" popover="manual" style="inset:100px auto auto 100px;width:90px"><i id="$qi">Q $#</i></div><div id="$r" popover="manual" style="inset:100px auto auto 100px;width:90px"><i id="$ri">R $#</i></div>
js: const $by = id => document.getElementById(id), $re = (...ids) => { for (const id of ids) if ($by(id).matches(':popover-open')) $by(id).hidePopover(); for (const id of ids) $by(id).showPopover() }
do: $re('$r', '$p', '$q')
do: $re('$p', '$r')
do: $by('$q').togglePopover()
show: document.elementsFromPoint(110, 112).map(e => e.id).filter(id => /i$/.test(id))

# error-frozen
js: const $e = Object.freeze(new Error('x')); let $n = 0
do: try { $e.stack = 'own ' + ++$n } catch { }
do: $n = 5
show: String($e.stack).slice(0, 8) + $n

# error-with-own-stack-text
js: const $e = new Error('x'); let $n = 0
do: Error.prepareStackTrace = () => 'mine ' + ++$n
do: $e.more = new Error('y')
show: [$n, String($e.more?.stack).slice(0, 6), $n]

# array-frozen-in-class
js: class $L extends Array { } const $l = $L.of(1, 2); Object.defineProperty($l, 1, { get() { return this.length }, configurable: true, enumerable: true })
do: $l.push(3)
do: Object.defineProperty($l, 1, { value: 5, writable: true })
do: $l.length = 1
show: $l + ''
`,
);
