import type { Actor } from '#kernel/auth';
import { type Piece, piece } from '#kernel/gzip';
import type { ChannelId, UserId } from '#kernel/ids';
import { Assembled, PERSONAL_AND_TALK, type Share, type StateContext, shelf } from '#kernel/state';
import { type Known, maySeeSubscribers, readKnown } from './known.ts';
import { listChannels } from './queries.ts';
import { readSubscribers, shownSubscribers } from './subscriptions/shown.ts';
import type { ChannelRow } from './tables.ts';
import { personalFields, readChannelValues, toWireChannel } from './to-wire.ts';

/** From this length on, a channel's text is a piece of its own; shorter ones are smaller when compressed together. */
const PIECE_LENGTH = 2048;
/** Channels of one piece where they come in a row. */
const ROW_LENGTH = 50;

/** What is the same of a channel for everybody who may know of it, as JSON members without the braces. */
interface Texts {
  readonly bare: string;
  /** With an empty list where lists are asked for: for those who may not know the subscribers. */
  readonly unlisted: string;
  /** With the subscribers, for those who may know them. */
  readonly listed: string | Piece;
  readonly subscribers: readonly UserId[];
}

/** All channels of a realm, private ones too: every viewer's state is cut from them. */
interface Channels {
  readonly rows: readonly ChannelRow[];
  readonly texts: ReadonlyMap<ChannelId, Texts>;
  readonly recent: ReadonlySet<UserId> | undefined;
}

const channelsShelf = shelf<Channels>();
const rowsShelf = shelf<readonly { readonly row: readonly ChannelRow[]; readonly text: Piece }[]>();

function readChannels({ tx, realm, view }: StateContext, share: Share): Promise<Channels> {
  const wanted = view.include_subscribers;
  return share(channelsShelf, `${wanted}`, PERSONAL_AND_TALK, async () => {
    const rows = await listChannels(tx, realm.id);
    const values = await readChannelValues(tx, realm, rows);
    const ids = rows.map((row) => row.id);
    const known = wanted === 'false' ? undefined : await readSubscribers(tx, realm.id, ids, wanted);
    const texts = rows.map(async (row): Promise<[ChannelId, Texts]> => {
      const bare = members(toWireChannel(row, realm, values));
      const subscribers = known?.lists.get(row.id) ?? [];
      const listed = known ? `${bare},${members(shownSubscribers(subscribers, known.recent, undefined))}` : bare;
      const unlisted = known ? `${bare},${members(shownSubscribers([], known.recent, undefined))}` : bare;
      return [
        row.id,
        { bare, unlisted, listed: listed.length < PIECE_LENGTH ? listed : await piece(listed), subscribers },
      ];
    });
    return { rows, texts: new Map(await Promise.all(texts)), recent: known?.recent };
  });
}

/** An object's JSON without the braces. */
function members(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** The three lists of one viewer, who gets of each channel what `readSubscriptions` would give. */
export async function sharedSubscriptions(context: StateContext, share: Share) {
  const { actor } = context;
  const channels = await readChannels(context, share);
  const known = await readKnown(context, channels.rows);
  const lists: Record<Name, (string | Piece)[]> = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const row of known.rows) {
    const tie = known.ties.get(row.id);
    const name = tie ? (tie.is_subscribed ? 'subscriptions' : 'unsubscribed') : 'never_subscribed';
    const opening = `${lists[name].length > 0 ? ',' : ''}{${tie ? `${members(personalFields(tie))},` : ''}`;
    lists[name].push(opening, textFor(channels, row, known, actor), '}');
  }
  return Object.fromEntries(
    Object.entries(lists).map(([name, parts]): [string, Assembled] => [name, new Assembled(['[', ...parts, ']'])]),
  );
}

type Name = 'subscriptions' | 'unsubscribed' | 'never_subscribed';

/** A channel as this viewer may know it. A partial list always has the viewer, who may be in nobody else's. */
function textFor({ texts, recent }: Channels, row: ChannelRow, known: Known, actor: Actor | null): string | Piece {
  const text = texts.get(row.id);
  if (!text) return '';
  const standing = known.standing(row.id);
  if (!actor || !maySeeSubscribers(row, actor, standing)) return text.unlisted;
  if (!recent || recent.has(actor.userId) || !standing.isSubscribed) return text.listed;
  return `${text.bare},${members(shownSubscribers(text.subscribers, recent, actor.userId))}`;
}

/** The channels that a viewer may know of, without subscribers; rows of them that are known whole come as pieces. */
export async function sharedStreams(context: StateContext, share: Share) {
  const channels = await readChannels(context, share);
  const known = new Set((await readKnown(context, channels.rows)).rows.map((row) => row.id));
  const bare = (row: ChannelRow) => `{${channels.texts.get(row.id)?.bare ?? ''}}`;
  const { archived_channels } = context.view;
  const rows = await share(rowsShelf, `${archived_channels}`, PERSONAL_AND_TALK, () => {
    const shown = channels.rows.filter((row) => archived_channels || !row.is_archived);
    return Promise.all(inRows(shown).map(async (row) => ({ row, text: await piece(row.map(bare).join(',')) })));
  });
  const parts = rows.flatMap(({ row, text }): (string | Piece)[] => {
    const seen = row.filter((channel) => known.has(channel.id));
    if (seen.length === 0) return [];
    return [',', seen.length === row.length ? text : seen.map(bare).join(',')];
  });
  return { streams: new Assembled(['[', ...parts.slice(1), ']']) };
}

function inRows(channels: readonly ChannelRow[]): readonly (readonly ChannelRow[])[] {
  const count = Math.ceil(channels.length / ROW_LENGTH);
  return Array.from({ length: count }, (_, index) => channels.slice(index * ROW_LENGTH, (index + 1) * ROW_LENGTH));
}
