import { addSubscribers, type ChannelRow, createChannels, findChannels, listChannels } from '#features/channels';
import { renderMarkdown } from '#features/rendering';
import { lockLog } from '#kernel/events';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { foldCase, takeCodePoints } from '#kernel/text';
import { groupByPolicy } from '../policies.ts';
import { findItems, insertItems, itemKey } from '../queries.ts';
import { Names } from '../values.ts';
import type { Joining, Keyed } from './joining.ts';

const MAX_NAME = 60;
const MAX_DESCRIPTION = 1024;

/** Which channels of the archive exist here already, and which are to be created. */
export interface Channels {
  readonly known: ReadonlyMap<number, ChannelId>;
  readonly fresh: readonly (Keyed & { readonly name: string })[];
}

/**
 * Joins the channels of an archive with those that came before, and public ones with public ones of the same name. A private
 * one is never joined by its name: who is in one of them has no right to read the other.
 */
export async function matchChannels({ context, realm, tables, product, report }: Joining): Promise<Channels> {
  const rows = tables.rows('zerver_stream').map((row) => ({
    row,
    id: row.id('id'),
    key: itemKey(product, row.text('import_key')),
  }));
  return context.store.in(realm).read(async (tx) => {
    const keys = rows.map(({ key }) => key);
    const items = await findItems(tx, 'channel', keys);
    const here = await listChannels(tx);
    const open = new Map(here.filter(isOpen).map((channel) => [channel.name_key, channel.id]));
    const known = new Map<number, ChannelId>();
    const fresh: (Keyed & { readonly name: string })[] = [];
    const names = new Names(here.map(({ name }) => name));
    for (const one of rows) {
      const item = items.get(one.key);
      const given = one.row.text('name').replaceAll(/\p{C}/gu, ' ').trim() || 'channel';
      const sameName = one.row.bool('invite_only', false) ? undefined : open.get(foldCase(given));
      const joined = item === undefined ? sameName : asId<ChannelId>(item);
      if (joined !== undefined) known.set(one.id, joined);
      else {
        const name = names.free(given, MAX_NAME);
        if (name !== given) report.remark('channels with another name', `${takeCodePoints(given, 60)}: ${name}`);
        fresh.push({ ...one, name });
      }
    }
    return { known, fresh };
  });
}

const isOpen = (channel: ChannelRow) => !channel.invite_only && !channel.is_archived;

/**
 * Makes the other channels with those who were in them, and subscribes to joined ones only who came with the archive: the
 * others have chosen for themselves. All channels by their numbers in the archive.
 */
export async function addChannels(
  joining: Joining,
  { known, fresh }: Channels,
  members: ReadonlyMap<number, readonly UserId[]>,
  newcomers: ReadonlySet<UserId>,
): Promise<ReadonlyMap<number, ChannelRow>> {
  const { context, realm, report } = joining;
  const ids = new Map(known);
  for (const one of fresh) ids.set(one.id, await addOne(joining, one, members.get(one.id) ?? []));
  for (const [id, channel] of known) {
    const own = (members.get(id) ?? []).filter((user) => newcomers.has(user));
    if (own.length > 0) await subscribe(joining, channel, own);
  }
  report.count('channels joined', known.size);
  report.count('channels made', fresh.length);
  const rows = await context.store.in(realm).read((tx) => findChannels(tx, [...ids.values()]));
  return new Map(
    [...ids].flatMap(([id, channel]) => {
      const row = rows.get(channel);
      return row ? [[id, row] as const] : [];
    }),
  );
}

async function addOne(
  { context, realm }: Joining,
  { row, key, name }: Channels['fresh'][number],
  members: readonly UserId[],
): Promise<ChannelId> {
  const description = takeCodePoints(row.text('description', ''), MAX_DESCRIPTION).replaceAll('\n', ' ');
  const { html: rendered_description } = await renderMarkdown(context, realm, description);
  const writers = groupByPolicy(row, 'can_send_message_group');
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const made = await createChannels(tx, null, [
      {
        name,
        description,
        rendered_description,
        invite_only: row.bool('invite_only', false),
        is_web_public: false,
        is_default: false,
        history_public_to_subscribers: true,
        message_retention_days: null,
        folder_id: null,
        topics_policy: 'inherit',
        settings: writers === undefined ? {} : { can_send_message_group: realm.groups[writers] },
      },
    ]);
    await addSubscribers(tx, made, members, { created: made });
    const [channel] = made;
    if (!channel) throw new Error('the channel was not made');
    await insertItems(tx, 'channel', [[key, channel.id]]);
    return channel.id;
  });
}

async function subscribe({ context, realm }: Joining, id: ChannelId, users: readonly UserId[]): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const channels = [...(await findChannels(tx, [id])).values()];
    await addSubscribers(tx, channels, users);
  });
}
