const animations = 'animate, animateMotion, animateTransform, set';

/** Lets animations of SVG follow the time of the page: by themselves they follow the real one. */
export function createSvgClock(now: () => number): () => void {
  const { querySelector, querySelectorAll } = Document.prototype;
  const { pauseAnimations, setCurrentTime } = SVGSVGElement.prototype;
  const { parentElement } = Object.getOwnPropertyDescriptors(Node.prototype);
  const start = now();
  return () => {
    if (querySelector.call(document, animations) === null) return;
    for (const svg of querySelectorAll.call(document, 'svg')) {
      // Only the outermost one has a clock.
      const above = parentElement.get?.call(svg) as Element | null;
      if (above?.namespaceURI === svg.namespaceURI) continue;
      pauseAnimations.call(svg);
      setCurrentTime.call(svg, (now() - start) / 1000);
    }
  };
}
