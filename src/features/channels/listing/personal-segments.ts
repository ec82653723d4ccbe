import { type Segment, shortSegment } from '#kernel/gzip';
import { personalFields, type SubscriptionRow } from '../core/index.ts';
import { members } from './shared-texts.ts';

/** Most cached segments: a subscription has one of 24 colors, unless somebody chose another. */
const MAX_CACHED = 10_000;
const cached = new Map<string, Segment>();

/**
 * The personal properties of a subscription as they follow the channel's in a list of subscriptions, and the text that
 * follows them. Most subscriptions share a few values, so JSON is seldom made and compressed.
 */
export function personalSegment(row: SubscriptionRow, following: string): Segment {
  const fields = personalFields(row);
  const key = `${Object.values(fields).join()}${following}`;
  const known = cached.get(key);
  if (known) return known;
  if (cached.size >= MAX_CACHED) cached.clear();
  const made = shortSegment(`,${members(fields)}${following}`);
  cached.set(key, made);
  return made;
}
