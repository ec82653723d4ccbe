import { InvalidIntegration, MissingConfiguration } from './errors.ts';

/** Something outside that can post by way of an incoming webhook bot. See protocol/bots#incoming-webhooks. */
export interface Integration {
  /** As in the address it posts to. */
  readonly name: string;
  readonly display_name: string;
  /** Kinds of its messages among which the address may choose; null where it knows one kind only. */
  readonly all_event_types: readonly string[] | null;
  /** What must be said of it when the bot is made. */
  readonly config_options: readonly { readonly key: string; readonly label: string; readonly validator: string }[];
  /** What may be added to the address. */
  readonly url_options: readonly { readonly key: string; readonly label: string; readonly input_type: string }[];
}

/** Names of the integrations of this server. */
export type IntegrationName = 'json' | 'slack_incoming';

/** The integrations of this server. */
export const INTEGRATIONS: readonly (Integration & { readonly name: IntegrationName })[] = [
  { name: 'json', display_name: 'JSON', all_event_types: null, config_options: [], url_options: [] },
  {
    name: 'slack_incoming',
    display_name: 'Slack-compatible webhook',
    all_event_types: null,
    config_options: [],
    url_options: [],
  },
];

/** Throws unless an integration is known and has what it needs. See protocol/bots#operations. */
export function assertConfiguration(name: string | undefined, config: Readonly<Record<string, string>>): void {
  if (name === undefined || name === '') return;
  const integration = INTEGRATIONS.find((candidate) => candidate.name === name);
  if (!integration) throw InvalidIntegration({ name });
  const missing = integration.config_options.map(({ key }) => key).filter((key) => !Object.hasOwn(config, key));
  if (missing.length > 0) throw MissingConfiguration({ keys: missing.join(', ') });
}
