import { useLayoutEffect, useRef } from 'preact/hooks';
import { useClient } from '../client/index.ts';
import { renderedNodes } from '../rendered/index.ts';
import { wrap } from './rendered/wrap.tsx';
import { timeStyle } from './shown.ts';

const NONE: readonly never[] = [];

interface RenderedBodyProps {
  readonly html: string;
  /** Name of the sender of a "/me" message, which replaces "/me". */
  readonly actor?: string | undefined;
}

/** Server HTML in the page, rebuilt only when it changes. */
export function RenderedBody({ html, actor }: RenderedBodyProps) {
  const client = useClient();
  const style = timeStyle(client);
  const playgrounds = client.model.facts.get('realm_playgrounds') ?? NONE;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = renderedNodes(html);
    wrap(nodes, { me: client.model.me, style, playgrounds, actor });
    box.current?.replaceChildren(nodes);
  }, [html, style.hour12, playgrounds, actor]);
  return <div class="rendered" ref={box} />;
}
