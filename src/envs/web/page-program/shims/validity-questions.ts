import { closedTraps } from '../traps.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Says whether a script is asking right now what is valid: fields tell of it as they do when their form is sent. */
export function watchValidityQuestions(): () => boolean {
  const { apply } = Reflect;
  let asked = 0;
  for (const { prototype } of [HTMLFormElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement])
    for (const name of ['checkValidity', 'reportValidity']) {
      const member = Object.getOwnPropertyDescriptor(prototype, name);
      if (member === undefined) continue;
      const traps = closedTraps<Method>({
        apply(target, self, values: unknown[]) {
          asked++;
          try {
            return apply(target, self, values) as unknown;
          } finally {
            asked--;
          }
        },
      });
      Object.defineProperty(prototype, name, { ...member, value: new Proxy(member.value as Method, traps) });
    }
  return () => asked > 0;
}
