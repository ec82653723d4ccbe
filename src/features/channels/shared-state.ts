import type { Actor } from '#kernel/auth';
import { type Strip, strip } from '#kernel/gzip';
import { inChunks } from '#kernel/store';
import { Assembled, type Part, type Share, type StateContext, shelf } from '#kernel/state';
import { type Known, maySeeSubscribers, readKnown } from './known.ts';
import { ASIDE, BETWEEN, type Channels, members, readChannels } from './shared-texts.ts';
import { shownSubscribers } from './subscriptions/shown.ts';
import type { ChannelRow } from './tables.ts';
import { personalFields } from './to-wire.ts';

/** Channels that are compressed together where they come in a row. */
const ROW_LENGTH = 50;

const rowsShelf = shelf<Rows>();

/** Channels as they come in rows, and the text of each row. */
interface Rows {
  readonly rows: readonly (readonly ChannelRow[])[];
  readonly strip: Strip;
}

const knownOf = new WeakMap<StateContext, Promise<Known>>();

/** What the viewer knows of channels, read once for both pieces of state. */
function known(context: StateContext, channels: Channels): Promise<Known> {
  const reading = knownOf.get(context) ?? readKnown(context, channels.rows);
  knownOf.set(context, reading);
  return reading;
}

/** The three lists of one viewer, who gets of each channel what `readSubscriptions` would give. */
export async function sharedSubscriptions(context: StateContext, share: Share) {
  const { actor } = context;
  const channels = await readChannels(context, share);
  const sight = await known(context, channels);
  const lists: Record<Name, Part[]> = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const row of sight.rows) {
    const tie = sight.ties.get(row.id);
    const parts = lists[tie ? (tie.is_subscribed ? 'subscriptions' : 'unsubscribed') : 'never_subscribed'];
    parts.push(parts.length === 0 ? '[{' : BETWEEN, textFor(channels, row, sight, actor));
    if (tie) parts.push(`,${members(personalFields(tie))}`);
  }
  return Object.fromEntries(
    Object.entries(lists).map(([name, parts]): [string, Assembled] => [
      name,
      new Assembled(parts.length === 0 ? ['[]'] : [...parts, '}]']),
    ]),
  );
}

type Name = 'subscriptions' | 'unsubscribed' | 'never_subscribed';

/** A channel as this viewer may know it. A partial list always has the viewer, who may be in nobody else's. */
function textFor({ texts, recent }: Channels, row: ChannelRow, sight: Known, actor: Actor | null): Part {
  const text = texts.get(row.id);
  if (!text) return '';
  const standing = sight.standing(row.id);
  if (!actor || !maySeeSubscribers(row, actor, standing)) return text.unlisted;
  if (!recent || recent.has(actor.userId) || !standing.isSubscribed) return text.part;
  return `${text.bare},${members(shownSubscribers(text.subscribers, recent, actor.userId))}`;
}

/** The channels that a viewer may know of, without subscribers; rows of them that are known whole come as pieces. */
export async function sharedStreams(context: StateContext, share: Share) {
  const channels = await readChannels(context, share);
  const sight = await known(context, channels);
  const bare = (row: ChannelRow) => `{${channels.texts.get(row.id)?.bare ?? ''}}`;
  const { archived_channels } = context.view;
  const { rows, strip: texts } = await share(rowsShelf, `${archived_channels}`, ASIDE, async (outdated) => {
    const shown = inChunks(
      channels.rows.filter((row) => archived_channels || !row.is_archived),
      ROW_LENGTH,
    );
    const rowTexts = shown.map((row) => row.map(bare).join());
    const before = outdated?.strip;
    return {
      rows: shown,
      strip: await strip(
        rowTexts.map((text, index) => before?.placeOf(text, index) ?? text),
        ',',
      ),
    };
  });
  const parts = texts.places.flatMap((place): Part[] => {
    const row = rows[place.index] ?? [];
    if (row.every(sight.has)) return [',', place];
    const seen = row.filter(sight.has);
    return seen.length > 0 ? [',', seen.map(bare).join()] : [];
  });
  return { streams: new Assembled(['[', ...parts.slice(1), ']']) };
}
