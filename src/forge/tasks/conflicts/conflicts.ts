import type { JsonObject } from '../../../core/json.ts';
import type { AppTemplate } from '../../../worlds/app/template.ts';
import type { ForgeWorkshop } from '../command-template.ts';
import { conflictTemplate } from './conflict-template.ts';
import { alreadyDone, missingRecord } from './done-or-missing.ts';
import { duplicateName } from './duplicate-name.ts';
import { staleValue } from './stale-value.ts';
import { wrongValue } from './wrong-value.ts';

export function conflictTemplates<S extends JsonObject>(workshop: ForgeWorkshop<S>): AppTemplate<S>[] {
  return [alreadyDone, missingRecord, staleValue, duplicateName, wrongValue].map(conflict =>
    conflictTemplate(workshop, conflict<S>(workshop)),
  );
}
