import { z } from 'zod';
import type { Random } from '../../core/random.ts';

/** Something that users enter: a text, one of several options, or yes and no. */
const fieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), label: z.string().min(1) }),
  z.strictObject({
    kind: z.literal('choice'),
    label: z.string().min(1),
    options: z.array(z.string().min(1)).min(2).readonly(),
  }),
  z.strictObject({ kind: z.literal('check'), label: z.string().min(1) }),
]);
type Field = z.infer<typeof fieldSchema>;

/** What users have to be able to do: the brief that is recovered from the pages. */
export const interfaceBriefSchema = z.strictObject({
  title: z.string().min(1),
  forms: z
    .array(z.strictObject({ button: z.string().min(1), fields: z.array(fieldSchema).min(1).readonly() }))
    .min(1)
    .readonly(),
});
export type InterfaceBrief = z.infer<typeof interfaceBriefSchema>;

/** Something that a user wants to do: values by label, then the button. */
export interface Job {
  readonly button: string;
  readonly values: Readonly<Record<string, string>>;
}

const places = ['Harbour', 'Library', 'Bakery', 'Orchard', 'Clinic', 'Museum', 'Workshop', 'Greenhouse'];
const kinds = ['Bookings', 'Desk', 'Orders', 'Planner', 'Office'];
const verbs = ['Add', 'Report', 'Request', 'Cancel', 'Move'];
const things = ['visit', 'booking', 'order', 'repair', 'tour', 'loan', 'delivery', 'lesson'];
const fields: readonly Field[] = [
  { kind: 'text', label: 'Name' },
  { kind: 'text', label: 'Phone' },
  { kind: 'text', label: 'Note' },
  { kind: 'text', label: 'Room' },
  { kind: 'choice', label: 'Day', options: ['Monday', 'Tuesday', 'Thursday', 'Saturday'] },
  { kind: 'choice', label: 'Time', options: ['Morning', 'Noon', 'Evening'] },
  { kind: 'choice', label: 'Size', options: ['Small', 'Medium', 'Large'] },
  { kind: 'choice', label: 'Floor', options: ['Ground', 'First', 'Second'] },
  { kind: 'check', label: 'Urgent' },
  { kind: 'check', label: 'Paid' },
  { kind: 'check', label: 'Needs a call' },
];
const texts = ['Ada Moen', 'Luca Holm', 'B12', '555 0134', 'Ring twice', 'Hall 3', 'Noor Haddad', 'Back door'];

export interface InterfaceSize {
  readonly forms: number;
  readonly fields: number;
}

export function drawInterface({ forms, fields: most }: InterfaceSize, random: Random): InterfaceBrief {
  const buttons = verbs.flatMap(verb => things.map(thing => `${verb} ${thing}`));
  return {
    title: `${random.pick(places)} ${random.pick(kinds)}`,
    forms: random.sample(buttons, forms).map(button => ({
      button,
      fields: random.sample(fields, random.between(2, most)),
    })),
  };
}

/** The brief in words. */
export function interfaceText({ title, forms }: InterfaceBrief): string {
  const wanted = forms.map(form => `"${form.button}" with ${form.fields.map(fieldText).join(', ')}`);
  return `Design the pages of "${title}". Its users do this: ${wanted.join('; ')}.`;
}

function fieldText(field: Field): string {
  if (field.kind === 'text') return `"${field.label}" (text)`;
  if (field.kind === 'check') return `"${field.label}" (yes or no)`;
  return `"${field.label}" (one of ${field.options.map(option => `"${option}"`).join(', ')})`;
}

/** What users want to do: each form as often as it takes to choose every option once. */
export function jobsOf({ forms }: InterfaceBrief): readonly Job[] {
  return forms.flatMap(({ button, fields: own }) => {
    const rounds = Math.max(2, ...own.map(field => (field.kind === 'choice' ? field.options.length : 0)));
    return Array.from({ length: rounds }, (_, round) => ({
      button,
      values: Object.fromEntries(own.map((field, at) => [field.label, valueOf(field, round, at)])),
    }));
  });
}

function valueOf(field: Field, round: number, at: number): string {
  if (field.kind === 'text') return texts[(3 * round + at) % texts.length] as string;
  if (field.kind === 'check') return round % 2 === 0 ? 'yes' : 'no';
  return field.options[round % field.options.length] as string;
}
