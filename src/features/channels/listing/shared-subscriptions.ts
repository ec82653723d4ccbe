import type { Actor } from '#kernel/auth';
import { SegmentRef } from '#kernel/gzip';
import { Assembled, type CachedRead, type Part, type StateContext } from '#kernel/state';
import { isMember, maySeeSubscribers, type Sight, sightOf } from './known.ts';
import { BETWEEN, type Channels, members, readChannels } from './shared-texts.ts';
import { shownSubscribers } from '../members/index.ts';
import type { ChannelAccess } from '../rules.ts';
import { personalSegment } from './personal-segments.ts';
import type { ChannelRow, SubscriptionRow } from '../core/index.ts';

/** The three lists of one viewer, with the same contents for each channel as from `readSubscriptions`. */
export async function sharedSubscriptions(input: StateContext, cached: CachedRead) {
  const { actor } = input.tx;
  const channels = await readChannels(input, cached);
  const { has, subscriptions, accessBy } = await sightOf(input);
  const lists: Record<Name, Listed[]> = { subscriptions: [], unsubscribed: [], never_subscribed: [] };
  const addAlike = (from: number, until: number) => {
    for (const text of textsOf(channels, from, until)) lists.never_subscribed.push({ text, subscription: undefined });
  };
  let next = 0;
  for (const index of seenDifferently(channels, subscriptions, actor)) {
    addAlike(next, index);
    next = index + 1;
    const row = channels.rows[index];
    if (!row || !has(row)) continue;
    const subscription = subscriptions.get(row.id);
    const text = textFor(channels, row, accessBy(subscription), actor);
    lists[listOf(subscription)].push({ text, subscription });
  }
  addAlike(next, channels.rows.length);
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, assembled(list)]));
}

/**
 * The indices, ascending, of the channels that a viewer may see in another way than members who never subscribed. They
 * are few among thousands for most members, and all for guests.
 */
function seenDifferently(
  { rows, places, closed }: Channels,
  subscriptions: Sight['subscriptions'],
  actor: Actor | null,
): readonly number[] {
  if (!isMember(actor)) return rows.map((_, index) => index);
  const own = [...subscriptions.keys()].flatMap((id) => places.get(id) ?? []);
  return [...new Set([...closed, ...own])].toSorted((a, b) => a - b);
}

/** The texts of the channels from one index until another, for members who never subscribed to them. */
function textsOf({ parts }: Channels, from: number, until: number): readonly Part[] {
  if (from === until) return [];
  const [first, last] = [parts[from], parts[until - 1]];
  const areRefs = first instanceof SegmentRef && last instanceof SegmentRef;
  // The segment list has its texts in the same order, so all between these two are in it as well.
  if (areRefs && last.index - first.index === until - 1 - from)
    return first.segmentList.span(first.index, last.index + 1);
  return parts.slice(from, until);
}

function listOf(subscription: SubscriptionRow | undefined): Name {
  if (!subscription) return 'never_subscribed';
  return subscription.is_subscribed ? 'subscriptions' : 'unsubscribed';
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
