/** The parts of an incoming webhook's address. */
interface Address {
  readonly origin: string;
  readonly integration: string;
  readonly key: string;
  /** ID of the channel; undefined for direct messages to the bot's owner. */
  readonly channel: string | undefined;
  /** Empty for topics that the integration chooses. */
  readonly topic: string;
  /** Kinds of events that post a message; none for all. */
  readonly events: readonly string[];
  /** Options of the integration by key; empty ones are left out. */
  readonly options: Readonly<Record<string, string>>;
}

/** Builds the address that a service posts to. See protocol/bots#incoming-webhooks. */
export function webhookAddress({ origin, integration, key, channel, topic, events, options }: Address): string {
  const url = new URL(`/api/v1/external/${integration}`, origin);
  url.searchParams.set('api_key', key);
  if (channel !== undefined) url.searchParams.set('stream', channel);
  if (channel !== undefined && topic.trim() !== '') url.searchParams.set('topic', topic.trim());
  if (events.length > 0) url.searchParams.set('only_events', JSON.stringify(events));
  for (const [name, value] of Object.entries(options)) if (value !== '') url.searchParams.set(name, value);
  return url.href;
}
