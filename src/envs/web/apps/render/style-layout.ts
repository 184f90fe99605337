/** The page, its bars and sections, lists, forms and dialogs. */
export const layoutStyle = `
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--ground); }
body {
  margin: 0; min-height: 100vh; color: var(--text); font-size: var(--size); line-height: 1.45; overflow-wrap: anywhere;
  font-family: 'Inter', 'Segoe UI', 'Helvetica Neue', 'Liberation Sans', Arial, 'DejaVu Sans', sans-serif;
  padding-bottom: 40px;
}
button, input, textarea, select, h2, p { font: inherit; color: inherit; margin: 0; letter-spacing: inherit; }
svg { display: block; width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; flex: none; }
body[data-layout~='side'] { padding-left: var(--aside); }

nav[data-look='side'] {
  position: fixed; inset: 0 auto 0 0; width: var(--aside); overflow-y: auto; padding: 16px 12px; background: var(--side);
  border-right: var(--stroke) solid var(--line); display: flex; flex-direction: column; gap: 2px;
}
nav[data-look='side'] > button { margin: 6px 0 10px; justify-content: center; flex: none; }
[data-part='logo'] {
  width: 30px; height: 30px; border-radius: 8px; background: linear-gradient(145deg, var(--accent), var(--hue-3)); color: #fff;
  display: grid; place-items: center; font-weight: 700; font-size: 16px; flex: none; text-transform: uppercase;
}
html[data-theme='dark'] [data-part='logo'] { background: linear-gradient(145deg, var(--hue-0), var(--hue-3)); }
[data-part='brand'] { font-weight: 700; font-size: 16px; font-family: var(--title-font); letter-spacing: -0.01em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0; max-width: 240px; }
nav[data-look='side'] > [data-part='logo'] { margin: 2px 8px 0; }
nav[data-look='side'] > [data-part='brand'] { margin: -28px 8px 16px 48px; flex: none; }

body > header {
  min-height: 60px; padding: 0 var(--page); background: var(--side); display: flex; align-items: center;
  gap: 4px 12px; border-bottom: var(--stroke) solid var(--line); flex-wrap: wrap;
}
body > header > [data-part='brand'] { margin-right: 12px; }
nav[data-look='bar'] { display: flex; gap: 2px; flex-wrap: wrap; min-width: 0; }
body > header > [role='status'] { margin-left: auto; }

body > :not(nav, header, [role='alert'], [role='dialog']) {
  max-width: 1240px; margin: 0 auto; padding: 24px var(--page) 0;
}
section, [role='form'], [role='search'], [role='toolbar'], [role='dialog'], nav[data-look='pager'] {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--gap);
}
section { row-gap: calc(var(--gap) + 2px); }
section > *, [role='form'] > *, [role='dialog'] > * { flex: 1 1 100%; min-width: 0; max-width: 100%; }
section > :is(button, a, [role='status']), [role='form'] > :is(button, a, [role='status']), [role='dialog'] > :is(button, a, [role='status']) { flex: 0 0 auto; }
[role='dialog'] > :is([role='checkbox'], [role='radio'], [role='switch']) { flex: 1 1 100%; }
section > [role='search'] { flex: 1 1 300px; }
section > [role='toolbar'] { flex: 0 1 auto; }
section > label[data-look~='inline'] { flex: 0 1 auto; }
[data-part='title'] { font-size: 1.72em; font-weight: 700; letter-spacing: -0.02em; line-height: 1.2; font-family: var(--title-font); }
[data-part='over'] { font-size: 0.82em; font-weight: 700; letter-spacing: 0.07em; text-transform: uppercase; color: var(--muted); margin-bottom: -6px; }
[data-part='subtitle'] { font-size: 1.12em; font-weight: 700; letter-spacing: -0.005em; font-family: var(--title-font); }
[data-part='caption'] { font-size: 0.9em; font-weight: 600; color: var(--muted); }
[data-look='back'] { order: -1; margin: -8px 50% -8px 0; }
h2 { font-size: 1.6em; font-weight: 700; line-height: 1.25; letter-spacing: -0.015em; font-family: var(--title-font); unicode-bidi: plaintext; }
body > section[data-look='sheet'] { max-width: 1184px; width: calc(100% - 2 * var(--page)); margin-top: 24px; padding: 20px 28px 28px; background: var(--surface); border: var(--stroke) solid var(--line); border-radius: calc(var(--radius) + 2px); box-shadow: var(--shadow); }
section[data-look='sheet'] :is([role='list'], [role='form'], section) { box-shadow: none; }
section[data-look='section'] { background: var(--surface); border: var(--stroke) solid var(--line); border-radius: var(--radius); padding: var(--pad); box-shadow: var(--shadow); }

[role='list'], [role='table'] { background: var(--surface); border: var(--stroke) solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); overflow: clip; }
[role='list'] > [data-part='caption'], [role='table'] > [data-part='caption'] { display: block; padding: var(--row) var(--pad); border-bottom: var(--stroke) solid var(--line); background: var(--sunken); }
[role='list'][data-look='none'] { border-style: dashed; background: none; box-shadow: none; padding: calc(var(--pad) * 1.2); text-align: center; }
[role='list'][data-look='none'] > [data-part='caption'] { border: 0; background: none; padding: 4px 0 0; }
[data-part='blank'] { color: var(--edge); display: grid; place-items: center; font-size: 1.7em; }

[role='row'], [role='listitem'] { display: flex; align-items: center; gap: 4px 12px; padding: var(--row) var(--pad); min-height: calc(var(--control) + 12px); position: relative; }
:is([role='row'], [role='listitem']) + :is([role='row'], [role='listitem']) { border-top: var(--stroke) solid var(--line); }
:is([role='row'], [role='listitem']):hover { background: var(--sunken); }
:is([role='row'], [role='listitem']):has(> [aria-checked='true'][role='checkbox']) { background: var(--tint); }
[data-states~='unread'] { font-weight: 700; background: linear-gradient(90deg, var(--accent) 3px, transparent 3px); }
[data-look='line'] > :is([role='checkbox'], [role='radio'], [role='switch'], [data-part='portrait']) { order: -1; }
[data-look='line'] > [role='switch']:not([data-look='star']) { order: 5; }
[data-look='line'] > [data-part='lead'] { flex: 0 0 232px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
[role='listitem'][data-look='line'] > [data-part='lead'] { flex-basis: 150px; }
[data-look='line'] > [data-part='key'] { flex: 0 0 84px; color: var(--muted); font-variant-numeric: tabular-nums; }
[data-part='aside'] { color: var(--muted); font-weight: 400; flex: none; }
[data-part='when'] { order: 9; margin-left: auto; color: var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums; font-size: 0.93em; }
[data-states~='unread'] > [data-part='when'] { color: var(--text); }
[data-look='line'] > [data-part='pill'], [data-look='line'] > [data-part='aside'] { order: 4; }
[data-look='line'] > :is(p, label, [role='status']) { order: 4; }
[data-look='line'] > :is(button[data-look~='quiet'], a[data-look='link']) { order: 5; }
[data-look='entry'] { display: grid; grid-template-columns: auto minmax(34%, 1fr); grid-auto-columns: minmax(0, max-content); column-gap: 12px; row-gap: 0; padding-block: calc(var(--row) + 3px); }
[data-look='entry'] > * { grid-row: 1 / span 4; }
[data-look='entry'] > [data-part='portrait'] { grid-column: 1; }
[data-look='entry'] > [data-part='rating'] { grid-column: 1; grid-row: 1; }
[data-look='entry'] > [data-part='lead'] { grid-column: 2; grid-row: 1; font-weight: 650; }
[data-look='entry']:not(:has(> p)) > [data-part='lead'] { grid-row: 1 / span 4; }
[data-look='entry']:not(:has(> :is([data-part='portrait'], [data-part='rating']))) > [data-part='lead'] { grid-column: 1 / span 2; }
[data-look='entry'] > p { grid-column: 2; grid-row: auto; }
[data-look='entry']:not(:has(> [data-part='portrait'])) > p { grid-column: 1 / span 2; }
[data-look='entry'] > p:last-of-type:not(:only-of-type) { color: var(--muted); font-size: 0.93em; }
[data-look='loose'] { flex-wrap: wrap; }
[data-look='loose'] > :is([data-part='lead'], p, h2, label[data-look~='textarea']) { flex: 1 1 100%; }
section[data-look='section'] > [role='listitem'] { padding-inline: 0; background: none; }
[data-part='portrait'] { width: 32px; height: 32px; border-radius: 50%; display: grid; place-items: center; font-size: 12px; font-weight: 700; color: #fff; flex: none; }
html[data-density='compact'] [data-part='portrait'] { width: 24px; height: 24px; font-size: 10px; }
${[0, 1, 2, 3, 4, 5].map(hue => `[data-amount='${hue}'] { background-color: var(--hue-${hue}); }`).join('\n')}

[role='list'][data-look='tiles'] { display: grid; grid-template-columns: repeat(auto-fill, minmax(228px, 1fr)); gap: 16px; background: none; border: 0; box-shadow: none; overflow: visible; }
[role='list'][data-look='tiles'] > [data-part='caption'] { grid-column: 1 / -1; background: none; border: 0; padding: 4px 0 0; }
[data-look='tile'] { flex-wrap: wrap; gap: 4px 8px; align-content: flex-start; padding: 0 14px 14px; border: var(--stroke) solid var(--line) !important; border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); overflow: clip; }
[data-look='tile']:hover { background: var(--surface); border-color: var(--edge) !important; }
[data-part='thumb'] { flex: 1 0 calc(100% + 28px); margin: 0 -14px 6px; height: 108px; display: grid; place-items: center; font-size: 42px; font-weight: 700; color: #fff; font-family: var(--title-font);
  background-image: radial-gradient(circle at 16% 16%, rgb(255 255 255 / 0.26), transparent 46%), radial-gradient(circle at 86% 94%, rgb(0 0 0 / 0.24), transparent 56%); }
html[data-density='compact'] [data-part='thumb'] { height: 60px; font-size: 28px; }
[data-look='tile'] > a { order: 1; flex: 1 0 100%; padding-block: 0; }
[data-look='tile'] > [data-part='price'] { order: 2; flex: 1 0 100%; }
[data-look='tile'] > :is([data-part='rating'], [data-part='aside']) { order: 3; }
[data-look='tile'] > [data-part='pill'] { order: 4; margin-left: auto; }
[data-part='price'] { order: 2; flex: 1 0 60%; }
[data-look='tile'] > [data-part='rating'] { order: 3; }
[data-look='tile'] > [data-part='rating'] + [data-part='aside'] { order: 3; margin-left: 0; }
[data-look='tile'] > [data-part='pill'] { order: 4; }
[data-part='price'] { font-weight: 700; font-size: 1.14em; }

section > [role='list'][data-look='column'], section > p[data-look='column'] { flex: 0 0 calc((100% - 2 * var(--gap)) / 3); min-width: 232px; align-self: flex-start; background: var(--sunken); }
[role='list'][data-look='column'] { padding: 10px; display: grid; gap: 8px; }
[role='list'][data-look='column'] > [data-part='caption'] { border: 0; background: none; padding: 2px 4px; color: var(--text); }
[role='list'][data-look='column'] > p { color: var(--muted); padding: 0 4px; }
section[data-look='board'] > [role='toolbar'] { flex: 1 1 100%; }
p[data-look='column'] { border: var(--stroke) dashed var(--line); border-radius: var(--radius); padding: 12px 14px; font-weight: 600; font-size: 0.9em; color: var(--muted); }

[role='table'] { display: table; width: 100%; border-collapse: collapse; overflow: clip; }
[role='table'] > [data-part='caption'] { display: table-caption; border: var(--stroke) solid var(--line); border-bottom: 0; border-radius: var(--radius) var(--radius) 0 0; }
[role='table'] > [role='row'] { display: table-row; }
[role='table'] > [role='row'] > * { display: table-cell; padding: var(--row) var(--pad); vertical-align: middle; border-bottom: var(--stroke) solid var(--line); }
[role='cell'] { unicode-bidi: plaintext; font-variant-numeric: tabular-nums; }

[role='form'] { background: var(--surface); border: var(--stroke) solid var(--line); border-radius: var(--radius); padding: var(--pad); box-shadow: var(--shadow); align-items: flex-end; }
[role='form'] > label, [role='form'] > [role='switch'] { flex: 0 0 calc((100% - 2 * var(--gap)) / 3); min-width: 220px; }
[role='form'] > label[data-look~='wide'] { flex: 1 0 calc((200% - var(--gap)) / 3); }
[role='form'] > label[data-look~='textarea'] { flex: 1 1 100%; }
[role='form'] > [role='checkbox'] { flex: 0 0 auto; }
[role='form'][data-look='radios'] { gap: 6px; }
[role='form'] > [role='radio'] { flex: 1 1 100%; }

[role='dialog'] {
  position: relative; z-index: 20; width: min(460px, 100% - 2 * var(--page)); margin: 6vh auto 24px; padding: 24px; background: var(--raised); border-radius: calc(var(--radius) + 4px);
  box-shadow: 0 0 0 var(--stroke) var(--line), var(--lift), 0 0 0 500vmax var(--shade); justify-content: flex-end; outline: 0;
}
section > [role='dialog'] { flex: 0 1 460px; margin: 8px auto 24px; }
[role='dialog'] > [data-part='subtitle'] { font-size: 1.25em; margin-bottom: 4px; }
[role='menu'] { width: max-content; min-width: 200px; max-width: 100%; padding: 6px; background: var(--raised); border: var(--stroke) solid var(--line); border-radius: var(--radius); box-shadow: var(--lift); display: grid; }
section > [role='menu'] { flex: 0 0 auto; width: min(264px, 100%); margin-right: calc(100% - min(264px, 100%)); }
[role='menu'] > [data-part='caption'] { padding: 4px 10px 6px; }

@media (max-width: 720px) {
  body[data-layout~='side'] { padding-left: 0; }
  nav[data-look='side'] { position: static; width: auto; flex-direction: row; align-items: center; overflow-x: auto; padding: 8px var(--page); gap: 4px; border-right: 0; border-bottom: var(--stroke) solid var(--line); scrollbar-width: none; }
  nav[data-look='side'] > * { flex: none; }
  nav[data-look='side'] > button { margin: 0 4px 0 0; }
  nav[data-look='side'] > [data-part='logo'] { margin: 0; }
  nav[data-look='side'] > [data-part='brand'] { margin: 0 8px 0 0; }
  body > section[data-look='sheet'] { width: auto; margin: 12px var(--page) 0; padding: 14px 14px 18px; }
  body > header { padding: 8px var(--page); }
  nav[data-look='bar'] { order: 9; flex: 1 1 100%; flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  nav[data-look='bar'] > * { flex: none; }
  [role='form'] > label, [role='form'] > [role='switch'], section > label[data-look~='inline'], section > [role='toolbar'] { flex: 1 1 100%; }
  :is([role='row'], [role='listitem'])[data-look='line'] { flex-wrap: wrap; gap: 2px 6px; padding-block: 8px; }
  [data-look='line'] > [data-part='lead'] { flex: 1 1 0; min-width: 0; }
  [data-look='line'] > [data-part='when'] { order: 2; }
  [data-look='line'] > [data-look='subject'] { order: 3; flex: 1 1 100%; }
  [data-look='line'] > p { order: 4; }
  [data-look='line'] > button[data-look~='quiet'] { order: 5; }
  [role='list'][data-look='tiles'] { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; }
  [data-look='entry'] { display: flex; flex-wrap: wrap; row-gap: 4px; }
  [data-look='entry'] > [data-part='lead'] { flex: 1 1 calc(100% - 60px); }
  [data-look='entry'] > p { flex: 1 1 100%; }
  section > :is([role='list'], p)[data-look='column'] { flex: 1 1 100%; }
}
`;
