/** Reads and writes what elements hold beside their attributes. Runs in the page. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installFields(): void {
  const keeper = globalThis.espalierKeeper;
  const holding = new Set(['INPUT', 'TEXTAREA', 'SELECT', 'DIALOG']);
  const isOn = (value: boolean): string => (value ? '1' : '0');
  const complaintOf = ({ validity, validationMessage }: HTMLInputElement): string =>
    validity.customError ? `!${validationMessage}` : '';

  function heldBy(element: Element): string {
    const field = element as HTMLInputElement;
    switch (element.tagName) {
      case 'INPUT': {
        const value = field.type === 'file' ? '' : field.value;
        return JSON.stringify([field.checked, field.indeterminate, value, complaintOf(field)]);
      }
      case 'TEXTAREA':
        return JSON.stringify([field.value, complaintOf(field)]);
      case 'SELECT': {
        const chosen = [...(element as HTMLSelectElement).options].map(option => isOn(option.selected)).join('');
        return JSON.stringify([chosen, complaintOf(field)]);
      }
      case 'DIALOG': {
        const dialog = element as HTMLDialogElement;
        return JSON.stringify([dialog.matches(':modal'), dialog.returnValue]);
      }
      default:
        return isOn(element.matches(':popover-open'));
    }
  }

  function complain(field: HTMLInputElement, complaint: string): void {
    if (complaintOf(field) !== complaint) field.setCustomValidity(complaint.slice(1));
  }

  function holdInput(field: HTMLInputElement, held: string): void {
    const [checked, indeterminate, value, complaint] = JSON.parse(held) as [boolean, boolean, string, string];
    if (field.type !== 'file' && field.value !== value) field.value = value;
    if (field.checked !== checked) field.checked = checked;
    if (field.indeterminate !== indeterminate) field.indeterminate = indeterminate;
    complain(field, complaint);
  }

  function holdSelect(select: HTMLSelectElement, held: string): void {
    const [chosen, complaint] = JSON.parse(held) as [string, string];
    if (!chosen.includes('1')) select.selectedIndex = -1;
    for (const [index, option] of [...select.options].entries()) {
      const isWanted = chosen[index] === '1';
      if (option.selected !== isWanted && (isWanted || select.multiple)) option.selected = isWanted;
    }
    complain(select as unknown as HTMLInputElement, complaint);
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

  keeper.fields = {
    isHolding: element => holding.has(element.tagName) || element.hasAttribute('popover'),
    heldBy,
    hold(element, held) {
      if (element.tagName === 'INPUT') holdInput(element as HTMLInputElement, held);
      else if (element.tagName === 'TEXTAREA') {
        const field = element as HTMLInputElement;
        const [value, complaint] = JSON.parse(held) as [string, string];
        if (field.value !== value) field.value = value;
        complain(field, complaint);
      } else if (element.tagName === 'SELECT') holdSelect(element as HTMLSelectElement, held);
      else if (element.tagName === 'DIALOG') holdDialog(element as HTMLDialogElement, held);
      else if (held === '1') (element as HTMLElement).showPopover();
      else (element as HTMLElement).hidePopover();
    },
  };
}
