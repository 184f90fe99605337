import { readFeatures } from '../feature.ts';

/** Form fields: values, defaults, dirty flags, carets, validity, pseudo-classes. */
export const fields = readFeatures(
  'fields',
  String.raw`
# field-value-and-default
html: <input id="$i" aria-label="Field $#" value="one">
do: $i.defaultValue += '!'
do: $i.value += '?'
show: $i.value + '/' + $i.defaultValue

# field-reset
html: <form id="$f"><input id="$i" aria-label="Field $#" value="one"><textarea id="$t" aria-label="Area $#">two</textarea></form>
do: $f.reset()
do: $i.value = 'typed' + $i.value.length
do: $t.textContent += 'x'
show: $i.value + '/' + $t.value

# field-dirty-after-same-value
html: <input id="$i" aria-label="Field $#" value="one">
do: $i.value = $i.value
do: $i.setAttribute('value', $i.getAttribute('value') + '+')
show: $i.value

# area-dirty
html: <textarea id="$t" aria-label="Area $#">one</textarea>
do: $t.value = 'one'
do: $t.textContent = 'default' + $t.textContent.length
show: $t.value

# checkbox-dirty
html: <input type="checkbox" id="$c" aria-label="Check $#">
do: $c.toggleAttribute('checked')
do: $c.checked = $c.checked
show: $c.checked

# checkbox-clicked-then-attribute
html: <form id="$f"><input type="checkbox" id="$c" aria-label="Check $#"></form>
do: $c.defaultChecked = !$c.defaultChecked
do: $f.reset()
show: $c.checked + '/' + $c.defaultChecked

# checkbox-indeterminate
html: <input type="checkbox" id="$c" aria-label="Check $#">
css: #$c:indeterminate { outline: 2px solid red; margin-left: 9px }
do: $c.indeterminate = !$c.indeterminate
show: $c.matches(':indeterminate')

# radio-group
html: <form><input type="radio" name="$r" id="$a" aria-label="Radio a$#" checked><input type="radio" name="$r" id="$b" aria-label="Radio b$#"></form>
css: #$b:checked { margin-left: 20px }
do: $b.checked = true
do: $a.name = $a.name === '$r' ? 'other' : '$r'
show: $a.checked + '/' + $b.checked

# select-single
html: <select id="$s" aria-label="Choice $#"><option>one<option selected>two<option>three</select>
do: $s.selectedIndex = 0
do: $s.options[2].defaultSelected = true
do: $s.append(new Option('more' + $s.length))
show: $s.value

# select-dirty-options
html: <form id="$f"><select id="$s" aria-label="Choice $#"><option id="$o1">one<option id="$o2" selected>two</select></form>
do: $o1.selected = true
do: $o1.setAttribute('selected', '')
do: $f.reset()
show: $s.value

# select-none-selected
html: <select id="$s" aria-label="Choice $#"><option>one<option>two</select>
do: $s.selectedIndex = -1
do: $s.insertBefore(new Option('new'), $s.firstChild)
show: $s.selectedIndex + $s.value

# select-multiple
html: <select id="$s" aria-label="Many $#" multiple size="3"><option selected>one<option>two<option>three</select>
do: $s.options[1].selected = !$s.options[1].selected
do: $s.options[2].selected = true
show: [...$s.selectedOptions].map(o => o.text)

# caret
html: <input id="$i" aria-label="Field $#" value="abcdef">
do: $i.focus(); $i.setSelectionRange(2, 4, 'backward')
do: $i.setRangeText('XY')
show: $i.selectionStart + '-' + $i.selectionEnd + $i.selectionDirection + $i.value

# caret-moved-by-hand
html: <input id="$i" aria-label="Field $#" value="abc">
do: $i.focus()
do: $i.setRangeText('-', $i.selectionStart, $i.selectionEnd, 'end')
show: $i.value + $i.selectionStart

# select-events
html: <input id="$i" aria-label="Field $#" value="abcdef"><textarea id="$t" aria-label="Area $#">area</textarea>
js: let $log = ''; for (const one of [$i, $t]) one.addEventListener('select', () => { $log += one.selectionStart + '-' + one.selectionEnd + ' ' })
do: $i.setSelectionRange(1, 4, '«forward|backward»')
do: $t.focus(); $t.setSelectionRange(0, 2)
do: $i.focus(); $i.select()
show: $log

# selection-whose-text-went
html: <ul id="$l"></ul>
js: let $n = 0; const $draw = () => { $l.replaceChildren(...['Row $#', 'Other $#'].map(name => { const row = document.createElement('li'); row.textContent = name + ' ' + $n++; row.onclick = $draw; return row })) }; $draw()
do: $draw()
do: getSelection().collapse($l.lastChild.firstChild, 2)
do: getSelection().modify('«extend|move»', 'forward', 'word')
show: (s => [s.type, s, s.anchorNode?.nodeName, s.anchorOffset, s.focusNode?.nodeName, s.focusOffset])(getSelection())

# caret-in-area
html: <textarea id="$t" aria-label="Area $#">line one</textarea>
do: $t.select()
do: $t.focus(); $t.setSelectionRange(3, 3)
do: $t.setRangeText('*')
show: $t.value

# user-invalid
html: <form id="$f"><input id="$i" aria-label="Needed $#" required></form>
css: #$i:user-invalid { border: 4px solid red } #$i:user-valid { border: 6px solid green }
do: $f.requestSubmit()
do: $i.value = 'ok'
show: $i.matches(':user-invalid') + '/' + $i.matches(':user-valid')

# user-invalid-by-typing
html: <input id="$i" type="email" aria-label="Mail $#">
css: #$i:user-invalid { width: 200px }
do: $i.setCustomValidity($i.validity.customError ? '' : 'bad')
show: $i.matches(':user-invalid') + $i.validationMessage

# custom-validity
html: <input id="$i" aria-label="Field $#"><output id="$o"></output>
do: $i.setCustomValidity($i.validationMessage + 'x')
do: $i.setCustomValidity('')
show: $i.validationMessage + $i.checkValidity()

# invalid-event
html: <form id="$f"><input id="$i" aria-label="Needed $#" required></form>
js: let $n = 0; $i.addEventListener('invalid', event => { event.preventDefault(); $n++ })
do: $f.reportValidity()
show: $n

# form-submitted
html: <form id="$f"><input id="$i" name="a" aria-label="Field $#" value="v"><button>Send $#</button></form>
js: let $sent = ''; $f.addEventListener('submit', event => { event.preventDefault(); $sent += [...new FormData($f)].join(';') + (event.submitter ? 's' : 'n') })
do: $f.requestSubmit()
do: $i.name += 'b'
show: $sent

# field-change-events
html: <input id="$i" aria-label="Field $#"><select id="$s" aria-label="Choice $#"><option>x<option>y</select>
js: let $log = ''; for (const kind of ['input', 'change', 'focus', 'blur', 'beforeinput', 'select']) { $i.addEventListener(kind, () => { $log += kind[0] + kind.length }); $s.addEventListener(kind, () => { $log += kind[0] }) }
do: $i.value = ''
show: $log

# field-change-pending
html: <input id="$i" aria-label="Field $#">
js: let $changes = 0; $i.addEventListener('change', () => { $changes++ })
do: $i.blur()
do: $i.focus()
show: $changes + $i.value

# field-types
html: <input id="$i" type="«date|time|month|week|color|range|number|url|tel|search|password|datetime-local»" aria-label="Typed $#">
do: try { $i.stepUp() } catch { $i.value = '5' }
do: $i.type = $i.type === 'text' ? 'number' : 'text'
show: $i.value + $i.type + $i.valueAsNumber

# field-range
html: <input id="$i" type="range" min="0" max="10" aria-label="Range $#"><output id="$o">5</output>
js: $i.addEventListener('input', () => { $o.value = $i.value })
do: $i.stepUp(2)
do: $i.max = '6'
do: $o.defaultValue = 'd' + $o.value
show: $i.value + '/' + $o.value + '/' + $o.defaultValue

# field-number-bad-input
html: <input id="$i" type="number" aria-label="Number $#">
do: $i.stepUp()
show: $i.value + $i.validity.badInput

# field-file
html: <input id="$i" type="file" aria-label="File $#">
do: { const t = new DataTransfer(); t.items.add(new File(['x'], 'f' + $i.files.length + '.txt')); $i.files = t.files }
do: $i.value = ''
show: [...$i.files].map(f => f.name)

# datalist
html: <input id="$i" list="$l" aria-label="Field $#"><datalist id="$l"><option value="one"></datalist>
do: $l.append(new Option('', 'more' + $l.children.length))
show: $i.list.options.length

# output-meter-progress
html: <output id="$o">1</output><meter id="$m" value="0.2"></meter><progress id="$p" max="10"></progress>
do: $o.value += '1'; $m.value += 0.2; $p.value += 1
do: $p.removeAttribute('value')
show: $o.value + '/' + $m.value + '/' + $p.position

# fieldset-disabled
html: <fieldset id="$s"><input id="$i" aria-label="Field $#"><button id="$b">In $#</button></fieldset>
js: let $n = 0; $b.onclick = () => { $n++ }
do: $s.disabled = !$s.disabled
do: $b.click()
show: $n + ' ' + $i.matches(':disabled')

# form-owner-changed
html: <form id="$f"></form><form id="$g"></form><input id="$i" form="$f" aria-label="Field $#" name="n">
do: $i.setAttribute('form', $i.form === $f ? '$g' : '$f')
do: $f.append($i)
show: $i.form?.id + $f.elements.length

# form-members
html: <form id="$f"><input id="$i" name="first" aria-label="Field $#"></form>
do: $f.first; $i.name = 'second'
show: [$f.first?.id, $f.second?.id]

# placeholder-shown
html: <input id="$i" placeholder="type" aria-label="Field $#">
css: #$i:placeholder-shown { width: 60px } #$i:not(:placeholder-shown) { width: 120px }
do: $i.value = $i.value === '' ? 'v' : ''
show: $i.matches(':placeholder-shown')

# read-only-and-max-length
html: <input id="$i" maxlength="3" aria-label="Field $#">
do: $i.readOnly = !$i.readOnly
do: $i.value = 'abcdef'
show: $i.value + $i.validity.tooLong

# validity-too-long-after-typing
html: <input id="$i" minlength="4" aria-label="Field $#">
css: #$i:invalid { padding-left: 12px }
do: $i.value = 'ab'
show: $i.validity.tooShort + $i.value

# element-internals
js: customElements.define('x-field-$#', class extends HTMLElement { static formAssociated = true; #i = this.attachInternals(); n = 0; up() { this.n++; this.#i.setFormValue('v' + this.n); this.#i.setValidity(this.n % 2 ? { customError: true } : {}, 'odd'); this.#i.states.add('s' + this.n) } get ok() { return this.#i.checkValidity() } })
html: <form id="$f"><x-field-$# id="$x" name="x">own</x-field-$#></form>
css: x-field-$#:state(s2) { color: red }
do: $x.up()
show: [...new FormData($f)] + '/' + $x.ok

# content-editable
html: <div id="$d" contenteditable aria-label="Edit $#">text</div>
do: $d.focus(); getSelection().selectAllChildren($d)
do: document.execCommand('bold')
show: $d.innerHTML

# exec-command-undo
html: <div id="$d" contenteditable aria-label="Edit $#">text</div>
do: $d.focus(); document.execCommand('insertText', false, 'Z')
do: $d.focus(); document.execCommand('undo')
show: $d.textContent

# field-undo
html: <input id="$i" aria-label="Field $#" value="abc">
do: $i.focus(); document.execCommand('insertText', false, 'Z')
do: $i.focus(); document.execCommand('undo')
show: $i.value

# design-mode
html: <p id="$p">text</p>
do: document.designMode = document.designMode === 'on' ? 'off' : 'on'
show: document.designMode + $p.isContentEditable

# field-members
html: <input id="$i" aria-label="Field $#">
do: $i.tag = ($i.tag ?? 0) + 1
do: Object.defineProperty($i, 'value', { get: () => 'fake', set() { }, configurable: true })
do: delete $i.value
show: $i.tag + $i.value

# autofocus-and-focus-order
html: <input id="$i" aria-label="Field $#"><i id="$j" tabindex="0">j</i>
js: let $log = ''; for (const e of [$i, $j]) { e.addEventListener('focus', () => { $log += e.tagName }); e.addEventListener('blur', () => { $log += 'b' }) }
do: $i.focus()
do: $j.tabIndex = $j.tabIndex === 0 ? -1 : 0
show: $log

# focus-visible
html: <i id="$j" tabindex="0">j</i>
css: #$j:focus-visible { margin-left: 30px } #$j:focus { color: red }
do: $j.focus({ focusVisible: true })
do: $j.focus({ focusVisible: false })
do: $j.blur()
show: $j.matches(':focus-visible')

# label-click
html: <label id="$l" for="$c">Label $#</label><input type="checkbox" id="$c">
do: $l.click()
do: $l.htmlFor = 'none'
show: $c.checked

# access-key
html: <button id="$b" accesskey="k">Key $#</button>
js: let $n = 0; $b.onclick = () => { $n++ }
do: $b.accessKey = 'j'; $b.click()
show: $n + $b.accessKey

# option-members
html: <select id="$s" aria-label="Choice $#"><option>one<option>two</select>
do: $s.options[0].text += '!'
do: $s.options[1].disabled = !$s.options[1].disabled
do: $s.options.length = 1
show: [...$s.options].map(o => o.text + o.disabled)

# field-dirname-and-name-change
html: <form id="$f"><input id="$i" name="a" aria-label="Field $#"></form>
do: $i.name = $i.name + 'x'; $i.dirName = 'dir'
show: [...new FormData($f)].join(';')
`,
);
