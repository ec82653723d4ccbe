import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';

interface Entry {
  readonly ids: ReturnType<typeof signal<readonly number[] | undefined>>;
  /**
   * Cache key: the viewer's relation to the channel and its number of subscribers, because the state does not say who
   * they are.
   */
  key: string;
}

const byClient = new WeakMap<Client, Map<number, Entry>>();

function entryOf(client: Client, channelId: number): Entry {
  const own = byClient.get(client) ?? new Map<number, Entry>();
  byClient.set(client, own);
  const entry = own.get(channelId) ?? { ids: signal<readonly number[] | undefined>(undefined), key: '' };
  own.set(channelId, entry);
  return entry;
}

/** Returns the IDs of a channel's subscribers; none until they are fetched, and where the reader may not see them. */
export function useSubscribers(channelId: number | undefined): readonly number[] {
  const client = useClient();
  const row = channelId === undefined ? undefined : client.model.channels.table.get(channelId);
  const key = row ? `${row.membership} ${row.channel.subscriber_count}` : '';
  useEffect(() => {
    if (channelId !== undefined && key !== '') void refresh(client, channelId, key);
  }, [client, channelId, key]);
  return (channelId === undefined ? undefined : entryOf(client, channelId).ids.value) ?? [];
}

async function refresh(client: Client, channelId: number, key: string): Promise<void> {
  const entry = entryOf(client, channelId);
  if (entry.key === key) return;
  entry.key = key;
  try {
    const { subscribers } = await client.api.call('GET', '/streams/{stream_id}/members', { stream_id: channelId });
    entry.ids.value = subscribers.map(Number);
  } catch {
    // Fetched again when the channel is opened the next time.
    entry.key = '';
  }
}
