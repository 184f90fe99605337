import type { PageFields } from './records.ts';

const holding = new Set(['INPUT', 'TEXTAREA', 'SELECT', 'OPTION', 'DIALOG', 'OUTPUT']);
const isOn = (value: boolean): string => (value ? '1' : '0');

type Field = HTMLInputElement;

/** Reads and writes what elements hold beside their attributes. */
// oxlint-disable-next-line max-lines-per-function -- one closure over the state of the part
export function createFields(document: Document): PageFields {
  const complaintOf = ({ validity, validationMessage }: Field): string =>
    validity.customError ? `!${validationMessage}` : '';

  /** Whether a value or a choice is the person's, and no longer that of the attribute. A copy tells: it has the same flags. */
  function dirtOf(field: Field): string {
    const copy = field.cloneNode() as Field;
    const isCheckable = field.tagName === 'INPUT' && (field.type === 'checkbox' || field.type === 'radio');
    if (isCheckable) {
      const before = copy.checked;
      copy.defaultChecked = !copy.defaultChecked;
      const isChecked = copy.checked === before;
      copy.defaultChecked = !copy.defaultChecked;
      return isOn(isChecked);
    }
    if (field.tagName === 'INPUT' && !hasValueMode(field)) return '0';
    if (field.value !== field.defaultValue) return '1';
    const probe = field.type === 'number' ? '7' : field.type === 'range' ? '77' : 'espalier';
    copy.defaultValue = copy.defaultValue === probe ? `${probe}7` : probe;
    return isOn(copy.value === field.value && copy.value !== copy.defaultValue);
  }

  const hasValueMode = ({ type }: Field): boolean =>
    !['hidden', 'submit', 'image', 'reset', 'button', 'file', 'checkbox', 'radio'].includes(type);
  const isJudged = (field: Element): string => isOn(field.matches(':user-valid, :user-invalid'));

  function caretOf(field: Field): readonly unknown[] {
    try {
      return typeof field.selectionStart === 'number'
        ? [field.selectionStart, field.selectionEnd, field.selectionDirection]
        : [];
    } catch {
      return [];
    }
  }

  function heldBy(element: Element): string {
    const field = element as Field;
    switch (element.tagName) {
      case 'INPUT': {
        const value = field.type === 'file' ? String(field.files?.length ?? 0) : field.value;
        const state = [field.checked, field.indeterminate, value, complaintOf(field)];
        return JSON.stringify([...state, dirtOf(field), isJudged(field), ...caretOf(field)]);
      }
      case 'TEXTAREA': {
        const area = element as HTMLTextAreaElement;
        const dirt = isOn(area.value !== area.defaultValue || isDirtyArea(area));
        return JSON.stringify([field.value, complaintOf(field), dirt, isJudged(field), ...caretOf(field)]);
      }
      case 'SELECT': {
        const chosen = [...(element as HTMLSelectElement).options].map(option => isOn(option.selected)).join('');
        return JSON.stringify([chosen, complaintOf(field), isJudged(field), isOn(element.matches(':open'))]);
      }
      case 'OPTION':
        return JSON.stringify([(element as HTMLOptionElement).selected, (element as HTMLOptionElement).defaultSelected]);
      case 'OUTPUT':
        return JSON.stringify([field.value, field.defaultValue, complaintOf(field)]);
      case 'DIALOG': {
        const dialog = element as HTMLDialogElement;
        return JSON.stringify([dialog.matches(':modal'), dialog.returnValue]);
      }
      default:
        return isOn(element.matches(':popover-open'));
    }
  }

  function isDirtyArea(area: HTMLTextAreaElement): boolean {
    const copy = area.cloneNode(true) as HTMLTextAreaElement;
    copy.defaultValue = 'espalier';
    return copy.value !== 'espalier';
  }

  function complain(field: Field, complaint: string): void {
    if (complaintOf(field) !== complaint) field.setCustomValidity(complaint.slice(1));
  }

  /** A field forgets that somebody was in it when its form is reset: it is given a form of its own for that. */
  function makeClean(field: Field): void {
    const form = document.createElement('form');
    form.id = 'espalier-reset';
    const before = field.getAttribute('form');
    if (!field.isConnected || document.body === null) return;
    document.body.append(form);
    field.setAttribute('form', form.id);
    form.reset();
    if (before === null) field.removeAttribute('form');
    else field.setAttribute('form', before);
    form.remove();
  }

  function putCaret(field: Field, [start, end, direction]: readonly unknown[]): void {
    if (typeof start !== 'number') return;
    const now = caretOf(field);
    if (now[0] !== start || now[1] !== end || now[2] !== direction)
      field.setSelectionRange(start, end as number, direction as 'forward');
  }

  function holdInput(field: Field, held: string): void {
    const [checked, indeterminate, value, complaint, dirt, judged, ...caret] = JSON.parse(held) as [
      boolean,
      boolean,
      string,
      string,
      string,
      string,
      ...unknown[],
    ];
    if ((dirt === '0' && dirtOf(field) === '1') || (judged === '0' && isJudged(field) === '1')) makeClean(field);
    const isFile = field.type === 'file';
    if (!isFile && (field.value !== value || (dirt === '1' && hasValueMode(field) && dirtOf(field) === '0')))
      field.value = value;
    if (field.checked !== checked || (dirt === '1' && !hasValueMode(field) && dirtOf(field) === '0'))
      field.checked = checked;
    if (field.indeterminate !== indeterminate) field.indeterminate = indeterminate;
    complain(field, complaint);
    putCaret(field, caret);
  }

  function holdArea(field: Field, held: string): void {
    const [value, complaint, dirt, judged, ...caret] = JSON.parse(held) as [string, string, string, string, ...unknown[]];
    const isDirty = isDirtyArea(field as unknown as HTMLTextAreaElement);
    if ((dirt === '0' && isDirty) || (judged === '0' && isJudged(field) === '1')) makeClean(field);
    if (field.value !== value || (dirt === '1' && !isDirty)) field.value = value;
    complain(field, complaint);
    putCaret(field, caret);
  }

  function holdSelect(select: HTMLSelectElement, held: string): void {
    const [chosen, complaint, judged] = JSON.parse(held) as [string, string, string];
    if (judged === '0' && isJudged(select) === '1') makeClean(select as unknown as Field);
    if (!chosen.includes('1')) select.selectedIndex = -1;
    for (const [index, option] of [...select.options].entries()) {
      const isWanted = chosen[index] === '1';
      if (option.selected !== isWanted && (isWanted || select.multiple)) option.selected = isWanted;
    }
    complain(select as unknown as Field, complaint);
  }

  function holdDialog(dialog: HTMLDialogElement, held: string): void {
    const [isModal, returned] = JSON.parse(held) as [boolean, string];
    if (dialog.matches(':modal') !== isModal) {
      const isOpen = dialog.open;
      // Only an open one can be closed, and only a closed one can be made modal.
      dialog.open = true;
      dialog.close();
      if (isModal) dialog.showModal();
      else dialog.open = isOpen;
    }
    dialog.returnValue = returned;
  }

  return {
    isHolding: element => holding.has(element.tagName) || element.hasAttribute('popover'),
    heldBy,
    hold(element, held) {
      if (element.tagName === 'INPUT') holdInput(element as Field, held);
      else if (element.tagName === 'TEXTAREA') holdArea(element as Field, held);
      else if (element.tagName === 'SELECT') holdSelect(element as HTMLSelectElement, held);
      else if (element.tagName === 'DIALOG') holdDialog(element as HTMLDialogElement, held);
      // What is chosen is written by the select around it.
      else if (element.tagName === 'OPTION' || element.tagName === 'OUTPUT') return;
      else if (held === '1') (element as HTMLElement).showPopover();
      else (element as HTMLElement).hidePopover();
    },
  };
}
