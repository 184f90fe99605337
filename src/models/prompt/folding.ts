/** Of how many steps back pictures are there at all; the view has no older ones. */
const pictureChunk = 4;

/**
 * The first screen that is still shown. Screens are folded away many at a time: each folding makes a server read the prompt
 * anew, so there must be few. It depends on the way alone, so after a rollback the prompt is what it was there.
 */
export function firstShown(lengths: readonly number[], window: number): number {
  let first = 0;
  let shown = 0;
  for (const [at, length] of lengths.entries()) {
    shown += length;
    if (shown <= window) continue;
    // The newest screen and the one before stay, however long they are.
    for (; first < at - 1 && shown > window / 2; first++) shown -= lengths[first] as number;
  }
  return first;
}

/** The first screen whose picture is still shown, by the same thought: two to five pictures, the newest included. */
export function firstPictured(newest: number): number {
  return Math.max(0, pictureChunk * Math.floor(newest / pictureChunk) - 1);
}
