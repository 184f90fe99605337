import { z } from 'zod';
import type { Random } from '../../core/random.ts';
import { fieldMatch } from './field-match.ts';

/** What a deck has to say: the brief that is recovered from the slides. */
export const briefSchema = z.strictObject({
  title: z.string().min(1),
  audience: z.string().min(1),
  presenter: z.string().min(1),
  sections: z
    .array(z.strictObject({ heading: z.string().min(1), points: z.array(z.string().min(1)).min(1).readonly() }))
    .min(1)
    .readonly(),
});
export type Brief = z.infer<typeof briefSchema>;

const subjects = ['Harbour', 'Library', 'Bakery', 'Orchard', 'Clinic', 'Museum', 'Workshop', 'Greenhouse'];
const kinds = ['Plan', 'Review', 'Budget', 'Report', 'Proposal'];
const audiences = ['the board', 'new staff', 'the town council', 'volunteers', 'investors'];
const presenters = ['Ada Moen', 'Luca Holm', 'Ines Duarte', 'Tomas Kral', 'Noor Haddad'];
const headings = ['Results', 'Costs', 'Risks', 'Next steps', 'Staff', 'Visitors', 'Deliveries', 'Questions'];
const points = [
  'Costs fell by {n} %',
  'We served {n} guests',
  '{n} repairs are open',
  'The roof needs {n} days of work',
  'Orders rose to {n} a week',
  'We hire {n} people in spring',
  'Training takes {n} hours',
  'Stock lasts {n} weeks',
];

export interface BriefSize {
  readonly sections: number;
  readonly points: number;
}

export function drawBrief({ sections, points: most }: BriefSize, random: Random): Brief {
  return {
    title: `${random.pick(subjects)} ${random.pick(kinds)} ${random.between(2021, 2029)}`,
    audience: random.pick(audiences),
    presenter: random.pick(presenters),
    sections: random.sample(headings, sections).map(heading => ({
      heading,
      points: random
        .sample(points, random.between(1, most))
        .map(point => point.replace('{n}', String(random.between(2, 90)))),
    })),
  };
}

/** The brief in words. */
export function briefText({ title, audience, presenter, sections }: Brief): string {
  const parts = sections.map(
    ({ heading, points: own }) => `"${heading}" with ${own.map(point => `"${point}"`).join(' and ')}`,
  );
  return `Write slides with the title "${title}" for ${audience}, presented by ${presenter}. After the title slide there is one slide for each of these, in this order: ${parts.join('; ')}.`;
}

/** A deck that says exactly the brief. */
export function writeSlides({ title, audience, presenter, sections }: Brief): string {
  const slides = sections.map(
    ({ heading, points: own }) => `## ${heading}\n${own.map(point => `- ${point}`).join('\n')}`,
  );
  return [`# ${title}\nAudience: ${audience}\nPresenter: ${presenter}`, ...slides].join('\n\n');
}

/** What was recovered from slides: fields as `where: value`, in their order. */
export function fieldsIn(deck: string): readonly string[] {
  const fields: string[] = [];
  let slide = 0;
  for (const raw of deck.split('\n')) {
    const line = raw.trim();
    const [, mark, text = ''] = /^(#{1,2}|-|\*|Audience:|Presenter:)\s+(.+)$/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (mark === '##') slide++;
    fields.push(fieldOf(mark, text.trim(), slide));
  }
  return fields;
}

function fieldOf(mark: string, text: string, slide: number): string {
  if (mark === '#') return `title: ${text}`;
  if (mark === '##') return `slide ${slide}: ${text}`;
  return mark.endsWith(':') ? `${mark.slice(0, -1).toLowerCase()}: ${text}` : `point of slide ${slide}: ${text}`;
}

/** How much of a brief slides say, and how little else. */
export function slidesMatch(deck: string, brief: Brief): number {
  return fieldMatch(fieldsIn(deck), fieldsIn(writeSlides(brief)));
}
