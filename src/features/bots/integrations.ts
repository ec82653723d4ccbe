import { eventsOf, findIntegration, INTEGRATIONS } from '#features/integrations';
import type { SchemaOf } from '#kernel/schema';
import { InvalidIntegration } from './errors.ts';
import type { wireIntegration } from './wire.ts';

/** The integrations of this server in the form that clients get. See protocol/bots#incoming-webhooks. */
export const CATALOGUE: readonly SchemaOf<typeof wireIntegration>[] = INTEGRATIONS.map((integration) => {
  const events = eventsOf(integration);
  return {
    name: integration.name,
    display_name: integration.title,
    all_event_types: events && [...events],
    config_options: [],
    url_options: (integration.options ?? []).map((option) => ({ ...option })),
  };
}).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Throws if an integration is named that does not exist. See protocol/bots#operations. */
export function assertIntegration(name: string | undefined): void {
  if (name !== undefined && name !== '' && !findIntegration(name)) throw InvalidIntegration({ name });
}
