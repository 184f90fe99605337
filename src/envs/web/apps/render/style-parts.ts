/** Buttons, links, fields, toggles, texts and marks. */
export const partStyle = `
button, a[role], [data-ref][tabindex] { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
html[data-theme='contrast'] :focus-visible { outline: 4px solid var(--accent); }
[role='dialog']:focus-visible { outline: 0; }

button { appearance: none; border: var(--stroke) solid transparent; background: none; padding: 0; text-align: start; border-radius: var(--round); max-width: 100%; line-height: 1.3; }
button[data-look~='plain'], button[data-look~='solid'], button[data-look~='quiet'], [role='tab'] {
  display: inline-flex; align-items: center; justify-content: center; gap: 7px; min-height: var(--control); padding: 4px 14px; font-weight: 600; background: var(--surface); border-color: var(--line);
}
button[data-look~='plain'] { border-color: color-mix(in srgb, var(--edge) 55%, var(--line)); box-shadow: var(--shadow); }
button[data-look~='plain']:hover, button[data-look~='quiet']:hover { background: var(--sunken); border-color: var(--edge); }
button[data-look~='solid'] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); box-shadow: var(--shadow); }
button[data-look~='solid']:hover { background: color-mix(in srgb, var(--accent) 86%, var(--text)); }
button[data-look~='quiet'] { min-height: calc(var(--control) - 4px); padding: 2px 10px; background: none; font-weight: 600; font-size: 0.95em; }
button[data-look~='danger'] { color: var(--danger); }
button[data-look~='danger']:hover { background: var(--danger-tint); border-color: var(--danger); }
button[data-look~='solid'][data-look~='danger'] { background: var(--danger); border-color: var(--danger); color: var(--on-accent); }
button[data-look~='solid'][data-look~='danger']:hover { background: color-mix(in srgb, var(--danger) 86%, var(--text)); }
button[aria-expanded] { background: var(--tint) !important; border-color: var(--accent) !important; color: var(--on-tint); }
:disabled, [aria-disabled] { cursor: not-allowed; }
button:disabled, button:disabled:hover { background: var(--sunken); border-color: var(--line); color: var(--muted); box-shadow: none; }
[role='row'] > button, [role='listitem'] > button, [role='row'] > label, [role='listitem'] > label { flex: none; }

a { color: var(--accent); border-radius: 4px; text-decoration: none; unicode-bidi: plaintext; }
a:hover { text-decoration: underline; }
a[data-look='place'], a[data-look='back'] { display: flex; align-items: center; gap: 10px; color: var(--muted); font-weight: 600; min-height: var(--target); text-decoration: none; }
a[data-look='place'] { padding: 0 10px; border-radius: var(--round); color: var(--text); font-weight: 500; flex: none; max-width: 100%; max-height: 120px; overflow: hidden; }
nav[data-look='side'] > a[data-look='place'] > [data-part='icon'] { color: var(--muted); }
nav[data-look='bar'] > a[data-look='place'] > [data-part='icon'] { display: none; }
a[data-look='place']:hover { background: var(--sunken); }
a[data-look='place'][aria-current] { background: var(--tint); color: var(--on-tint); font-weight: 700; }
a[data-look='place'][aria-current] > [data-part='icon'] { color: inherit; }
html[data-theme='warm'] a[data-look='place']:hover { background: var(--line); }
a[data-look='back']:hover { color: var(--accent); }
a[data-look='link'] { font-weight: 600; min-height: calc(var(--target) - 12px); display: inline-flex; align-items: center; }
a[data-look='subject'] { flex: 1 1 0; min-width: 40%; color: var(--text); font-weight: inherit; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; padding: 6px 0; }
[role='listitem'] > a[data-look='subject'] { font-weight: 600; }
[role='row'] > a[data-look='subject']:has(+ p) { flex: 0 1 auto; min-width: 25%; }
[role='row'] > a[data-look='subject'] + p[data-look='meta'] { flex: 1 1 0; }
a[data-look='subject']:hover { color: var(--accent); }
a[data-look='card'] { display: block; color: var(--text); background: var(--surface); padding: var(--row) var(--pad); }
a[data-look='card']:hover { color: var(--accent); background: var(--sunken); text-decoration: none; }
[data-look='rows'] > a + a { border-top: var(--stroke) solid var(--line); }
[data-look='column'] > a[data-look='card'] { border: var(--stroke) solid var(--line); border-radius: var(--round); padding: 10px 12px; box-shadow: var(--shadow); }
[data-look='column'] > a[data-look='card']:hover { background: var(--surface); border-color: var(--accent); }

[role='menuitem'] { display: flex; align-items: center; gap: 10px; min-height: var(--target); padding: 4px 10px; }
[role='menuitem']:hover { background: var(--sunken); }
[role='menuitem'] > [data-part='icon'] { color: var(--muted); }
[role='menuitem'][aria-checked] { font-weight: 700; color: var(--on-tint); background: var(--tint); }
[role='menuitem'][aria-checked] > [data-part='icon'] { color: inherit; }
[role='tab'] { border-radius: 0; background: none; border-color: transparent; border-bottom: 3px solid transparent; }
[role='tab'][aria-selected] { color: var(--accent); border-bottom-color: var(--accent); }

label { display: flex; min-width: 0; max-width: 100%; position: relative; }
label > [data-part='label'] { color: var(--muted); font-weight: 600; font-size: 0.92em; }
label > [data-part='required'] { color: var(--danger); font-weight: 700; }
label[data-look~='stacked'] { display: grid; grid-template-columns: auto 1fr; gap: 4px; }
label[data-look~='stacked'] > :is(input, select, textarea, [data-part='shown']) { grid-area: 2 / 1 / 3 / 3; width: 100%; }
input, textarea, select {
  border: var(--stroke) solid color-mix(in srgb, var(--edge) 75%, var(--line)); background: var(--surface); border-radius: var(--round); min-height: var(--control); padding: 4px 11px; min-width: 0; line-height: 1.35; unicode-bidi: plaintext;
}
textarea { min-height: calc(var(--control) * 3.4); resize: vertical; padding-block: 8px; field-sizing: content; max-height: 50vh; }
:is(input, textarea, select):hover { border-color: var(--edge); }
:is(input, textarea, select):focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; border-color: var(--accent); }
:is(input, textarea, select)[aria-invalid] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
:is(input, textarea, select):is(:disabled, [readonly]) { background: var(--sunken); color: var(--muted); }
::placeholder { color: var(--muted); opacity: 1; }
label[data-look='seek'] { flex: 1 1 240px; }
label[data-look='seek'] > [data-part='icon'] { position: absolute; left: 11px; top: 0; bottom: 0; display: grid; place-items: center; color: var(--muted); }
label[data-look='seek'] > input { flex: 1; padding-left: 36px; }
select, ::picker(select) { appearance: base-select; }
select { display: inline-flex; align-items: center; cursor: pointer; gap: 8px; max-width: 100%; overflow: hidden; }
select::picker-icon { color: var(--muted); font-size: 0.72em; align-self: center; margin-left: auto; }
::picker(select) { background: var(--raised); color: var(--text); border: var(--stroke) solid var(--line); border-radius: var(--radius); box-shadow: var(--lift); padding: 5px; margin-block: 4px; font-size: var(--size); max-height: 60vh; }
option { padding: 4px 10px; min-height: calc(var(--target) - 6px); border-radius: calc(var(--round) - 2px); font-weight: 400; color: var(--text); align-items: center; display: flex; }
option:hover, option:focus { background: var(--sunken); outline: 0; }
option:focus-visible { background: var(--tint); color: var(--on-tint); }
option:checked { font-weight: 700; }
label[data-look~='inline'] { display: grid; grid-template-columns: auto auto minmax(0, 1fr); align-items: center; border: var(--stroke) solid color-mix(in srgb, var(--edge) 75%, var(--line)); border-radius: var(--round); background: var(--surface); cursor: pointer; }
label[data-look~='inline']:hover { border-color: var(--edge); }
label[data-look~='inline']:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: -1px; }
label[data-look~='inline']:has([aria-invalid]) { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
label[data-look~='inline'] > [data-part='label'] { padding-left: 11px; max-width: 180px; max-height: 120px; overflow: hidden; }
label[data-look~='inline'] > :is(select, input, [data-part='shown']) { grid-area: 1 / 3; width: 100%; }
label[data-look~='inline'] > :is(select, input) { border: 0; box-shadow: none; background: none; padding-left: 7px; font-weight: 600; outline: 0; min-height: calc(var(--control) - 2 * var(--stroke)); max-width: 260px; }
[data-part='shown'] { padding: 4px 34px 4px 12px; color: var(--muted); pointer-events: none; align-self: center; position: relative; z-index: 1; overflow: hidden; max-height: var(--control); }
label[data-look~='inline'] > [data-part='shown'] { padding-left: 7px; }

:is([role='checkbox'], [role='radio'], [role='switch']) { display: inline-flex; align-items: center; gap: 9px; min-height: var(--target); padding: 2px 4px; }
[data-part='box'] { width: 18px; height: 18px; border: max(1.5px, var(--stroke)) solid var(--edge); border-radius: 5px; display: grid; place-items: center; background: var(--surface); flex: none; font-size: 12px; }
[data-part='box'] > svg { stroke-width: 2.6; visibility: hidden; }
[role='radio'] > [data-part='box'] { border-radius: 50%; }
:is([role='checkbox'], [role='radio']):hover > [data-part='box'] { border-color: var(--accent); }
[aria-checked='true'] > [data-part='box'] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
[role='checkbox'][aria-checked='true'] > [data-part='box'] > svg { visibility: visible; }
[role='radio'][aria-checked='true'] > [data-part='box'] { background: radial-gradient(circle, var(--on-accent) 33%, var(--accent) 38%); }
[role='form'] > [role='radio'] { border: var(--stroke) solid var(--line); border-radius: var(--round); padding: 6px 12px; min-height: calc(var(--control) + 6px); }
[role='form'] > [role='radio']:hover { background: var(--sunken); }
[role='form'] > [role='radio'][aria-checked='true'] { border-color: var(--accent); background: var(--tint); color: var(--on-tint); font-weight: 600; }
[role='row'] > [role='checkbox'], [role='listitem'] > [role='checkbox'] { margin-left: -8px; min-width: var(--target); justify-content: center; }
[data-part='track'] { width: 36px; height: 20px; border-radius: 10px; background: var(--edge); position: relative; flex: none; }
[data-part='track']::after { content: ''; position: absolute; width: 16px; height: 16px; left: 2px; top: 2px; border-radius: 50%; background: var(--surface); }
[aria-checked='true'] > [data-part='track'] { background: var(--accent); }
[aria-checked='true'] > [data-part='track']::after { left: 18px; background: var(--on-accent); }
[role='form'] > [role='switch'] { justify-content: space-between; border: var(--stroke) solid var(--line); border-radius: var(--round); padding: 4px 12px; min-height: var(--control); }
[role='switch'][data-look='star'] { color: var(--text); min-width: var(--target); justify-content: center; font-weight: 600; }
[role='switch'][data-look='star'][aria-checked='true'] { color: var(--star); }
[role='switch'][data-look='star'][aria-checked='true'] svg { fill: currentColor; }
[role='switch'][data-look='star']:hover { background: var(--sunken); }
:is([role='row'], [role='listitem']) > [role='switch'][data-look='star'] { margin-left: -8px; }
[role='toolbar'] > [role='switch'][data-look='star'] { padding: 4px 12px; min-height: var(--control); border: var(--stroke) solid color-mix(in srgb, var(--edge) 55%, var(--line)); background: var(--surface); }

[role='toolbar'] { gap: 6px; }
[role='toolbar'] > button[data-look~='plain'] { padding: 4px 11px; }
[role='toolbar'][data-look='told'] { flex: 1 1 100%; background: var(--tint); color: var(--on-tint); border-radius: var(--radius); padding: 6px 10px; }
[role='toolbar'][data-look='told'] > [data-part='caption'] { color: inherit; margin-right: 8px; font-weight: 700; }
[role='toolbar'][data-look='told'] > button { color: var(--text); }
[role='toolbar'][data-look='told'] > button[data-look~='danger'] { color: var(--danger); }
nav[data-look='pager'] { justify-content: center; }
nav[data-look='pager'] > [data-part='caption'] { margin-right: 8px; font-variant-numeric: tabular-nums; }
nav[data-look='pager'] > button:has(+ button) { order: -1; }

p { unicode-bidi: plaintext; white-space: pre-wrap; }
section > p[data-look='line'] { padding-right: max(0px, 100% - 80ch); }
p[data-look='meta'] { color: var(--muted); font-weight: 400; white-space: normal; }
[data-look='line'] > p[data-look='meta'] { flex: 0 1 auto; max-width: 52%; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
p[data-look='line'] { color: inherit; }
p[data-look='pair'], p[data-look~='sum'] { display: grid; grid-template-columns: 112px minmax(0, 1fr); column-gap: 12px; }
p[data-look='pair'] + p[data-look='pair'], p[data-look~='sum'] + p[data-look~='sum'] { margin-top: calc(4px - var(--gap)); }
p > [data-part='key'] { color: var(--muted); font-weight: 600; }
section > p[data-look~='sum'] { grid-template-columns: 1fr auto; flex: 0 0 auto; width: min(360px, 100%); margin-right: calc(100% - min(360px, 100%)); font-variant-numeric: tabular-nums; }
p[data-look~='sum'] > [data-part='value'] { text-align: end; font-weight: 600; }
section > p[data-look~='total'] { border-top: var(--stroke) solid var(--line); margin-top: 0 !important; padding-top: 8px; font-size: 1.15em; }
p[data-look~='total'] > * { color: var(--text) !important; font-weight: 700 !important; }
p[data-look='empty'] { text-align: center; color: var(--muted); border: var(--stroke) dashed var(--line); border-radius: var(--radius); padding: 48px 20px; font-weight: 600; }
p[data-look='empty'] > [data-part='blank'] { font-size: 2.4em; margin-bottom: 6px; }
[data-part='comma'] { font-size: 0; }
[data-part='chip'] { display: inline-block; padding: 1px 8px; margin: 2px 3px; border-radius: 999px; background: var(--sunken); border: var(--stroke) solid var(--line); font-size: 0.88em; color: var(--text); white-space: nowrap; }
[data-part='pill'], [role='status'] { padding: 2px 10px; border-radius: 999px; font-size: 0.9em; font-weight: 650; background: var(--sunken); flex: none; border: var(--stroke) solid var(--line); display: inline-flex; align-items: center; gap: 7px; max-width: 100%; }
:is([data-part='chip'], [data-part='pill'])[data-amount='good'], [role='status'][data-look='good'] { color: var(--good); background: var(--good-tint); border-color: transparent; }
:is([data-part='chip'], [data-part='pill'])[data-amount='bad'], [role='status'][data-look='bad'] { color: var(--danger); background: var(--danger-tint); border-color: transparent; }
:is([data-part='chip'], [data-part='pill'])[data-amount='busy'], [role='status'][data-look='busy'] { color: var(--busy); background: var(--busy-tint); border-color: transparent; }
html[data-theme='contrast'] :is([data-part='chip'], [data-part='pill'], [role='status']) { border-color: currentColor !important; }
[data-part='rating'] { color: transparent; background: linear-gradient(90deg, var(--star) var(--amount), var(--line) var(--amount)); background-clip: text; letter-spacing: 1px; flex: none; font-size: 1.05em; }
html[data-theme='contrast'] [data-part='rating'] { background: linear-gradient(90deg, var(--star) var(--amount), #c4c4c4 var(--amount)); background-clip: text; }
[data-part='icon'] { display: grid; place-items: center; flex: none; }

body > [role='alert'] { position: sticky; top: 12px; z-index: 6; pointer-events: none; }
[role='alert'] { display: flex; gap: 10px; align-items: center; width: fit-content; max-width: min(720px, 100% - 2 * var(--page)); margin: 16px auto 0; padding: 10px 16px; background: var(--toast); color: var(--on-toast); border-radius: var(--radius); box-shadow: var(--lift); font-weight: 600; unicode-bidi: plaintext; }
:is(section, [role='form'], [role='dialog']) > [role='alert'] { margin: 0; box-shadow: none; background: var(--danger-tint); color: var(--danger); max-width: 100%; }

@media (max-width: 720px) {
  input, textarea, select { font-size: 16px; }
  label[data-look~='inline'] > :is(select, input) { max-width: none; }
  a[data-look='link'] { min-height: var(--target); }
  a[data-look='subject'] { padding-block: 10px; }
  a[data-look='card'] { padding-block: 12px; }
  button[data-look~='quiet'] { min-height: var(--target); }
  [data-look='line'] > p[data-look='meta'] { max-width: 100%; }
  p[data-look='pair'] { grid-template-columns: 84px minmax(0, 1fr); }
  [role='toolbar'] > button { flex: 1 0 auto; justify-content: center; }
}
`;
