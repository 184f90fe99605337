import { defineApp, type App } from '../../../worlds/app/app.ts';
import type { Spec } from '../spec/schema.ts';
import { specTemplates } from '../tasks/templates.ts';
import { allOf, entityCommands, searchQuery, settingCommand } from './commands.ts';
import { createGestures } from './gestures.ts';
import { createModel, stateSchema, type SynthState } from './model.ts';
import { seedState } from './seed.ts';
import { createView } from './view.ts';

/** The app that a spec describes: state, commands, screens and tasks. */
export function createSynthApp(spec: Spec): App<SynthState> {
  const model = createModel(spec);
  const gestures = createGestures(model);
  const own = new Map(spec.entities.map(entity => [entity.id, entityCommands(model, entity)]));
  const commands = (entity: string) => own.get(entity) ?? entityCommands(model, model.entity(entity));
  const changeSetting = settingCommand(model);
  return defineApp<SynthState>({
    id: spec.id,
    title: spec.title,
    about: spec.about,
    state: stateSchema(spec),
    init: random => seedState(model, random),
    commands: [
      ...[...own.values()].flatMap(allOf),
      ...(changeSetting === null ? [] : [changeSetting]),
      ...spec.entities.map(entity => searchQuery(model, entity)),
      ...Object.values(gestures),
    ],
    view: createView({ model, gestures, commands, changeSetting }),
    templates: specTemplates(model),
    synonyms: spec.synonyms,
    onRefusal(draft, message) {
      draft.ui.notice = message;
    },
  });
}
