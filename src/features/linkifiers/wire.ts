import { idOf, list, nullable, object, type SchemaOf, str } from '#kernel/schema';
import type { LinkifierId, LinkifierRow } from './tables.ts';

/** A linkifier as clients see it. See protocol/linkifiers#linkifier-object. */
export const wireLinkifier = object({
  id: idOf<LinkifierId>(),
  pattern: str(),
  url_template: str(),
  example_input: nullable(str()),
  reverse_template: nullable(str()),
  alternative_url_templates: list(str()),
}).meta({ id: 'Linkifier' });
export type WireLinkifier = SchemaOf<typeof wireLinkifier>;

/** The wire form of a linkifier. */
export function toWireLinkifier(row: LinkifierRow): WireLinkifier {
  const { id, pattern, url_template, example_input, reverse_template, alternative_url_templates } = row;
  return {
    id,
    pattern,
    url_template,
    example_input,
    reverse_template,
    alternative_url_templates: [...alternative_url_templates],
  };
}
