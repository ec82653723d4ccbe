import type { Integration } from './integration.ts';
import * as services from './services/index.ts';

/** All integrations; routes, catalogue, pages and tests are derived from this list. */
export const INTEGRATIONS: readonly Integration[] = Object.values(services);

const byName = new Map(INTEGRATIONS.map((one) => [one.name, one]));

/** Finds an integration by its name in the URL. */
export function findIntegration(name: string): Integration | undefined {
  return byName.get(name);
}

/** Kinds of events by which a URL can filter; null if there is only one kind. */
export function eventsOf({ events }: Integration): readonly string[] | null {
  return events === undefined ? null : events.toSorted();
}
