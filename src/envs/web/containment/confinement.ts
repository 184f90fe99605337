import { getuid } from 'node:process';

/** As whom a browser runs, and whether in its sandbox. */
export interface Confinement {
  /** Another user than ours, where we are root. */
  readonly user: number | null;
  readonly sandbox: boolean;
}

/** The strictest confinement that this machine allows, found out by starting a browser. */
export interface Confinements {
  current(): Confinement;
  /** Goes on to a looser one, for this reason; false when there is none. */
  loosen(why: string): boolean;
  /** One line about what is missing; null when the browser is in its sandbox, and not root. */
  notice(): string | null;
  /** Tells of it, once. */
  announce(): void;
}

/** `require`: a browser does not start without its sandbox. `optional`: it does where it has none, and says so. */
export type BrowserSandbox = 'require' | 'optional';

export interface ConfinementOptions {
  readonly isRoot: boolean;
  /** Unless told, it is optional for root, who cannot do otherwise in many containers, and required for others. */
  readonly sandbox?: BrowserSandbox | undefined;
  onNotice?(notice: string): void;
}

/** The user that owns nothing: `nobody`, where the system has a name for it. */
const nobody = 65_534;

export function createConfinements({ isRoot, sandbox, onNotice }: ConfinementOptions): Confinements {
  const isOptional = (sandbox ?? (isRoot ? 'optional' : 'require')) === 'optional';
  // The sandbox of a browser does not run as root: another user comes first.
  const asRoot: readonly Confinement[] = [
    { user: nobody, sandbox: true },
    { user: nobody, sandbox: false },
    { user: null, sandbox: false },
  ];
  const asUser: readonly Confinement[] = [
    { user: null, sandbox: true },
    { user: null, sandbox: false },
  ];
  const choices = (isRoot ? asRoot : asUser).filter(choice => isOptional || choice.sandbox);
  let chosen = 0;
  let reason = '';
  let told: string | null = null;
  const current = (): Confinement => choices[chosen] as Confinement;
  const notice = (): string | null => {
    const { user, sandbox: isInSandbox } = current();
    if (isInSandbox) return null;
    const whom = user === null ? (isRoot ? 'as root, ' : '') : `as user ${user}, `;
    return `The browser runs ${whom}without its sandbox: ${reason}. Open only pages that you trust.`;
  };
  return {
    current,
    loosen(why) {
      if (chosen + 1 >= choices.length) return false;
      chosen++;
      reason = why;
      return true;
    },
    notice,
    announce() {
      const text = notice();
      if (text !== null && text !== told) onNotice?.(text);
      told = text;
    },
  };
}

export function runsAsRoot(): boolean {
  return getuid?.() === 0;
}

/** What browsers and the system say when the sandbox, or the other user, is what keeps a browser from starting. */
const faults = /no usable sandbox|namespace|setuid sandbox|EACCES|EPERM|EINVAL|permission denied/i;

export function isConfinementFault(said: string): boolean {
  return faults.test(said);
}

/** Names of what a browser has no use for: whoever breaks into it must not find keys. */
const secrets = /key|token|secret|password|credential/i;

/** The environment of a browser; another user has no home but its profile. */
export function browserEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  { user }: Confinement,
  profile: string,
): Record<string, string | undefined> {
  const kept = Object.entries(ours).filter(
    ([name]) => !secrets.test(name) && (user === null || !name.startsWith('XDG_')),
  );
  return { ...Object.fromEntries(kept), ...(user === null ? {} : { HOME: profile, TMPDIR: profile }) };
}
