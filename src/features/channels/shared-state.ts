import type { Actor } from '#kernel/auth';
import { type Piece, piece } from '#kernel/gzip';
import { Assembled, type Share, type StateContext, shelf } from '#kernel/state';
import { type Known, maySeeSubscribers, readKnown } from './known.ts';
import { ASIDE, BETWEEN, type Channels, members, readChannels } from './shared-texts.ts';
import { shownSubscribers } from './subscriptions/shown.ts';
import type { ChannelRow } from './tables.ts';
import { personalFields } from './to-wire.ts';

/** Channels of one piece where they come in a row. */
const ROW_LENGTH = 50;

const rowsShelf = shelf<readonly Row[]>();

/** Channels that come in a row, and their text. */
interface Row {
  readonly row: readonly ChannelRow[];
  readonly text: Piece;
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
  const lists: Record<Name, (string | Piece)[]> = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  for (const row of sight.rows) {
    const tie = sight.ties.get(row.id);
    const parts = lists[tie ? (tie.is_subscribed ? 'subscriptions' : 'unsubscribed') : 'never_subscribed'];
    const text = textFor(channels, row, sight, actor);
    parts.push(parts.length === 0 ? opening(text) : text);
    if (tie) parts.push(`,${members(personalFields(tie))}`);
  }
  return Object.fromEntries(
    Object.entries(lists).map(([name, parts]): [string, Assembled] => [
      name,
      new Assembled(parts.length === 0 ? ['[]'] : [...parts, '}]']),
    ]),
  );
}

/** The first of a list has nothing before it; its text is the viewer's own. */
function opening(text: string | Piece): string {
  return `[{${(typeof text === 'string' ? text : text.text).slice(BETWEEN.length)}`;
}

type Name = 'subscriptions' | 'unsubscribed' | 'never_subscribed';

/**
 * A channel as this viewer may know it, behind what parts it from the one before. A partial list always has the viewer,
 * who may be in nobody else's.
 */
function textFor({ texts, recent }: Channels, row: ChannelRow, sight: Known, actor: Actor | null): string | Piece {
  const text = texts.get(row.id);
  if (!text) return BETWEEN;
  const standing = sight.standing(row.id);
  if (!actor || !maySeeSubscribers(row, actor, standing)) return text.unlisted;
  if (!recent || recent.has(actor.userId) || !standing.isSubscribed) return text.listed;
  return `${BETWEEN}${text.bare},${members(shownSubscribers(text.subscribers, recent, actor.userId))}`;
}

/** The channels that a viewer may know of, without subscribers; rows of them that are known whole come as pieces. */
export async function sharedStreams(context: StateContext, share: Share) {
  const channels = await readChannels(context, share);
  const seenIds = new Set((await known(context, channels)).rows.map((row) => row.id));
  const bare = (row: ChannelRow) => `{${channels.texts.get(row.id)?.bare ?? ''}}`;
  const { archived_channels } = context.view;
  const rows = await share(rowsShelf, `${archived_channels}`, ASIDE, (outdated) => {
    const shown = channels.rows.filter((row) => archived_channels || !row.is_archived);
    return Promise.all(
      inRows(shown).map(async (row, index) => {
        const [text, before] = [row.map(bare).join(','), outdated?.[index]?.text];
        return { row, text: before?.text === text ? before : await piece(text) };
      }),
    );
  });
  const parts = rows.flatMap(({ row, text }): (string | Piece)[] => {
    const seen = row.filter((channel) => seenIds.has(channel.id));
    if (seen.length === 0) return [];
    return [',', seen.length === row.length ? text : seen.map(bare).join(',')];
  });
  return { streams: new Assembled(['[', ...parts.slice(1), ']']) };
}

function inRows(channels: readonly ChannelRow[]): readonly (readonly ChannelRow[])[] {
  const count = Math.ceil(channels.length / ROW_LENGTH);
  return Array.from({ length: count }, (_, index) => channels.slice(index * ROW_LENGTH, (index + 1) * ROW_LENGTH));
}
