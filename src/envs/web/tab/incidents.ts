import type { Page } from '../browser/page.ts';

/** Tells of what scripts of the page threw and nobody caught. */
export function hearErrors(page: Page, origin: string): () => void {
  return page.listen(({ method, params }) => {
    if (method !== 'Runtime.exceptionThrown') return;
    const { text, url, lineNumber, exception } = params['exceptionDetails'] as ThrownDetails;
    const [said = text] = (exception?.description ?? text).split('\n', 1);
    const where = url === undefined ? '' : ` (${url.replace(origin, '')}:${lineNumber + 1})`;
    page.report({ kind: 'error', detail: said.replaceAll(origin, '') + where });
  });
}

interface ThrownDetails {
  readonly text: string;
  readonly url?: string;
  readonly lineNumber: number;
  readonly exception?: { readonly description?: string };
}

/** A dialog that no script opens by itself, such as the question whether to leave: answered with no. */
export function refuseDialogs(page: Page): () => void {
  return page.listen(({ method, params }) => {
    if (method !== 'Page.javascriptDialogOpening') return;
    const { type, message } = params as { type: string; message: string };
    page.report({ kind: 'dialog', detail: `${type}, answered with no: ${message}` });
    // A page that is gone meanwhile needs no answer.
    page.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => null);
  });
}
