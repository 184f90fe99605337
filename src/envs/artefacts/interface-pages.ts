import { z } from 'zod';
import type { UiNode } from '../../core/ui.ts';
import type { InterfaceBrief } from './interface-brief.ts';
import { fieldMatch } from './field-match.ts';

/** A user sees so many controls of a page without scrolling. */
export const mostControls = 8;

const label = z.string().min(1).max(60);
const controlSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('link'), label, to: label }),
  z.strictObject({ kind: z.literal('text'), label }),
  z.strictObject({ kind: z.literal('choice'), label, options: z.array(label).min(1).max(12).readonly() }),
  z.strictObject({ kind: z.literal('check'), label }),
  z.strictObject({ kind: z.literal('button'), label }),
]);
type Control = z.infer<typeof controlSchema>;

/** The pages that an agent designs; users begin at the first. A button sends what was entered on its page. */
export const pagesSchema = z.strictObject({
  title: label,
  pages: z
    .array(z.strictObject({ name: label, controls: z.array(controlSchema).max(mostControls).readonly() }))
    .min(1)
    .max(12)
    .readonly(),
});
export type Pages = z.infer<typeof pagesSchema>;
export type Page = Pages['pages'][number];

/** What was recovered from pages: their title, their buttons, and what each sends. */
export function fieldsOfPages({ title, pages }: Pages): readonly string[] {
  const forms = pages.flatMap(({ controls }) =>
    controls.flatMap(control =>
      control.kind === 'button'
        ? [`form: ${control.label}`, ...controls.flatMap(other => fieldText(control.label, other))]
        : [],
    ),
  );
  return [`title: ${title}`, ...forms];
}

function fieldText(button: string, control: Control): readonly string[] {
  if (control.kind === 'link' || control.kind === 'button') return [];
  const options = control.kind === 'choice' ? ` of ${control.options.join(', ')}` : '';
  return [`${button}: ${control.label}, ${control.kind}${options}`];
}

/** Pages that do exactly what the brief asks for: a page for each form, and a first one that leads to them. */
export function writePages({ title, forms }: InterfaceBrief): Pages {
  const links = forms.map(({ button }) => ({ kind: 'link' as const, label: button, to: button }));
  const pages = forms.map(({ button, fields }) => ({
    name: button,
    controls: [...fields, { kind: 'button' as const, label: button }],
  }));
  return { title, pages: [{ name: 'Home', controls: links }, ...pages] };
}

/** How much of a brief pages ask users for, and how little else. */
export function pagesMatch(pages: Pages | null, brief: InterfaceBrief): number {
  return pages === null ? 0 : fieldMatch(fieldsOfPages(pages), fieldsOfPages(writePages(brief)));
}

/** A page as users see it. */
export function pageScreen({ name, controls }: Page): UiNode {
  return { role: 'region', name, children: controls.map(controlNode) };
}

function controlNode(control: Control): UiNode {
  if (control.kind === 'text') return { role: 'textbox', name: control.label, value: '' };
  if (control.kind === 'choice') return { role: 'combobox', name: control.label, options: control.options };
  if (control.kind === 'check') return { role: 'checkbox', name: control.label };
  return control.kind === 'link'
    ? { role: 'link', name: `${control.label} (to ${control.to})` }
    : { role: 'button', name: control.label };
}
