/** What a browser tells scripts of transitions and animations of styles. */
export const motionEvents: readonly string[] =
  'transitionrun transitionstart transitionend transitioncancel animationstart animationiteration animationend animationcancel'.split(
    ' ',
  );

const [disconnected, following] = [1, 4];

/** A transition or animation that was brought to its end, or is held at its start as it has none. */
interface Motion {
  readonly target: Element;
  readonly pseudoElement: string;
  readonly kind: 'transition' | 'animation';
  readonly name: string;
  /** In seconds; null where it has no end. */
  readonly lasts: number | null;
}

export interface MotionEvents {
  /** Notes one that is brought to its end, or held at its start. */
  note(animation: Animation): void;
  /** Tells scripts, in an order that chance has no part in; whether there was anything to tell. */
  tell(): boolean;
  /** Whether there is something to tell. */
  owes(): boolean;
  forget(): void;
}

/**
 * In which frame a transition begins is chance, and so is whether one begins at all that is over at once: that of a button which is
 * hovered over on the way to a click. No event of the browser reaches scripts: they are told once the page is at rest, and only
 * of what came to an end there.
 */
export function createMotionEvents(dispatch: (target: EventTarget, event: Event) => void): MotionEvents {
  const [OfTransition, OfAnimation, Styled] = [TransitionEvent, AnimationEvent, CSSTransition];
  const StyledForGood = CSSAnimation;
  const { compareDocumentPosition } = Node.prototype;
  let motions: Motion[] = [];
  /** Those without an end, as long as they go on. */
  let endless: (readonly [animation: Animation, motion: Motion])[] = [];

  const wordOf = ({ kind, name, pseudoElement }: Motion): string => `${pseudoElement} ${kind} ${name}`;
  /** Elements that are gone have no place. */
  const isBefore = (one: Motion, other: Motion): boolean => {
    if (one.target === other.target) return wordOf(one) < wordOf(other);
    const place = compareDocumentPosition.call(one.target, other.target);
    return (place & disconnected) === 0 && (place & following) > 0;
  };

  function motionOf(animation: Animation): Motion | null {
    const { target, pseudoElement } = (animation.effect ?? {}) as Partial<KeyframeEffect>;
    if (target === undefined || target === null) return null;
    const { endTime } = animation.effect?.getComputedTiming() ?? {};
    const isOver = typeof endTime === 'number' && Number.isFinite(endTime);
    const rest = { target, pseudoElement: pseudoElement ?? '', lasts: isOver ? endTime / 1000 : null };
    if (animation instanceof Styled) return { ...rest, kind: 'transition', name: animation.transitionProperty };
    if (animation instanceof StyledForGood) return { ...rest, kind: 'animation', name: animation.animationName };
    return null;
  }

  function tellOf({ target, kind, name, pseudoElement, lasts }: Motion, part: string): void {
    const elapsedTime = part === 'end' ? (lasts ?? 0) : 0;
    const init = { bubbles: true, cancelable: true, elapsedTime, pseudoElement };
    dispatch(
      target,
      kind === 'transition'
        ? new OfTransition(kind + part, { ...init, propertyName: name })
        : new OfAnimation(kind + part, { ...init, animationName: name }),
    );
  }

  const isOn = ([{ playState }]: (typeof endless)[number]): boolean => playState !== 'idle';

  return {
    note(animation) {
      const motion = motionOf(animation);
      if (motion === null) return;
      if (motion.lasts === null) {
        if (endless.some(([known]) => known === animation)) return;
        endless.push([animation, motion]);
      }
      motions.push(motion);
    },
    tell() {
      const over = endless.filter(one => !isOn(one));
      if (motions.length === 0 && over.length === 0) return false;
      const sorted: Motion[] = [];
      for (const motion of motions) {
        const place = sorted.findIndex(other => isBefore(motion, other));
        sorted.splice(place < 0 ? sorted.length : place, 0, motion);
      }
      [motions, endless] = [[], endless.filter(isOn)];
      for (const [, motion] of over) tellOf(motion, 'cancel');
      for (const motion of sorted) {
        if (motion.kind === 'transition') tellOf(motion, 'run');
        tellOf(motion, 'start');
      }
      for (const motion of sorted) if (motion.lasts !== null) tellOf(motion, 'end');
      return true;
    },
    owes: () => motions.length > 0 || !endless.every(isOn),
    forget() {
      [motions, endless] = [[], endless.filter(isOn)];
    },
  };
}
