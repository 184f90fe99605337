import { z } from 'zod';
import { jsonObjectSchema } from '../json.ts';

/**
 * How a leaf is certified before it is archived, exported or counted as passed.
 * `by-construction`: states are immutable values of ours, so a restored state is the recorded one.
 * `by-replay`: the path is replayed in a fresh session; every digest, observation, outcome and fingerprint, the last picture and the
 * verdict must agree.
 * `none`: the episode was recorded outside of our worlds, as by the proxy; there is nothing to replay.
 */
export const certificationSchema = z.enum(['by-construction', 'by-replay', 'none']);
export type Certification = z.infer<typeof certificationSchema>;

const nodeId = z.int().nonnegative();
const replayed = { leaf: nodeId, milliseconds: z.number().nonnegative() };

const outsideSchema = z.strictObject({
  /** What decided how the world went on, beside the steps. */
  conditions: jsonObjectSchema,
  /** Where the element of each step on the path is. */
  locators: z.array(z.string().nullable()).readonly(),
});
/** What a path needs beside its actions, so that somebody else can take it in a program of their own. */
export type Outside = z.infer<typeof outsideSchema>;

/** What one replay of the path to a leaf showed. */
export const certificateSchema = z.discriminatedUnion('result', [
  z.strictObject({
    result: z.literal('agreed'),
    ...replayed,
    /** For replays in programs of others, where the world can tell; absent in older certificates. */
    outside: outsideSchema.optional(),
  }),
  z.strictObject({
    result: z.literal('diverged'),
    ...replayed,
    /** The first step after which the replay differs; 0 is the initial state. */
    step: z.int().nonnegative(),
    /** The node of that step in the tree. */
    node: nodeId,
    what: z.enum(['digest', 'observation', 'outcome', 'fingerprint', 'picture', 'verdict']),
    /** As recorded, shortened. */
    expected: z.string(),
    got: z.string(),
    /** What the session knows to differ from other sessions. */
    why: z.string().optional(),
  }),
  /** The replay could not be completed: this proves nothing about the leaf. */
  z.strictObject({ result: z.literal('broken'), ...replayed, message: z.string() }),
]);
export type Certificate = z.infer<typeof certificateSchema>;
export type Divergence = Omit<Extract<Certificate, { result: 'diverged' }>, 'leaf' | 'milliseconds'>;

/** The part of an episode that says whether its leaves are certified. */
export interface Certifiable {
  readonly end: { readonly certification: Certification };
  readonly certificates: readonly Certificate[];
}

/** The certificate that counts for a leaf: a divergence before anything else, then an agreement, then the last failure. */
export function certificateOf({ certificates }: Pick<Certifiable, 'certificates'>, leaf: number): Certificate | null {
  const own = certificates.filter(certificate => certificate.leaf === leaf);
  const conclusive = own.find(({ result }) => result === 'diverged') ?? own.find(({ result }) => result === 'agreed');
  return conclusive ?? own.at(-1) ?? null;
}

/** Whether a leaf needs a certificate and has none that agrees. */
export function lacksCertificate(episode: Certifiable, leaf: number): boolean {
  return episode.end.certification === 'by-replay' && certificateOf(episode, leaf)?.result !== 'agreed';
}

/** What others need to take the path to a leaf; null where its replay did not agree, or could not tell. */
export function outsideOf(episode: Pick<Certifiable, 'certificates'>, leaf: number): Outside | null {
  const found = certificateOf(episode, leaf);
  return found?.result === 'agreed' ? (found.outside ?? null) : null;
}

/** Why a leaf is not certified, in a line. */
export function describeLack(episode: Pick<Certifiable, 'certificates'>, leaf: number): string {
  const found = certificateOf(episode, leaf);
  if (found === null) return 'its path was not replayed yet';
  if (found.result === 'broken') return `its path could not be replayed: ${found.message}`;
  if (found.result === 'agreed') return 'nothing is missing';
  const where = found.step === 0 ? 'in the initial state' : `at step ${found.step}`;
  const why = found.why === undefined ? '' : `; ${found.why}`;
  return `its replay differs ${where}: ${found.what} ${found.got} instead of ${found.expected}${why}`;
}
