import { type SegmentRef, segmentList } from '#kernel/gzip';
import type { ChannelId, UserId } from '#kernel/ids';
import { type CachedRead, type StateContext, sharedCache } from '#kernel/state';
import { type ChannelRow, listChannels, readChannelValues, toWireChannel } from '../core/index.ts';
import { isOpenToMembers } from '../rules.ts';
import { readRecent, shownSubscribers, subscribersOf } from '../members/index.ts';

/**
 * Length in UTF-16 units from which on a channel's text is compressed on its own; shorter ones are smaller when
 * compressed together.
 */
const ALONE_FROM = 2048;
/** Seconds for which cached lists of subscribers are used: only events change them. */
const LISTS_SECONDS = 600;

/** The separator between the members of two objects of a list. */
export const BETWEEN = '},{';

/** A channel's JSON members, without the braces, that are the same for everybody who may know of it. */
export interface Texts {
  readonly bare: string;
  /** With an empty list of subscribers if lists are asked for: for viewers who may not know the subscribers. */
  readonly unlisted: string;
  /** With the subscribers, for viewers who may know them. */
  readonly listed: string;
  /** `listed` as a part of a reply: a long one is in a segment list, in order and separated by `BETWEEN`. */
  readonly part: string | SegmentRef;
  readonly subscribers: readonly UserId[];
}

type Recent = ReadonlySet<UserId> | undefined;

/** All channels of a realm, including private ones: every viewer's state is assembled from them. */
export interface Channels {
  readonly rows: readonly ChannelRow[];
  /** The `part` of each, in the order of the rows. */
  readonly parts: readonly Texts['part'][];
  /** The index of each among the rows. */
  readonly places: ReadonlyMap<ChannelId, number>;
  /** The indices of those that not every member sees: private and archived ones. */
  readonly closed: readonly number[];
  readonly texts: ReadonlyMap<ChannelId, Texts>;
  readonly recent: Recent;
}

/** Events that change who is subscribed; deactivated subscribers are not listed. */
const SUBSCRIBERS = [
  'subscription/add',
  'subscription/remove',
  'subscription/peer_add',
  'subscription/peer_remove',
  'stream/create',
  'stream/delete',
  'realm_user',
  'user_group',
];
/** Events that change the texts of channels; partial lists of subscribers depend on recent activity. */
export const CHANNELS = [...SUBSCRIBERS, 'stream/update', 'realm', 'came_back'];

const channelsCache = sharedCache<Channels>();
const listsCache = sharedCache<ReadonlyMap<ChannelId, readonly UserId[]>>(LISTS_SECONDS);

/** All channels as they are shown; a text is made again only where something in it changed. */
export function readChannels({ tx, view }: StateContext, cached: CachedRead): Promise<Channels> {
  const wanted = view.include_subscribers;
  return cached(channelsCache, wanted, CHANNELS, async (outdated) => {
    const rows = await listChannels(tx);
    const values = await readChannelValues(tx, rows);
    const lists = wanted === 'false' ? undefined : await readLists({ tx }, cached);
    const recent = wanted === 'partial' ? sameOr(outdated?.recent, await readRecent(tx)) : undefined;
    const texts = rows.map((row): [ChannelId, Texts] => {
      const bare = members(toWireChannel(row, tx.realm, values));
      const subscribers = lists && (lists.get(row.id) ?? NOBODY);
      const known = outdated?.recent === recent ? outdated?.texts.get(row.id) : undefined;
      if (known?.bare === bare && known.subscribers === (subscribers ?? NOBODY)) return [row.id, known];
      return [row.id, textsOf(bare, subscribers, recent)];
    });
    const long = texts.filter(([, { listed }]) => listed.length >= ALONE_FROM);
    const laid = await segmentList(
      long.map(([, { part }]) => part),
      BETWEEN,
    );
    const refs = new Map(laid.refs.map((ref) => [long[ref.index]?.[0], ref]));
    const placed = texts.map(([id, text]) => [id, { ...text, part: refs.get(id) ?? text.listed }] as const);
    const parts = placed.map(([, { part }]) => part);
    const places = new Map(rows.map((row, index) => [row.id, index]));
    const closed = rows.flatMap((row, index) => (isOpen(row) ? [] : [index]));
    return { rows, parts, places, closed, texts: new Map(placed), recent };
  });
}

const NOBODY: readonly UserId[] = [];

/** Whether every member sees a channel, whatever they ask for. */
export function isOpen(row: ChannelRow): boolean {
  return isOpenToMembers(row) && !row.is_archived;
}

/** Who is subscribed to each channel, archived and private ones too. */
function readLists({ tx }: Pick<StateContext, 'tx'>, cached: CachedRead) {
  return cached(listsCache, 'subscribers', SUBSCRIBERS, async () => {
    const ids = (await listChannels(tx)).map((row) => row.id);
    return subscribersOf(tx, ids);
  });
}

/** The texts of one channel; without any list where none is asked for. */
function textsOf(bare: string, subscribers: readonly UserId[] | undefined, recent: Recent): Texts {
  if (!subscribers) return { bare, unlisted: bare, listed: bare, part: bare, subscribers: NOBODY };
  const withList = (list: readonly UserId[]) => `${bare},${members(shownSubscribers(list, recent, undefined))}`;
  const listed = withList(subscribers);
  return { bare, unlisted: withList([]), listed, part: listed, subscribers };
}

/** Returns the known set if both hold the same people, so that texts made with it are recognized as current. */
function sameOr(known: Recent, read: ReadonlySet<UserId>): ReadonlySet<UserId> {
  return known?.size === read.size && [...read].every((id) => known.has(id)) ? known : read;
}

/** An object's JSON without the braces. */
export function members(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
