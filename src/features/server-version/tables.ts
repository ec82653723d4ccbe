import { col, type RowOf, type SelectOf, table } from '#kernel/store';

/** The version that serves this database, in one row. See protocol/queues#restart. */
export const serverVersion = table('server_version', {
  id: col.int(),
  zulip_version: col.text(),
  feature_level: col.int(),
  roost_version: col.text(),
  /** Unix time at which it first started. */
  since: col.int(),
});
export type ServerVersion = SelectOf<typeof serverVersion>;

declare module '#kernel/store' {
  interface Tables {
    server_version: RowOf<typeof serverVersion>;
  }
}
