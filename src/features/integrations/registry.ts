import type { Integration } from './integration.ts';
import * as services from './services/index.ts';

/** All integrations of this server, by name: routes, catalogue, pages and tests follow from them. */
export const INTEGRATIONS: readonly Integration[] = Object.values(services);

const byName = new Map(INTEGRATIONS.map((one) => [one.name, one]));

/** The integration of a name, as it stands in addresses. */
export function findIntegration(name: string): Integration | undefined {
  return byName.get(name);
}

/** Kinds of events among which an address may choose; null where there is one kind only. */
export function eventsOf({ events }: Integration): readonly string[] | null {
  return events === undefined ? null : events.toSorted();
}
