import type { ChannelId } from '#kernel/ids';
import { idOf, list, object, type SchemaOf, str } from '#kernel/schema';
import type { DefaultGroupId } from './tables.ts';

/** A group of default channels as clients see it. See protocol/register#organization-collections. */
export const wireDefaultGroup = object({
  id: idOf<DefaultGroupId>(),
  name: str(),
  description: str(),
  streams: list(idOf<ChannelId>()),
}).meta({ id: 'DefaultChannelGroup' });
export type WireDefaultGroup = SchemaOf<typeof wireDefaultGroup>;
