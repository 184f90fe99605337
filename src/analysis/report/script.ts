/** Shows a step of a tree in the panel below it. All else works without a script. */
export const script = `
for (const card of document.querySelectorAll('.card')) {
  const panel = card.querySelector('.details');
  if (panel === null) continue;
  let shown = null;
  const show = event => {
    const step = event.target.closest('.step');
    if (step === null || step === shown) return;
    if (shown !== null) shown.removeAttribute('aria-current');
    shown = step;
    step.setAttribute('aria-current', 'true');
    panel.querySelector('.what').textContent = step.dataset.text;
    panel.querySelector('.by').textContent = step.dataset.by;
    panel.querySelector('code').textContent = step.dataset.digest;
    panel.querySelector('.notes').textContent = step.dataset.notes;
  };
  for (const kind of ['pointerover', 'focusin', 'click']) card.addEventListener(kind, show);
}
`;
