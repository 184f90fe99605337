/** Shows a step of a tree in the panel and on the screenshot beside it. All else works without a script. */
export const script = `
for (const card of document.querySelectorAll('.card')) {
  const panel = card.querySelector('.details');
  if (panel === null) continue;
  const film = card.querySelector('.film');
  let shown = null;
  const select = node => {
    if (node === shown) return;
    shown = node;
    const step = card.querySelector('.step[data-node="' + node + '"]');
    panel.querySelector('.what').textContent = step.dataset.text;
    panel.querySelector('.by').textContent = step.dataset.by;
    panel.querySelector('code').textContent = step.dataset.digest;
    panel.querySelector('.notes').textContent = step.dataset.notes;
    for (const part of card.querySelectorAll('[data-node]')) {
      const own = part.dataset.node === node;
      if (part.matches('.shot')) part.hidden = !own;
      else if (own) part.setAttribute('aria-current', 'true');
      else part.removeAttribute('aria-current');
    }
    const frame = film === null ? null : film.querySelector('.frame[aria-current]');
    if (frame === null) return;
    for (const other of film.children) other.tabIndex = other === frame ? 0 : -1;
    const hidden = frame.offsetLeft < film.scrollLeft || frame.offsetLeft + frame.offsetWidth > film.scrollLeft + film.clientWidth;
    if (hidden) film.scrollLeft = frame.offsetLeft - (film.clientWidth - frame.offsetWidth) / 2;
  };
  const show = event => {
    const part = event.target.closest('.step, .frame');
    if (part !== null) select(part.dataset.node);
  };
  for (const kind of ['pointerover', 'focusin', 'click']) card.addEventListener(kind, show);
  if (film === null) continue;
  select(card.querySelector('.shot:not([hidden])').dataset.node);
  film.addEventListener('keydown', event => {
    const { previousElementSibling: ArrowLeft, nextElementSibling: ArrowRight } = event.target.closest('.frame');
    const { firstElementChild: Home, lastElementChild: End } = film;
    const next = { ArrowLeft, ArrowRight, Home, End }[event.key] ?? null;
    if (next === null) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
  });
}
`;
