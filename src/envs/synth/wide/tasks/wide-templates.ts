import type { AppTemplate } from '../../../../worlds/app/template.ts';
import type { UiNode } from '../../../../core/ui.ts';
import type { Model, SynthState } from '../../app/model.ts';
import { settingsTemplate } from '../../tasks/record-tasks.ts';
import { hasNewTitles } from '../../tasks/values.ts';
import { operationsOf } from '../app/wide-commands.ts';
import { widePages } from '../view/wide-view.ts';
import { acrossTemplate } from './across-task.ts';
import { askTemplate, firstTemplate, tallyTemplate } from './asking-tasks.ts';
import { beyondTemplate } from './beyond-task.ts';
import { absentTemplate, ensureTemplate, impossibleTemplate, undoTemplate, type Judged } from './judging-tasks.ts';
import { allTemplate, flagTemplate, operationTemplate, sequenceTemplate, severalTemplate } from './operation-tasks.ts';
import { addTemplate, deleteTemplate, sameTemplate } from './record-tasks.ts';

type Template = AppTemplate<SynthState>;

/** The tasks of a wide app: of every kind for what it is about, and the plain ones for the rest. */
export function wideTemplates(model: Model, view: (state: SynthState) => UiNode): Template[] {
  const pages = new Set(widePages(model).map(([, id]) => id));
  const [main, ...others] = model.spec.entities.filter(({ id }) => pages.has(id));
  const isReachable = (id: string): boolean => pages.has(id);
  const templates = [
    ...(main === undefined ? [] : mainTemplates({ model, view, entity: main }, isReachable)),
    ...others.flatMap(entity => sideTemplates({ model, view, entity })),
    ...others
      .filter(other => isShallow(model, other.id))
      .slice(0, 2)
      .map(other =>
        main === undefined || !isShallow(model, main.id) ? null : acrossTemplate({ model, entity: main }, other),
      ),
    model.spec.settings.length > 1 && pages.has('settings') ? settingsTemplate(model) : null,
  ];
  return templates.filter(template => template !== null);
}

function mainTemplates(judged: Judged, isReachable: (entity: string) => boolean): (Template | null)[] {
  const { model, entity } = judged;
  const page = model.pageOf(entity.id);
  return [
    ...operationsOf(model, entity.id).map(operation => operationTemplate(judged, operation)),
    sequenceTemplate(judged),
    severalTemplate(judged),
    flagTemplate(judged),
    allTemplate(judged),
    ensureTemplate(judged),
    impossibleTemplate(judged),
    hasNewTitles(entity) ? absentTemplate(judged) : null,
    undoTemplate(judged),
    sameTemplate(judged),
    askTemplate(judged),
    beyondTemplate(judged, isReachable),
    tallyTemplate(judged),
    firstTemplate(judged),
    page?.creation !== null && hasNewTitles(entity) ? addTemplate(judged) : null,
    page?.removable === true ? deleteTemplate(judged) : null,
  ];
}

const deepShells: ReadonlySet<string> = new Set(['menu', 'nested']);
const deepPlaces: ReadonlySet<string> = new Set(['menu', 'submenu', 'wizard']);

/** Whether little is hidden on the way: tasks with two ways through hidden places take planners long to find. */
function isShallow({ spec }: Model, entity: string): boolean {
  const record = spec.wide?.records[entity];
  return !deepShells.has(spec.wide?.shell ?? '') && !deepPlaces.has(record?.place ?? '') && record?.kind !== 'tabs';
}

const fewOperations = 3;

function sideTemplates(judged: Judged): (Template | null)[] {
  const { model, entity } = judged;
  const page = model.pageOf(entity.id);
  return [
    ...operationsOf(model, entity.id)
      .slice(0, fewOperations)
      .map(operation => operationTemplate(judged, operation)),
    askTemplate(judged),
    tallyTemplate(judged),
    page?.creation !== null && hasNewTitles(entity) ? addTemplate(judged) : null,
  ];
}
