import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';

interface Shelf {
  readonly ids: ReturnType<typeof signal<readonly number[] | undefined>>;
  /**
   * Cache key: the viewer's relation to the channel and its number of subscribers, because the state does not say who
   * they are.
   */
  key: string;
}

const shelves = new WeakMap<Client, Map<number, Shelf>>();

function shelfOf(client: Client, channelId: number): Shelf {
  const own = shelves.get(client) ?? new Map<number, Shelf>();
  shelves.set(client, own);
  const shelf = own.get(channelId) ?? { ids: signal<readonly number[] | undefined>(undefined), key: '' };
  own.set(channelId, shelf);
  return shelf;
}

/** Returns the IDs of a channel's subscribers; none until they are fetched, and where the reader may not see them. */
export function useSubscribers(channelId: number | undefined): readonly number[] {
  const client = useClient();
  const row = channelId === undefined ? undefined : client.model.channels.table.get(channelId);
  const key = row ? `${row.tie} ${row.channel.subscriber_count}` : '';
  useEffect(() => {
    if (channelId !== undefined && key !== '') void refresh(client, channelId, key);
  }, [client, channelId, key]);
  return (channelId === undefined ? undefined : shelfOf(client, channelId).ids.value) ?? [];
}

async function refresh(client: Client, channelId: number, key: string): Promise<void> {
  const shelf = shelfOf(client, channelId);
  if (shelf.key === key) return;
  shelf.key = key;
  try {
    const { subscribers } = await client.api.call('GET', '/streams/{stream_id}/members', { stream_id: channelId });
    shelf.ids.value = subscribers.map(Number);
  } catch {
    // Fetched again when the channel is opened the next time.
    shelf.key = '';
  }
}
