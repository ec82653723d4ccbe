import type { Actor } from '#kernel/auth';
import { type SegmentList, segmentList } from '#kernel/gzip';
import { inChunks } from '#kernel/store';
import { Assembled, type Part, type CachedRead, type StateContext, sharedCache } from '#kernel/state';
import { type Known, maySeeSubscribers, readKnown } from './known.ts';
import { CHANNELS, BETWEEN, type Channels, members, readChannels } from './shared-texts.ts';
import { shownSubscribers } from '../members/index.ts';
import type { ChannelAccess } from '../rules.ts';
import { personalSegment } from './personal-segments.ts';
import type { ChannelRow, SubscriptionRow } from '../core/index.ts';

/** Most consecutive channels that are compressed together. */
const ROW_LENGTH = 50;

const rowsCache = sharedCache<Rows>();

/** All channels in rows of `ROW_LENGTH`, and the compressed text of each row. */
interface Rows {
  readonly rows: readonly (readonly ChannelRow[])[];
  readonly segmentList: SegmentList;
}

const knownOf = new WeakMap<StateContext, Promise<Known>>();

/** What the viewer knows of channels, read once for both parts of the register response. */
function known(input: StateContext, channels: Channels): Promise<Known> {
  const reading = knownOf.get(input) ?? readKnown(input, channels.rows);
  knownOf.set(input, reading);
  return reading;
}

/** The three lists of one viewer, with the same contents for each channel as from `readSubscriptions`. */
export async function sharedSubscriptions(input: StateContext, cached: CachedRead) {
  const { tx } = input;
  const channels = await readChannels(input, cached);
  const visibility = await known(input, channels);
  const lists: Record<Name, Listed[]> = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const row of visibility.rows) {
    const subscription = visibility.subscriptions.get(row.id);
    const list = subscription ? (subscription.is_subscribed ? 'subscriptions' : 'unsubscribed') : 'never_subscribed';
    const access = visibility.accessBy(subscription);
    lists[list].push({ text: textFor(channels, row, access, tx.actor), subscription });
  }
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, assembled(list)]));
}

type Name = 'subscriptions' | 'unsubscribed' | 'never_subscribed';

/** A channel's members without the braces, and the viewer's subscription to it. */
interface Listed {
  readonly text: Part;
  readonly subscription: SubscriptionRow | undefined;
}

function assembled(list: readonly Listed[]): Assembled {
  if (list.length === 0) return new Assembled(['[]']);
  const parts: Part[] = ['[{'];
  for (const [index, { text, subscription }] of list.entries()) {
    const following = index === list.length - 1 ? '}]' : BETWEEN;
    const own = subscription && personalSegment(subscription, following);
    // Short texts are smaller when they are compressed together with what stands between them.
    parts.push(text, own ? (typeof text === 'string' ? own.text : own) : following);
  }
  return new Assembled(parts);
}

/**
 * A channel as this viewer may know it. A partial list always contains the viewer, whom the shared list may leave out.
 */
function textFor({ texts, recent }: Channels, row: ChannelRow, access: ChannelAccess, actor: Actor | null): Part {
  const text = texts.get(row.id);
  if (!text) return '';
  if (!actor || !maySeeSubscribers(row, actor, access)) return text.unlisted;
  if (!recent || recent.has(actor.userId) || !access.isSubscribed) return text.part;
  return `${text.bare},${members(shownSubscribers(text.subscribers, recent, actor.userId))}`;
}

/**
 * The channels that a viewer may know of, without subscribers; rows that the viewer may know completely are shared
 * segments.
 */
export async function sharedStreams(input: StateContext, cached: CachedRead) {
  const channels = await readChannels(input, cached);
  const visibility = await known(input, channels);
  const bare = (row: ChannelRow) => `{${channels.texts.get(row.id)?.bare ?? ''}}`;
  const { archived_channels } = input.view;
  const { rows, segmentList: texts } = await cached(rowsCache, `${archived_channels}`, CHANNELS, async (outdated) => {
    const shown = inChunks(
      channels.rows.filter((row) => archived_channels || !row.is_archived),
      ROW_LENGTH,
    );
    const rowTexts = shown.map((row) => row.map(bare).join());
    const before = outdated?.segmentList;
    return {
      rows: shown,
      segmentList: await segmentList(
        rowTexts.map((text, index) => before?.refOf(text, index) ?? text),
        ',',
      ),
    };
  });
  const parts = texts.refs.flatMap((ref): Part[] => {
    const row = rows[ref.index] ?? [];
    if (row.every(visibility.has)) return [',', ref];
    const seen = row.filter(visibility.has);
    return seen.length > 0 ? [',', seen.map(bare).join()] : [];
  });
  return { streams: new Assembled(['[', ...parts.slice(1), ']']) };
}
