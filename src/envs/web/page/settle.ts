/** Lets the page come to rest after something was done in it. Runs in the page. */
export function installSettle(): void {
  const keeper = globalThis.espalierKeeper;
  const { time, traffic, listeners, observers } = keeper;
  // Where the browser takes the pointer to be in a new document is chance.
  listeners.blind(true);
  /** A timer that is due so soon belongs to what was just done. */
  const soon = 50;
  const frames = 32;
  const mostRounds = 40;

  /** What moves by itself is brought to its end: nobody waits for it. */
  keeper.endAnimations = () => {
    let ended = false;
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (animation.playState !== 'running' && animation.playState !== 'paused') continue;
      if (typeof endTime === 'number' && Number.isFinite(endTime)) {
        animation.finish();
        ended = true;
      } else if (animation.playState === 'running') {
        animation.pause();
        animation.currentTime = 0;
      }
    }
    return ended && listeners.hears('transitionend', 'animationend', 'finish');
  };
  /** Whether scripts of the page wait to be told what only a drawn frame tells. */
  keeper.needsFrame = () => listeners.hears('scroll', 'scrollend', 'resize') || observers.needFrame();

  keeper.settle = async milliseconds => {
    await time.turn();
    let busy = await time.advance(milliseconds);
    let isDrawn = false;
    for (let round = 0; busy === null; round++) {
      await time.turn();
      if (traffic.pending() > 0) await traffic.idle();
      else if (time.next() <= soon) busy = await time.advance(soon);
      else if (keeper.endAnimations()) await keeper.drawn();
      else if (!isDrawn && keeper.needsFrame()) {
        isDrawn = true;
        await keeper.drawn();
        await keeper.drawn();
      } else break;
      if (round >= mostRounds) busy = `it was not at rest after ${mostRounds} rounds`;
    }
    // Two frames with nothing going on.
    busy ??= await time.advance(frames);
    keeper.forgetPlace();
    return busy;
  };
}
