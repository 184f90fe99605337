import type { Page } from '../browser/page.ts';
import type { PageRequest } from '../sessions/site.ts';

export interface ScriptWatchOptions {
  /** Whether an event handler is one that the site ships; null where the browser itself runs no other. */
  readonly isOwnHandler: ((text: string) => boolean) | null;
  /** Told of a script that the policy of the site did not let run. */
  stopped(what: string): void;
  /** Told of a script that ran and is not of the site. */
  foreign(what: string): void;
}

/** Tells scripts that a site ships from those that came into its page in another way. */
export interface ScriptWatch {
  isMain(request: PageRequest): boolean;
  /** Resolved when every script that has run so far was looked at. */
  checked(): Promise<void>;
}

/** Listens from outside, where no script of the page reaches. Must be there before the page loads anything. */
export async function watchScripts(page: Page, options: ScriptWatchOptions): Promise<ScriptWatch> {
  const { isOwnHandler } = options;
  /** Looking at scripts, in the order in which they came. */
  let looked: Promise<void> = Promise.resolve();
  const look = (scriptId: string, isOwn: (text: string) => boolean): void => {
    // Read at once: a script is gone with its document.
    const read = sourceOf(page, scriptId);
    looked = looked.then(async () => {
      const source = await read;
      if (source === null || !isOwn(source))
        options.foreign(`a script that the app does not ship ran: ${clipped(source ?? '(gone before it was read)')}`);
    });
  };
  page.listen(({ method, params }) => {
    if (method === 'Audits.issueAdded') {
      const what = stoppedScript(params as unknown as AuditEvent);
      if (what !== null) options.stopped(what);
    } else if (method === 'Debugger.scriptParsed' && isOwnHandler !== null) {
      const { scriptId, embedderName = '' } = params as unknown as ParsedEvent;
      // Ours have no name. A file keeps its name whatever it calls itself; the rest is part of a document.
      if (embedderName !== '' && !isScriptFile(embedderName)) look(scriptId, isOwnHandler);
    }
  });
  const [{ frameTree }] = await Promise.all([
    page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree'),
    page.send('Audits.enable'),
    ...(isOwnHandler === null ? [] : watchHandlers(page)),
  ]);
  return {
    isMain: ({ frameId }) => frameId === frameTree.frame.id,
    async checked() {
      if (isOwnHandler === null) return;
      // Events come in the order in which they happen: when this is answered, all scripts before it were announced.
      await page.send('Debugger.setAsyncCallStackDepth', { maxDepth: 0 });
      await looked;
    },
  };
}

function isScriptFile(address: string): boolean {
  return URL.canParse(address) && /\.m?js$/i.test(new URL(address).pathname);
}

function watchHandlers(page: Page): Promise<unknown>[] {
  // A `debugger` statement must not stop a page that nobody steps through.
  return [page.send('Debugger.enable'), page.send('Debugger.setSkipAllPauses', { skip: true })];
}

/** Null when it cannot be read: then nobody knows that it is of the site. */
async function sourceOf(page: Page, scriptId: string): Promise<string | null> {
  const read = page.send<{ scriptSource: string }>('Debugger.getScriptSource', { scriptId });
  return read.then(
    ({ scriptSource }) => scriptSource,
    () => null,
  );
}

function clipped(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

interface ParsedEvent {
  readonly scriptId: string;
  /** The address of the file or document, also where the script names another one. */
  readonly embedderName?: string;
}

interface AuditEvent {
  readonly issue: {
    readonly code: string;
    readonly details: { readonly contentSecurityPolicyIssueDetails?: PolicyIssue };
  };
}

interface PolicyIssue {
  readonly violatedDirective: string;
  readonly contentSecurityPolicyViolationType: string;
  readonly blockedURL?: string;
}

const names: Readonly<Record<string, string>> = {
  'script-src-attr': 'an event handler',
  'script-src-elem': 'a script or a link that runs one',
  'frame-src': 'a frame',
  'object-src': 'an embedded object',
  'base-uri': 'another base address',
  'worker-src': 'a worker',
  'form-action': 'a form that leads elsewhere',
};

function stoppedScript({ issue }: AuditEvent): string | null {
  const found = issue.details.contentSecurityPolicyIssueDetails;
  if (issue.code !== 'ContentSecurityPolicyIssue' || found === undefined) return null;
  // Only scripts of the app can ask for this: it is their fault, and they are told by an error.
  if (found.contentSecurityPolicyViolationType === 'kEvalViolation') return null;
  const what = names[found.violatedDirective] ?? found.violatedDirective;
  return `${what} that the app does not ship was stopped${found.blockedURL ? `: ${clipped(found.blockedURL)}` : ''}`;
}
