import type { UiNode } from '../../../core/ui.ts';
import {
  alert,
  button,
  combobox,
  heading,
  link,
  list,
  listItem,
  menu,
  menuItem,
  navigation,
  page as pageNode,
  region,
  tab,
  toolbar,
  type Child,
} from '../../../worlds/app/elements.ts';
import type { SynthCommand } from './commands.ts';
import { pageTitles } from './gestures.ts';
import { isCovered } from './listing.ts';
import { rowOf, type SynthState } from './model.ts';
import { confirmView, formView, type View } from './view-form.ts';
import { listView, settingsView } from './view-list.ts';
import { recordView } from './view-record.ts';

export interface WholeView extends View {
  readonly changeSetting: SynthCommand | null;
}

export function createView(view: WholeView): (state: SynthState) => UiNode {
  const { spec } = view.model;
  return state => {
    const { notice } = state.ui;
    return pageNode(spec.title, [...mainNavigation(view, state), notice !== '' && alert(notice), body(view, state)]);
  };
}

function mainNavigation({ model, gestures }: View, { ui }: SynthState): Child[] {
  const { navigation: style, words } = model.spec;
  const titles = pageTitles(model);
  const title = titles.find(([, id]) => id === ui.page)?.[0] ?? '';
  const go = (id: string) => gestures.go.with({ page: id });
  switch (style) {
    case 'links':
      return [
        navigation(
          words.menu,
          titles.map(([name, id]) => link(name, go(id), id === ui.page ? ['current'] : undefined)),
          { shuffle: true },
        ),
      ];
    case 'tabs':
      return [
        toolbar(
          words.menu,
          titles.map(([name, id]) => tab(name, go(id), id === ui.page ? ['selected'] : undefined)),
          { shuffle: true },
        ),
      ];
    case 'menu': {
      const isOpen = ui.overlay === 'menu';
      const items = titles.map(([name, id]) => menuItem(name, go(id)));
      return [
        button(words.menu, gestures.showMenu.with({ overlay: 'menu', row: '' }), isOpen ? ['expanded'] : undefined),
        isOpen && menu(words.menu, items, { shuffle: true }),
      ];
    }
    case 'select': {
      const options = titles.map(([name]) => name);
      return [combobox(words.goTo, title, { enter: gestures.goTo.entering({}), options })];
    }
    default:
      return ui.page === 'home' ? [] : [navigation(words.menu, [link(words.home, go('home'))])];
  }
}

function body(view: WholeView, state: SynthState): UiNode {
  const { model, changeSetting } = view;
  const { ui } = state;
  if (ui.page === 'settings' && changeSetting !== null) return settingsView(view, state, changeSetting);
  const page = model.pageOf(ui.page);
  if (page === undefined) return homeView(view);
  const entity = model.entity(page.entity);
  if (isCovered(ui) && ui.overlay === 'confirm') return confirmView(view, state, entity);
  if (isCovered(ui)) return formView(view, state, page);
  const opened = ui.record === '' ? undefined : rowOf(state, entity, ui.record);
  const isAlone = page.opening === 'page' || page.opening === 'dialog';
  return opened !== undefined && isAlone
    ? recordView(view, state, { entity, page, row: opened })
    : listView(view, state, page);
}

function homeView({ model, gestures }: View): UiNode {
  const { words, title, navigation: style } = model.spec;
  const links = pageTitles(model)
    .filter(([, id]) => id !== 'home')
    .map(([name, id]) => listItem(name, [link(name, gestures.go.with({ page: id }))]));
  return region(words.welcome, [heading(title), style === 'home' && list(words.menu, links, { shuffle: true })]);
}
