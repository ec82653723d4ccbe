import { defineMigration } from '#kernel/store';

/** Tables whose rows processes keep in memory until they change. */
const COUNTED = [
  'user',
  'device_key',
  'realm',
  'former_subdomain',
  'channel',
  'subscription',
  'channel_rule',
  'user_topic',
  'push_subscription',
];

/**
 * Counts on PostgreSQL, where any number of processes write, how often tables are changed: in the transaction that changes
 * them, whoever makes it. A note is a row of its own, so that nobody waits for anybody. Of messages only what moves or
 * removes them counts: that a topic has some stays true until then.
 */
export const tableChanges = defineMigration('2026-11-23T0648-table-changes', (m) =>
  m.byDialect({
    sqlite: [],
    postgres: [
      'create table table_change (name text not null, changes bigint not null)',
      `create function note_table_change() returns trigger language plpgsql as $$
      begin
        insert into table_change (name, changes) values (tg_argv[0], 1);
        return null;
      end $$`,
      `create function count_changes_of(counted text) returns void language plpgsql as $$
      begin
        insert into table_change (name, changes) values (counted, 0);
        execute format('create trigger count_changes after insert or update or delete or truncate on %I
          for each statement execute function note_table_change(%L)', counted, counted);
      end $$`,
      `create function count_changed_rows_of(counted text, columns text) returns void language plpgsql as $$
      begin
        insert into table_change (name, changes) values (counted || ':changed', 0);
        execute format('create trigger count_changed_rows after update of %s or delete or truncate on %I
          for each statement execute function note_table_change(%L)', columns, counted, counted || ':changed');
      end $$`,
      ...COUNTED.map((table) => `select count_changes_of('${table}')`),
      "select count_changed_rows_of('message', 'recipient_id, topic_key')",
    ],
  }),
);
