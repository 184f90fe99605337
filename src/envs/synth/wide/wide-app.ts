import type { UiNode } from '../../../core/ui.ts';
import { defineApp, type App } from '../../../worlds/app/app.ts';
import { entityCommands, searchQuery, settingCommand } from '../app/commands.ts';
import { createGestures } from '../app/gestures.ts';
import { createModel, stateSchema, type SynthState } from '../app/model.ts';
import { seedState } from '../app/seed.ts';
import type { Spec } from '../spec/schema.ts';
import { createWideCommands } from './app/wide-commands.ts';
import { createWideGestures } from './app/wide-gestures.ts';
import { wideTemplates } from './tasks/wide-templates.ts';
import { createWideView } from './view/wide-view.ts';

/** The app of a spec with operations: its commands ask for values, and its screens are as people write them. */
export function createWideApp(spec: Spec): App<SynthState> {
  const model = createModel(spec);
  const gestures = { ...createGestures(model), ...createWideGestures() };
  const wide = createWideCommands(model);
  const own = new Map(spec.entities.map(entity => [entity.id, entityCommands(model, entity)]));
  const commands = (entity: string) => own.get(entity) ?? entityCommands(model, model.entity(entity));
  const changeSetting = settingCommand(model);
  const view = remembered(createWideView({ model, gestures, commands, wide, changeSetting }));
  const records = spec.pages.flatMap(({ entity }) => [commands(entity).create, commands(entity).remove]);
  return defineApp<SynthState>({
    id: spec.id,
    title: spec.title,
    about: spec.about,
    state: stateSchema(spec),
    init: random => seedState(model, random),
    commands: [
      ...records.filter(command => command !== null),
      ...wide.operations.values(),
      ...wide.bulk.values(),
      ...wide.flags.values(),
      ...(changeSetting === null ? [] : [changeSetting]),
      ...spec.entities.map(entity => searchQuery(model, entity)),
      ...Object.values(gestures),
    ],
    view,
    templates: wideTemplates(model, view),
    synonyms: spec.synonyms,
    onRefusal(draft, message) {
      draft.ui.notice = message;
    },
  });
}

/** Evidence is looked for on the screen that is drawn anyway: states do not change, so it is drawn once. */
function remembered(draw: (state: SynthState) => UiNode): (state: SynthState) => UiNode {
  const drawn = new WeakMap<SynthState, UiNode>();
  return state => {
    const known = drawn.get(state) ?? draw(state);
    drawn.set(state, known);
    return known;
  };
}
