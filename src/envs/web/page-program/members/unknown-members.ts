import { understoodUnlessHeld } from './conditions.ts';
import { languageMembers } from './language.ts';
import { hasMember, understoodMembers } from './members.ts';
import { steadyMembers } from './steady.ts';
import { prototypeOf, replaceGetter } from '../shims/clock-sources.ts';
import type { TellRealClock } from '../real-sources.ts';
import { wrapUnlistedMembers } from './member-wires.ts';

/** Whether a member that no snapshot covers is known to give the same each time the page is replayed. */
export function isSteadyMember(what: string): boolean {
  const [owner = '', member = 'constructor'] = what.split('.');
  // Classes of elements can only be extended; what they do is what their members do.
  if (member === 'constructor' && /^(HTML|SVG)\w*Element$/.test(owner)) return true;
  // Members that a snapshot understands only when they are read.
  return hasMember(steadyMembers, owner, member) || hasMember(understoodMembers, owner, member);
}

/** What a certificate says of a member that is not known. */
export function unknownMember(what: string): string {
  return `a script used ${what}, which may follow the real clock or real chance`;
}

/** Members that only parts of ours for pages with snapshots make the same each time. */
const knownInPages = [
  ['NavigationHistoryEntry', 'key'],
  ['Response', 'body'],
] as const;

export interface UnknownMembers {
  isQuiet(): boolean;
  /** Does something that is not the page's doing. */
  quietly<T>(work: () => T): T;
}

/** Tells of every member that a script uses and that may show the real clock or real chance. For realms without snapshots. */
export function watchUnknownMembers(tell: TellRealClock): UnknownMembers {
  let isOurs = 0;
  const used = (what: string): void => {
    if (isOurs === 0 && !isSteadyMember(what)) tell(unknownMember(what));
  };
  wrapUnlistedMembers({ known: [understoodMembers, languageMembers, understoodUnlessHeld, steadyMembers], used });
  for (const [owner, name] of knownInPages)
    replaceGetter(prototypeOf(owner), name, value => {
      used(`${owner}.${name}`);
      return value;
    });
  return {
    isQuiet: () => isOurs > 0,
    quietly(work) {
      isOurs++;
      try {
        return work();
      } finally {
        isOurs--;
      }
    },
  };
}
