import type { Job } from './interface-brief.ts';
import type { Page, Pages } from './interface-pages.ts';

/** Links that a user follows from the first page before giving up. */
const mostLinks = 2;

/** What came of a job: null where the user did it, else where it stopped. */
export type Stuck = string | null;

/**
 * A user who tries the pages (AUI-Gym): it looks for the button, from page to page by links, enters each value where its label says so,
 * and presses. It knows no more of the pages than it sees.
 */
export function tryJob({ pages }: Pages, { button, values }: Job): Stuck {
  const page = pagesWithin(pages).find(({ controls }) => controls.some(isButton(button)));
  if (page === undefined)
    return `no page within ${mostLinks} links of "${pages[0]?.name ?? ''}" has a button "${button}"`;
  for (const [label, value] of Object.entries(values)) {
    const stuck = enter(page, label, value);
    if (stuck !== null) return stuck;
  }
  const more = page.controls.find(({ kind, label }) => kind !== 'link' && kind !== 'button' && !(label in values));
  return more === undefined ? null : `"${page.name}" also asks for "${more.label}", which the user does not know`;
}

function isButton(name: string) {
  return ({ kind, label }: Page['controls'][number]): boolean => kind === 'button' && label === name;
}

/** The pages that a user comes to, the nearest first. */
function pagesWithin(pages: readonly Page[]): readonly Page[] {
  const found = pages.slice(0, 1);
  let from = found;
  for (let links = 0; links < mostLinks; links++) {
    const names = new Set(
      from.flatMap(({ controls }) => controls.flatMap(control => (control.kind === 'link' ? [control.to] : []))),
    );
    from = pages.filter(page => names.has(page.name) && !found.includes(page));
    found.push(...from);
  }
  return found;
}

function enter({ name, controls }: Page, label: string, value: string): Stuck {
  const [field, ...others] = controls.filter(
    control => control.label === label && control.kind !== 'link' && control.kind !== 'button',
  );
  if (field === undefined) return `"${name}" has no field "${label}"`;
  if (others.length > 0) return `"${name}" has several fields "${label}"`;
  if (field.kind === 'choice' && !field.options.includes(value)) return `"${label}" does not offer "${value}"`;
  return field.kind === 'check' && value !== 'yes' && value !== 'no' ? `"${label}" takes no text` : null;
}
