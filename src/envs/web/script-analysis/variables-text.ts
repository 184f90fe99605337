import type { ScopeNote } from '../page-program/page-records.ts';

/** What stands for variables: read and written where their names are known. */
export function rootsText(names: readonly string[]): string {
  const roots = names.map(
    name => `{__proto__:null,get(){try{return ${name}}catch{}},set(espalierValue){try{${name}=espalierValue}catch{}}}`,
  );
  return listText(roots);
}

/** A list that inherits nothing of the page. */
function listText(items: readonly string[]): string {
  return `({__proto__:null,${[...items.map((item, index) => `${index}:${item}`), `length:${items.length}`].join()}})`;
}

/** What is evaluated in a function that stands still. */
export function variablesText({ names, wantsThis, privates, owners }: ScopeNote): string {
  const fields = privates.flatMap(home => home.fields);
  const accessors = fields.map(
    name =>
      `{__proto__:null,has:value=>#${name} in value,get:value=>value.#${name},set(value,member){value.#${name}=member}}`,
  );
  const scopes = owners.map(({ mark, names: its }) => {
    const text = JSON.stringify(JSON.stringify(its));
    return `{__proto__:null,mark:${mark},names:${text},roots:${rootsText(its)}}`;
  });
  const parts = [
    `variables:${rootsText(names)}`,
    `self:${wantsThis ? 'this' : 'undefined'}`,
    `privates:${listText(accessors)}`,
    `owners:${listText(scopes)}`,
  ];
  return `({__proto__:null,${parts.join()}})`;
}
