/** What the other parts stand on. Runs in the page, first of all. */
export function installBase(): void {
  const keeper = globalThis.espalierKeeper;
  const frame = globalThis.requestAnimationFrame.bind(globalThis);
  keeper.drawn = () => new Promise(resolve => frame(() => resolve()));
  // Not cryptographic: enough to tell states apart that nobody forged.
  const mix = (hash: number, next: number): number => {
    const mixed = Math.imul(hash ^ next, 0x5bd1e995);
    return mixed ^ (mixed >>> 13) ^ Math.imul(next, 0x27d4eb2f);
  };
  keeper.mix = mix;
  keeper.mixText = (start, text) => {
    let hash = mix(start, text.length);
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    return mix(hash, hash >>> 16);
  };
}
