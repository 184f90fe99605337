import type { SiteFile } from '../../src/envs/web/sessions/site.ts';

/** A server that an app talks to: what it answers, and its state after that. */
export interface AppServer {
  readonly start: string;
  /** Null where it has nothing at this path. */
  answer(path: string, state: string): { readonly state: string; readonly file: SiteFile } | null;
}

interface Member {
  readonly name: string;
  readonly active: boolean;
}

const invited = ['Dora', 'Emil', 'Frida', 'Gus'];

/** Renders the members of a club as fragments of HTML, for htmx. */
const members: AppServer = {
  start: JSON.stringify([
    { name: 'Ada', active: true },
    { name: 'Bo', active: false },
    { name: 'Cem', active: true },
  ]),
  answer(path, state) {
    const all = JSON.parse(state) as readonly Member[];
    const [, place, command = '', name] = path.split('/');
    if (place === 'about') return html(state, '<h2>About</h2><p>Founded in 1998.</p>');
    if (place !== 'members') return null;
    if (command === 'toggle') {
      const next = all.map(member => (member.name === name ? { ...member, active: !member.active } : member));
      const text = JSON.stringify(next);
      return html(text, rowOf(next.find(member => member.name === name) as Member) + countOf(next));
    }
    const newcomer = invited.find(each => all.every(member => member.name !== each));
    const next = command === 'invite' && newcomer !== undefined ? [...all, { name: newcomer, active: false }] : all;
    const shown = next.filter(({ active }) => command !== 'active' || active);
    return html(JSON.stringify(next), shown.map(rowOf).join('') + countOf(next));
  },
};

function rowOf({ name, active }: Member): string {
  const button = `<button hx-post="/members/toggle/${name}" hx-target="closest tr" hx-swap="outerHTML">`;
  return `<tr><td>${name}</td><td>${active ? 'active' : 'away'}</td><td>${button}Change ${name}</button></td></tr>`;
}

function countOf(all: readonly Member[]): string {
  const active = all.filter(member => member.active).length;
  return `<p role="status" id="count" hx-swap-oob="true">${active} of ${all.length} active</p>`;
}

function html(state: string, text: string): ReturnType<AppServer['answer']> {
  return { state, file: { body: Buffer.from(text), type: 'text/html; charset=utf-8' } };
}

interface Ticket {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly votes: number;
  readonly isOpen: boolean;
}

/** Tickets as JSON, for TanStack Query. */
const tickets: AppServer = {
  start: JSON.stringify([
    { id: 1, title: 'Heating', text: 'It is cold on the second floor.', votes: 3, isOpen: true },
    { id: 2, title: 'Printer', text: 'It prints everything twice.', votes: 0, isOpen: true },
    { id: 3, title: 'Parking', text: 'The gate does not open.', votes: 7, isOpen: false },
  ]),
  answer(path, state) {
    const all = JSON.parse(state) as readonly Ticket[];
    const [, api, place, number, command] = path.split('/');
    if (api !== 'api' || place !== 'tickets') return null;
    if (number === undefined) return json(state, all);
    const next = all.map(ticket => {
      if (ticket.id !== Number(number)) return ticket;
      if (command === 'vote') return { ...ticket, votes: ticket.votes + 1 };
      return command === 'close' ? { ...ticket, isOpen: false } : ticket;
    });
    return json(JSON.stringify(next), next.find(({ id }) => id === Number(number)) ?? null);
  },
};

function json(state: string, value: unknown): ReturnType<AppServer['answer']> {
  return { state, file: { body: Buffer.from(JSON.stringify(value)), type: 'application/json' } };
}

export const servers: Readonly<Record<string, AppServer>> = { htmx: members, 'tanstack-query': tickets };
