import type { UserId } from '#kernel/ids';
import { anyOf, bool, dict, idOf, int, list, nullable, object, type SchemaOf, str } from '#kernel/schema';

/** The service behind a bot; only the bot's owner and administrators see it. See protocol/bots#operations. */
const outgoing = object({ base_url: str(), interface: int(), token: str() });
const embedded = object({ service_name: str(), config_data: dict(str()) });

/** The settings of a bot. */
export const botSettings = {
  default_sending_stream: nullable(str()),
  default_events_register_stream: nullable(str()),
  default_all_public_streams: bool(),
};

/**
 * A bot as its owner and administrators see it; name, picture and owner are in its user object.
 * See protocol/bots#operations.
 */
export const wireBot = object({
  user_id: idOf<UserId>(),
  ...botSettings,
  services: list(anyOf(outgoing, embedded)),
}).meta({ id: 'Bot' });
export type WireBot = SchemaOf<typeof wireBot>;

/** The changed settings of a bot. See protocol/events#organization. */
export const wireBotChange = wireBot.partial().required({ user_id: true });

/** An integration as clients see it. See protocol/bots#incoming-webhooks. */
export const wireIntegration = object({
  name: str(),
  display_name: str(),
  all_event_types: nullable(list(str())),
  config_options: list(object({ key: str(), label: str(), validator: str() })),
  url_options: list(object({ key: str(), label: str(), input_type: str() })),
}).meta({ id: 'Integration' });
