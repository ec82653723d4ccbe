import { idOf, object, type SchemaOf, str } from '#kernel/schema';
import type { PlaygroundId, PlaygroundRow } from './tables.ts';

/** A playground as clients see it. See protocol/linkifiers#playgrounds. */
export const wirePlayground = object({
  id: idOf<PlaygroundId>(),
  name: str(),
  pygments_language: str(),
  url_template: str(),
}).meta({ id: 'Playground' });
export type WirePlayground = SchemaOf<typeof wirePlayground>;

/** The wire form of a playground. */
export function toWirePlayground({ id, name, pygments_language, url_template }: PlaygroundRow): WirePlayground {
  return { id, name, pygments_language, url_template };
}
