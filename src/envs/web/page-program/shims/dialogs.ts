import type { PageIncident } from '../page-records.ts';
import type { PageClipboard, PageListeners, PageShadowRoots } from '../parts.ts';

/** Answers for the person at the screen where the browser would ask or hand over to others. */
export function createDialogs(
  listeners: PageListeners,
  roots: PageShadowRoots,
  incidents: PageIncident[],
): PageClipboard {
  const Real = Promise;
  let clipboard = '';
  const told = (kind: 'dialog' | 'popup' | 'download' | 'blocked', detail: string): void =>
    void incidents.push({ kind, detail });

  /** Nobody is there to answer a dialog: it is told, and answered with no. */
  function answerDialogs(): void {
    const said = (message: unknown): string => (message === undefined ? '' : String(message));
    globalThis.alert = message => told('dialog', `alert: ${said(message)}`);
    globalThis.confirm = message => {
      told('dialog', `confirm, answered with no: ${said(message)}`);
      return false;
    };
    globalThis.prompt = message => {
      told('dialog', `prompt, answered with nothing: ${said(message)}`);
      return null;
    };
    globalThis.print = () => told('dialog', 'print');
    globalThis.open = url => {
      told('popup', `a window was refused: ${withoutDrawnName(said(url)) || 'about:blank'}`);
      return null;
    };
  }

  /** There is one page: what leads to another window or to a file stays undone. */
  function keepInside(): void {
    const isElsewhere = (target: string): boolean => target !== '' && !/^_(self|top|parent)$/i.test(target);
    const refuse = (event: Event, kind: 'popup' | 'download', detail: string): void => {
      event.preventDefault();
      told(kind, detail);
    };
    const hear = (event: Event, target: EventTarget | null): void => {
      const link = (target as Element | null)?.closest?.('a[href],area[href]') as HTMLAnchorElement | null;
      if (link === null || link === undefined || event.defaultPrevented) return;
      const address = link.getAttribute('href') as string;
      if (link.hasAttribute('download'))
        refuse(event, 'download', `a download was refused: ${withoutDrawnName(address)}`);
      else if (isElsewhere(link.target)) refuse(event, 'popup', `a window was refused: ${withoutDrawnName(address)}`);
    };
    listeners.hear('click', hear, true);
    listeners.hear('auxclick', event => event.preventDefault(), true);
    const submitted = (event: Event, form: EventTarget | null): void => {
      const target =
        (event as SubmitEvent).submitter?.getAttribute('formtarget') ?? (form as HTMLFormElement | null)?.target ?? '';
      if (!event.defaultPrevented && isElsewhere(target))
        refuse(event, 'popup', 'a window was refused: that of a form');
    };
    listeners.hear('submit', submitted, true);
  }

  /** What was undone cannot be kept: scripts that have a history of their own still hear the keys. */
  function refuseUndo(): void {
    const stop = (event: Event): void => {
      if (!(event as InputEvent).inputType?.startsWith('history')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    listeners.hear('beforeinput', stop);
    const execute = document.execCommand.bind(document);
    Document.prototype.execCommand = (command, ...rest) => {
      if (!/^(undo|redo)$/i.test(command)) return execute(command, ...rest);
      told('blocked', `${command}: the history of a field is not kept`);
      return false;
    };
  }

  /** Pages share the clipboard of their browser: each gets one of its own. */
  function replaceClipboard(): void {
    const execute = document.execCommand.bind(document);
    const ask = (type: string, target: EventTarget | null): DataTransfer | null => {
      const clipboardData = new DataTransfer();
      if (type === 'paste') clipboardData.setData('text/plain', clipboard);
      const asked = new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true, composed: true });
      const isOurs = target?.dispatchEvent(asked) === true;
      return isOurs ? null : clipboardData;
    };
    const chosen = (): string => {
      const { value, selectionStart, selectionEnd } = (roots.activeElement() ?? {}) as Partial<HTMLInputElement>;
      if (typeof value !== 'string') return String(getSelection() ?? '');
      return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
    };
    const hear = (event: Event, target: EventTarget | null): void => {
      if (!event.isTrusted) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const given = ask(event.type, target);
      if (event.type === 'paste') {
        if (given === null && clipboard !== '') execute('insertText', false, clipboard);
        return;
      }
      clipboard = given === null ? chosen() || clipboard : given.getData('text/plain');
      if (event.type === 'cut' && given === null) execute('delete');
    };
    for (const type of ['copy', 'cut', 'paste']) listeners.hear(type, hear);
    const asynchronous = (globalThis as unknown as { Clipboard?: { prototype: object } }).Clipboard?.prototype;
    if (asynchronous === undefined) return;
    Object.assign(asynchronous, {
      readText: () => Real.resolve(clipboard),
      writeText: (text: unknown) => {
        clipboard = String(text);
        return Real.resolve();
      },
    });
  }

  answerDialogs();
  keepInside();
  replaceClipboard();
  refuseUndo();
  return {
    capture: () => clipboard,
    restore(text) {
      clipboard = text;
    },
  };
}

/** The browser draws a random name for each address of a blob: it is left out, so that fresh replays tell the same. */
function withoutDrawnName(address: string): string {
  return address.replace(/^(blob:.*\/)[\da-f-]{36}/, '$1…');
}
