import type { JsonObject } from '../../core/json.ts';
import type { UiNode } from '../../core/ui.ts';
import type { App } from '../../worlds/app/app.ts';
import { inputMembers } from '../inputs/members.ts';

/**
 * Names elements by what they are, whatever record they stand for: the role, the command, and the choices and flags in
 * its input. The links to two messages have one name, the buttons "Archive" and "Delete" have two.
 */
export function createControlNames<S extends JsonObject>(app: App<S>): (element: UiNode) => string {
  const fixedKeys = new Map(
    app.commands.map(command => [
      command.name,
      (inputMembers(command) ?? [])
        .filter(({ kind }) => kind === 'choice' || kind === 'boolean')
        .map(({ key }) => key)
        .toSorted(),
    ]),
  );
  return ({ role, press, enter }) => {
    const intent = press ?? enter;
    if (intent === undefined) return role;
    const keys = fixedKeys.get(intent.command) ?? [];
    const values = keys.flatMap(key => (intent.input[key] === undefined ? [] : [String(intent.input[key])]));
    return [role, intent.command, ...values].join(' ');
  };
}
