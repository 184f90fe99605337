import { signOfPending, type PermanentMembers } from '../shims/permanent-members.ts';
import type { Key } from './records.ts';

/** Members of objects as scripts take them to be: permanent ones that can still be taken back count as permanent. */
export interface SeenMembers {
  memberOf(value: object, key: Key): PropertyDescriptor | undefined;
  /** Whether a script removed or replaced a member that it had defined for good: the language would not have let it. */
  hasLostMembers(value: object): boolean;
  /** Gives an object a member; what is permanent stays removable until a script asks. */
  define(target: object, key: Key, wanted: PropertyDescriptor): void;
  remove(target: object, key: Key): void;
}

export const isIndex = (key: Key): boolean =>
  typeof key === 'string' && /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

export function createSeenMembers(permanent: PermanentMembers): SeenMembers {
  return {
    memberOf(value, key) {
      const member = Object.getOwnPropertyDescriptor(value, key);
      if (member === undefined || permanent.pendingIn(value)?.has(key) !== true) return member;
      return { ...member, configurable: false };
    },
    hasLostMembers(value) {
      const pending = permanent.pendingIn(value);
      if (pending === null || pending.size === 0) return false;
      return [...pending].some(([key, sign]) => {
        const member = Object.getOwnPropertyDescriptor(value, key);
        return member === undefined || signOfPending(member) !== sign;
      });
    },
    define(target, key, wanted) {
      const there = Object.getOwnPropertyDescriptor(target, key);
      const isHeldBack = wanted.configurable === false && there?.configurable !== false && !isIndex(key);
      Reflect.defineProperty(target, key, isHeldBack ? { ...wanted, configurable: true } : wanted);
      if (isHeldBack) permanent.mark(target, key, signOfPending(wanted));
      else permanent.unmark(target, key);
    },
    remove(target, key) {
      if (Reflect.deleteProperty(target, key)) permanent.unmark(target, key);
    },
  };
}
