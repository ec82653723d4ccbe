/**
 * Returns a function that gives the focus back to an element. If it cannot have it any more, like a button that is only
 * there while its row has the focus, the focus goes to what contains it, or else to the view.
 */
export function givingBack(opener: Element | null): () => void {
  const heirs: HTMLElement[] = [];
  for (let one = opener; one; one = one.parentElement?.closest('[tabindex]') ?? null)
    if (one instanceof HTMLElement && one !== document.body) heirs.push(one);
  return () => void [...heirs, document.querySelector('main')].some(takesFocus);
}

function takesFocus(one: HTMLElement | null): boolean {
  one?.focus();
  return one !== null && document.activeElement === one;
}
