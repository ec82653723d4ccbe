import { useLayoutEffect, useRef } from 'preact/hooks';
import { renderedNodes } from '../rendered/index.ts';

/** Server HTML inside the page. It is built again only when it is another. */
export function RenderedBody({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(renderedNodes(html)), [html]);
  return <div class="rendered" ref={box} />;
}
