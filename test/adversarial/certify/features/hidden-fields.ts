import { readFeatures } from '../feature.ts';

/** State of fields, editors and the focus that the browser keeps and no script can read. */
export const hiddenFields = readFeatures(
  'hidden-fields',
  String.raw`
# form-past-name
html: <form id="$f"><input id="$i" name="$old" aria-label="Named $#"></form>
do: void $f.$old; $i.name = '$new'
do: $i.name = '$old'
do: void $f.$new
do: $i.name = '$new'
show: ($f.$old === undefined) + '/' + ($f.$new === undefined)

# form-past-name-image
html: <form id="$f"><img id="$i" alt="x"></form>
do: $i.id = '$one'; void $f.$one; $i.id = '$two'
do: void $f['$two']
show: ($f.$one === undefined) + '/' + ($f.$two === undefined)

# autofocus-inserted
html: <div id="$d"></div>
do: $d.insertAdjacentHTML('beforeend', '<input autofocus aria-label="First $#">')
do: $d.replaceChildren(); document.activeElement?.blur()
show: document.activeElement.tagName

# autofocus-already
html: <input id="$i" autofocus aria-label="Here $#"><div id="$d"></div>
do: $d.insertAdjacentHTML('beforeend', '<input autofocus aria-label="There $#">')
do: $i.autofocus = !$i.autofocus
show: document.activeElement.getAttribute('aria-label')

# date-segment
html: <input id="$i" type="date" aria-label="Day $#" value="2026-03-04">
key: ArrowRight
key: ArrowUp
key: 5
do: $i.focus()
do: $i.value = '2026-05-06'
show: $i.value

# time-segment
html: <input id="$i" type="time" aria-label="Hour $#" value="10:30">
key: ArrowRight
key: ArrowUp
key: Tab
key: 1
do: $i.focus()
show: $i.value

# month-and-week-segment
html: <input id="$i" type="«month|week|datetime-local»" aria-label="When $#">
key: ArrowRight
key: ArrowUp
key: 1
do: $i.focus()
show: $i.value

# date-half-typed
html: <input id="$i" type="date" aria-label="Day $#">
key: 1
key: ArrowUp
key: Backspace
do: $i.focus()
do: $i.blur()
show: $i.value + $i.validity.badInput

# editor-typing-style
html: <div id="$e" contenteditable role="textbox" aria-label="Editor $#">text</div>
key: Control+b
key: Control+i
key: Control+u
key: x
do: $e.focus(); getSelection().collapse($e, $e.childNodes.length)
show: $e.innerHTML

# editor-list-typing
html: <div id="$e" contenteditable role="textbox" aria-label="Editor $#"><ul><li>one</li></ul></div>
key: Enter
key: Backspace
key: x
do: $e.focus(); getSelection().selectAllChildren($e); getSelection().collapseToEnd()
show: $e.innerHTML

# editor-deleted-style
html: <div id="$e" contenteditable role="textbox" aria-label="Editor $#">a<b>b</b></div>
key: Backspace
key: x
key: Delete
do: $e.focus(); getSelection().selectAllChildren($e); getSelection().collapseToEnd()
show: $e.innerHTML

# editor-caret-affinity
html: <div id="$e" contenteditable role="textbox" aria-label="Editor $#" style="width: 40px">aaa bbb ccc ddd</div>
key: End
key: ArrowUp
key: ArrowDown
key: Home
key: x
do: $e.focus(); getSelection().collapse($e.firstChild, 2)
show: $e.innerHTML + getSelection().anchorOffset

# selection-moved-by-line
html: <div id="$e" contenteditable role="textbox" aria-label="Editor $#" style="width: 70px">aaaa bbbb cc dddd eeee</div>
do: $e.focus(); getSelection().collapse($e.firstChild, 8)
do: getSelection().modify('move', 'forward', 'line')
do: getSelection().modify('move', 'backward', 'lineboundary')
show: getSelection().anchorOffset

# area-caret-column
html: <textarea id="$t" aria-label="Area $#" cols="20" rows="4">long line one&#10;ab&#10;long line three</textarea>
key: ArrowDown
key: ArrowUp
key: End
key: x
do: $t.focus(); $t.setSelectionRange(9, 9)
show: $t.value + $t.selectionStart

# select-multiple-anchor
html: <select id="$s" multiple size="5" aria-label="Many $#"><option>one<option>two<option>three<option>four<option>five</select>
key: ArrowDown
key: Shift+ArrowDown
key: Shift+ArrowUp
key: Space
key: End
do: $s.focus()
do: $s.options[3].selected = true
show: [...$s.selectedOptions].map(o => o.text)

# select-list-typed
html: <select id="$s" size="4" aria-label="List $#"><option>apple<option>apricot<option>banana<option>blue</select>
key: a
key: b
key: ArrowDown
do: $s.focus()
show: $s.value

# select-type-ahead
html: <select id="$s" aria-label="Drop $#"><option>apple<option>apricot<option>banana<option>blue</select>
key: a
key: p
key: b
do: $s.focus()
show: $s.value

# dialog-closed-by
html: <dialog id="$d" closedby="«any|closerequest|none»"><button>Inside $#</button></dialog>
key: Escape
do: $d.showModal()
do: $d.closedBy = 'any'
show: $d.open

# dialog-cancel-twice
html: <dialog id="$d"><button>Inside $#</button></dialog>
js: let $n = 0; $d.oncancel = event => { $n++; event.preventDefault() }
key: Escape
do: $d.open || $d.showModal()
show: $d.open + ' ' + $n

# popover-hint-and-auto
html: <div id="$p" popover>auto</div><div id="$q" popover="hint">hint</div>
key: Escape
do: $p.togglePopover()
do: $q.togglePopover()
show: $p.matches(':popover-open') + '/' + $q.matches(':popover-open')

# focus-group-radio
html: <form><input type="radio" name="$g" id="$a" aria-label="A $#"><input type="radio" name="$g" id="$b" aria-label="B $#"><input type="radio" name="$g" aria-label="C $#"></form>
key: ArrowRight
key: Tab
key: Space
do: $a.focus()
do: $b.name = $b.name === '$g' ? 'other' : '$g'
show: document.activeElement.id + $a.checked + $b.checked

# sequential-start
html: <a href="#$p">Jump $#</a><button id="$x">X $#</button><p id="$p" tabindex="-1">target</p><button id="$y">Y $#</button>
key: Tab
key: Shift+Tab
do: getSelection().collapse($p, 0)
do: $x.focus(); $x.blur()
show: document.activeElement.id

# sequential-start-removed
html: <div id="$d"><button id="$x">X $#</button></div><button id="$y">Y $#</button>
key: Tab
do: $x.focus(); $x.remove()
do: $d.append($x)
show: document.activeElement.id

# area-scrolled-and-sized
html: <textarea id="$t" rows="2" aria-label="Area $#">one&#10;two&#10;three&#10;four&#10;five</textarea>
key: End
key: PageDown
do: $t.focus(); $t.scrollTop = 30
do: $t.style.height = '90px'
show: $t.scrollTop + $t.value.length

# field-scrolled
html: <input id="$i" size="5" aria-label="Narrow $#" value="a very long text that scrolls">
key: End
key: Home
do: $i.focus(); $i.setSelectionRange(28, 28)
do: $i.scrollLeft = 20
do: $i.blur()
show: $i.scrollLeft

# field-max-length-typed
html: <input id="$i" maxlength="5" minlength="3" aria-label="Short $#">
css: #$i:invalid { padding-left: 20px }
key: a
key: Backspace
do: $i.value = 'ab'
do: $i.focus()
show: $i.validity.tooShort + $i.value

# checkbox-indeterminate-click
html: <input id="$c" type="checkbox" aria-label="Check $#">
key: Space
do: $c.indeterminate = true
do: $c.onclick = event => event.preventDefault()
show: $c.checked + '' + $c.indeterminate

# number-stepped
html: <input id="$i" type="number" step="3" min="1" aria-label="Count $#" value="4">
key: ArrowUp
key: 5
key: Backspace
do: $i.focus()
do: $i.stepUp()
show: $i.value

# range-stepped
html: <input id="$i" type="range" min="0" max="100" step="7" aria-label="Slide $#">
key: ArrowRight
key: Home
do: $i.focus()
do: $i.value = 50; $i.max = 40
do: $i.max = 100
show: $i.value

# colour-space-and-alpha
html: <input id="$i" type="color" aria-label="Tint $#" value="#123456">
do: $i.setAttribute('colorspace', 'display-p3')
do: $i.value = 'red'
do: $i.setAttribute('value', '#ff0000')
show: $i.value

# type-changed-value
html: <input id="$i" aria-label="Any $#" value="7">
do: $i.type = 'number'
do: $i.type = 'hidden'
do: $i.type = 'text'
do: $i.value = 'abc'
show: $i.value + $i.getAttribute('value')

# type-changed-checkable
html: <input id="$i" aria-label="Any $#" type="checkbox">
do: $i.type = $i.type === 'checkbox' ? 'text' : 'checkbox'
do: $i.checked = true; $i.value = 'v'
do: $i.setAttribute('value', 'attr')
show: $i.value + $i.checked + $i.getAttribute('value')

# default-button
html: <form id="$f" onsubmit="return false"><input id="$i" aria-label="Field $#"><button id="$a">One $#</button><button id="$b">Two $#</button></form>
css: button:default { padding-left: 25px }
key: Enter
do: $a.type = $a.type === 'submit' ? 'button' : 'submit'
do: $b.disabled = !$b.disabled
do: $i.focus()
show: $f.querySelector(':default')?.id

# fieldset-disabled
html: <fieldset id="$s"><legend><input aria-label="In legend $#"></legend><input id="$i" aria-label="In set $#"></fieldset>
do: $i.focus(); $s.disabled = true
do: $s.disabled = false
show: $i.matches(':disabled') + document.activeElement.tagName

# inert-with-focus
html: <div id="$d"><button id="$b">B $#</button></div>
key: Tab
do: $b.focus(); $d.inert = true
do: $d.inert = false
show: document.activeElement.id

# list-chosen-by-agent
html: <select id="$s" multiple size="4" aria-label="Many $#"><option>one<option>two<option>three<option>four</select>
key: Shift+ArrowDown
do: $s.focus()
do: $s.options.selectedIndex = 1
do: $s.options[0]?.remove()
do: $s.options.length = 2
show: [...$s.selectedOptions].map(o => o.text)

# field-too-short-then-left
html: <form id="$f"><input id="$i" minlength="4" aria-label="Short $#"><textarea id="$t" minlength="3" aria-label="Area $#"></textarea></form>
css: :is(#$i, #$t):invalid { padding-left: 20px }
key: a
key: Tab
do: $i.focus()
do: $t.focus()
do: $i.minLength = 2
show: $i.validity.tooShort + '/' + $t.validity.tooShort

# form-owner-by-parser
html: <table><form id="$f"><tr><td><input id="$i" name="$n" aria-label="Owned $#"></td><td id="$d"><img id="$m" name="$g" alt="x"></td></tr></form></table>
do: $m.remove()
do: $d.append($m)
do: $i.remove()
do: document.body.append($i)
show: ($i.form === null) + '/' + ($f.elements.length) + '/' + typeof $f.$g

# area-clicked-in-wrap
html: <textarea id="$t" cols="8" rows="4" aria-label="Area $#">aaaa bbbb cccc dddd eeee ffff</textarea>
key: End
key: x
key: Home
do: $t.rows = $t.rows === 4 ? 5 : 4
show: $t.value + $t.selectionStart

# field-form-attribute
html: <form id="$f"></form><form id="$h"></form><input form="$f" id="$x" name="$old" aria-label="Named $#">
do: void $f.$old; $x.name = '$new'
do: $x.setAttribute('form', $x.form === $f ? '$h' : '$f')
show: typeof $f.$old + typeof $f.$new + typeof $h.$new

# output-modes
html: <form id="$f"><output id="$o">start</output></form>
do: $o.value = $o.value + '1'
do: $o.defaultValue = 'other'
do: $f.reset()
do: $o.textContent = 'text'
show: $o.value + '/' + $o.defaultValue

# number-written
html: <input id="$i" type="«number|email»" aria-label="Written $#">
key: 5
key: Backspace
do: $i.focus()
do: $i.value = $i.type === 'number' ? '1234' : 'a@b.c'
do: $i.select()
show: $i.value

# dirname-and-auto
html: <form id="$f"><input id="$i" name="n" dir="auto" aria-label="Text $#"></form>
do: $i.value = 'אב'
do: $i.value = 'ab'
show: $i.matches(':dir(rtl)') + getComputedStyle($i).direction
`,
);
