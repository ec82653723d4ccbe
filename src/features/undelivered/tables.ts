import type { RealmId } from '#kernel/ids';
import { col, type RowOf, table } from '#kernel/store';

/** Ways to reach people: phones, older apps on phones, browsers, UnifiedPush apps, mail. */
export const ROADS = ['phone', 'older_phone', 'web', 'unifiedpush', 'mail'] as const;
export type Road = (typeof ROADS)[number];

/**
 * Number of notifications that did not reach people, by day, road and reason. See protocol/notifications#undelivered.
 */
export const undelivered = table('undelivered', {
  realm_id: col.ref<RealmId>(),
  /** Days since 1970. */
  day: col.int(),
  road: col.text<Road>(),
  reason: col.text(),
  count: col.int(),
  last_at: col.int(),
});

declare module '#kernel/store' {
  interface Tables {
    undelivered: RowOf<typeof undelivered>;
  }
}
