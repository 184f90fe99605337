type Method = (this: Element | Window, ...values: unknown[]) => unknown;

/** Where something is scrolled to is there at once: the time that gliding takes is nobody's. */
function atOnce(values: readonly unknown[]): readonly unknown[] {
  const [first, second] = values;
  if (typeof first === 'object' && first !== null) return [{ ...first, behavior: 'instant' }];
  return values.length < 2 ? values : [{ left: first, top: second, behavior: 'instant' }];
}

/** Makes scrolling instant, and tells what scripts of the page scroll. */
export function watchScrolling(told: (target: EventTarget | null) => void): void {
  for (const holder of [Element.prototype, globalThis])
    for (const name of ['scrollTo', 'scroll', 'scrollBy', 'scrollIntoView']) {
      const methods = holder as unknown as Record<string, Method | undefined>;
      const real = methods[name];
      if (real === undefined) continue;
      methods[name] = function (this: Element | Window | undefined, ...values) {
        const target = this ?? window;
        const isInto = name === 'scrollIntoView';
        const plain = { block: values[0] === false ? 'end' : 'start', inline: 'nearest', behavior: 'instant' };
        const given = isInto && typeof values[0] !== 'object' ? [plain] : atOnce(values);
        try {
          return real.apply(target, [...given]);
        } finally {
          told(target);
        }
      };
    }
  for (const name of ['scrollTop', 'scrollLeft']) {
    const member = Object.getOwnPropertyDescriptor(Element.prototype, name) as PropertyDescriptor;
    Object.defineProperty(Element.prototype, name, {
      ...member,
      set(this: Element, value: unknown) {
        member.set?.call(this, value);
        told(this);
      },
    });
  }
}
