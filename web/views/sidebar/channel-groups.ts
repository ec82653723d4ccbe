import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client } from '../../client/index.ts';
import type { Model } from '../../model/index.ts';
import { channelsByName } from '../overlays/rank.ts';

/** The viewer's channels by section: `pinned`, `folder` with its number, or `other`, each sorted by name. */
interface ChannelGroups {
  readonly folders: readonly { readonly id: number; readonly name: string }[];
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

const known = new WeakMap<Model, ReadonlySignal<ChannelGroups>>();

/**
 * Returns the sections, computed again only when a channel or folder changes, not when another conversation is opened
 * or something is read.
 */
export function channelGroups(client: Client): ChannelGroups {
  const before = known.get(client.model);
  if (before) return before.value;
  const made = computed(() => grouped(client));
  known.set(client.model, made);
  return made.value;
}

function grouped(client: Client): ChannelGroups {
  const folders = (client.model.facts.get('channel_folders') ?? [])
    .toSorted((a, b) => a.order - b.order)
    .map(({ id, name }) => ({ id: Number(id), name }));
  const folderIds = new Set<number>(folders.map(({ id }) => id));
  const groups = new Map<string, number[]>();
  for (const { id, row } of channelsByName(client)) {
    if (row.membership !== 'subscribed' || row.channel.is_archived) continue;
    const folder = Number(row.channel.folder_id);
    const key = row.channel.pin_to_top ? 'pinned' : folderIds.has(folder) ? `folder${folder}` : 'other';
    const own = groups.get(key) ?? [];
    own.push(id);
    groups.set(key, own);
  }
  return { folders, groups };
}
