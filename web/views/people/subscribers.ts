import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Client, useClient } from '../../client/index.ts';
import type { Channel } from '../../model/index.ts';

interface Entry {
  readonly ids: ReturnType<typeof signal<readonly number[] | undefined>>;
  /**
   * The row of the channel at the last fetch: each change of subscribers makes a new one, but the state does not say who
   * they are.
   */
  row: Channel | undefined;
}

const byClient = new WeakMap<Client, Map<number, Entry>>();

function entryOf(client: Client, channelId: number): Entry {
  const own = byClient.get(client) ?? new Map<number, Entry>();
  byClient.set(client, own);
  const entry = own.get(channelId) ?? { ids: signal<readonly number[] | undefined>(undefined), row: undefined };
  own.set(channelId, entry);
  return entry;
}

/** Returns the IDs of a channel's subscribers; none until they are fetched, and where the reader may not see them. */
export function useSubscribers(channelId: number | undefined): readonly number[] {
  const client = useClient();
  const row = channelId === undefined ? undefined : client.model.channels.table.get(channelId);
  useEffect(() => {
    if (channelId !== undefined && row) void refresh(client, channelId, row);
  }, [client, channelId, row]);
  return (channelId === undefined ? undefined : entryOf(client, channelId).ids.value) ?? [];
}

async function refresh(client: Client, channelId: number, row: Channel): Promise<void> {
  const entry = entryOf(client, channelId);
  if (entry.row === row) return;
  entry.row = row;
  try {
    const { subscribers } = await client.api.call('GET', '/streams/{stream_id}/members', { stream_id: channelId });
    // Only the newest of several fetches counts.
    if (entry.row === row) entry.ids.value = subscribers.map(Number);
  } catch {
    // Fetched again when the channel is opened the next time.
    if (entry.row === row) entry.row = undefined;
  }
}
