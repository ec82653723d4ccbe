import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client } from '../../client/index.ts';
import type { Model } from '../../model/index.ts';

/** The channels that one is in: by `pinned`, `folder` with its number, or `other`, each by name. */
interface ChannelGroups {
  readonly folders: readonly { readonly id: number; readonly name: string }[];
  readonly groups: ReadonlyMap<string, readonly number[]>;
}

const byName = new Intl.Collator();
const known = new WeakMap<Model, ReadonlySignal<ChannelGroups>>();

/** Put in order when a channel or folder changes; not when another conversation is opened, or something is read. */
export function channelGroups({ model }: Client): ChannelGroups {
  const before = known.get(model);
  if (before) return before.value;
  const made = computed(() => grouped(model));
  known.set(model, made);
  return made.value;
}

function grouped({ channels, facts }: Model): ChannelGroups {
  const folders = (facts.get('channel_folders') ?? []).map(({ id, name }) => ({ id: Number(id), name }));
  const folderIds = new Set<number>(folders.map(({ id }) => id));
  const rows = [...channels.table.all].flatMap(([id, row]) =>
    row.tie === 'subscribed' && !row.channel.is_archived ? [{ id, channel: row.channel }] : [],
  );
  const groups = new Map<string, number[]>();
  for (const { id, channel } of rows.toSorted((a, b) => byName.compare(a.channel.name, b.channel.name))) {
    const folder = Number(channel.folder_id);
    const key = channel.pin_to_top ? 'pinned' : folderIds.has(folder) ? `folder${folder}` : 'other';
    const own = groups.get(key) ?? [];
    own.push(id);
    groups.set(key, own);
  }
  return { folders, groups };
}
