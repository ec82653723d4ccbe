import { bool, nullable, object, type SchemaOf, str } from '#kernel/schema';
import type { NavigationViewRow } from './tables.ts';

/** A navigation view as clients see it. See protocol/saved#navigation-views. */
export const wireView = object({ fragment: str(), is_pinned: bool(), name: nullable(str()) }).meta({
  id: 'NavigationView',
});
export type WireView = SchemaOf<typeof wireView>;

export function toWireView({ fragment, is_pinned, view_name }: NavigationViewRow): WireView {
  return { fragment, is_pinned, name: view_name };
}
