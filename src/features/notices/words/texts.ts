import type { ChannelRow } from '#features/channels';

/** Who can find and read a channel. */
export type Kind = 'webPublic' | 'public' | 'shared' | 'protected';

/**
 * The texts of notices in one language, in Markdown. `by` is who did it; places and groups come as links and mentions.
 * See protocol/channels#notices.
 */
export interface NoticeWords {
  readonly somebody: string;
  readonly noDescription: string;
  readonly kinds: Readonly<Record<Kind, string>>;
  readonly policies: Readonly<Record<ChannelRow['topics_policy'], string>>;
  /** How long messages are kept, in days; -1 is for ever. */
  readonly period: (days: number) => string;
  readonly usual: (period: string) => string;
  readonly created: (by: string, kind: string, description: string) => string;
  readonly announced: (by: string, channels: readonly string[]) => string;
  readonly subscribed: (by: string, channels: readonly string[]) => string;
  readonly topics: Changed;
  readonly access: Changed;
  /** `days` is the new period. */
  readonly retention: (by: string, before: string, after: string, days: number) => string;
  readonly description: Changed;
  readonly renamed: Changed;
  readonly posting: Changed;
  readonly archived: (channel: string) => string;
  readonly unarchived: (channel: string) => string;
  readonly added: (by: string, group: string) => string;
  readonly removed: (by: string, group: string) => string;
}

type Changed = (by: string, before: string, after: string) => string;

/** A list of one entry for each line. */
export function listed(entries: readonly string[]): string {
  return entries.map((entry) => `* ${entry}`).join('\n');
}
