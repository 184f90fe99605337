import type { AppTemplate } from '../../../worlds/app/template.ts';
import type { Model, SynthState } from '../app/model.ts';
import type { Entity, Page } from '../spec/schema.ts';
import { blockedTemplate, missingTemplate, prepareTemplate } from './blocked-tasks.ts';
import { countTemplate, extremeTemplate, lookupTemplate } from './question-tasks.ts';
import {
  createTemplate,
  editTemplate,
  editTwoTemplate,
  relinkTemplate,
  removeTemplate,
  settingsTemplate,
} from './record-tasks.ts';
import { hasNewTitles } from './values.ts';
import {
  alreadyTemplate,
  isPlainMove,
  moveTemplate,
  pairTemplate,
  reachTemplate,
  type Subject,
} from './workflow-tasks.ts';

type Template = AppTemplate<SynthState>;

/** The tasks that follow from a spec alone. */
export function specTemplates(model: Model): Template[] {
  const [main, ...others] = model.spec.entities.filter(({ id }) => model.pageOf(id) !== undefined);
  const templates = [
    ...(main === undefined ? [] : mainTemplates({ model, entity: main })),
    ...others.flatMap(entity => sideTemplates({ model, entity })),
    ...model.spec.entities
      .filter(entity => isAddedInside(model, entity))
      .map(entity => createTemplate({ model, entity })),
    model.spec.settings.length > 1 ? settingsTemplate(model) : null,
  ];
  return templates.filter(template => template !== null);
}

/** The entity that an app is about has tasks of every kind. */
function mainTemplates(subject: Subject): (Template | null)[] {
  const { entity, model } = subject;
  const page = model.pageOf(entity.id);
  const hasFlow = entity.workflow !== null;
  const isHidden = isHiddenAtStart(model, entity);
  return [
    hasFlow ? moveTemplate(subject) : null,
    hasFlow && hasFarStates(entity) ? reachTemplate(subject) : null,
    hasFlow && isDoneInList(page?.actions) && entity.workflow?.transitions.some(isPlainMove) === true
      ? pairTemplate(subject)
      : null,
    hasFlow && isHidden ? alreadyTemplate(subject) : null,
    hasFlow && isHidden ? blockedTemplate(subject) : null,
    hasFlow ? prepareTemplate(subject) : null,
    hasFlow && page?.search !== 'none' && hasNewTitles(entity) ? missingTemplate(subject) : null,
    page?.creation !== null && hasNewTitles(entity) ? createTemplate(subject) : null,
    editTemplate(subject),
    editTwoTemplate(subject),
    relinkTemplate(subject),
    page?.removable === true ? removeTemplate(subject) : null,
    isHidden ? lookupTemplate(subject) : null,
    countTemplate(subject, 1),
    countTemplate(subject, 2),
    extremeTemplate(subject),
  ];
}

/** The others have the plain ones. */
function sideTemplates(subject: Subject): (Template | null)[] {
  const { entity, model } = subject;
  const page = model.pageOf(entity.id);
  return [
    entity.workflow === null ? null : moveTemplate(subject),
    page?.creation !== null && hasNewTitles(entity) ? createTemplate(subject) : null,
    editTemplate(subject),
    page?.removable === true ? removeTemplate(subject) : null,
    countTemplate(subject, 1),
  ];
}

/** Whether transitions stand in the list itself, where two records are at hand at once. */
function isDoneInList(actions: Page['actions'] | undefined): boolean {
  return actions === 'row' || actions === 'toolbar';
}

/** Whether some records are not on the first screen, so that something is left to look up. */
function isHiddenAtStart({ spec, pageOf }: Model, { id, records }: Entity): boolean {
  const page = pageOf(id);
  return spec.start !== id || (page !== undefined && page.layout !== 'board' && records > page.pageSize);
}

/** Whether a state of the workflow is two steps away from another. */
function hasFarStates({ workflow }: Entity): boolean {
  const transitions = workflow?.transitions ?? [];
  return transitions.some(first =>
    transitions.some(
      second =>
        second.from.includes(first.to) &&
        first.from.some(
          from =>
            from !== second.to && !transitions.some(({ from: own, to }) => own.includes(from) && to === second.to),
        ),
    ),
  );
}

function isAddedInside(model: Model, entity: Entity): boolean {
  return entity.inside !== null && model.pageOf(entity.id) === undefined && hasNewTitles(entity);
}
