import { asId, type MessageId } from '#kernel/ids';
import { sql } from '#kernel/store';
import type { World } from './world.ts';

/** Puts copies of a message into the database, with the IDs that follow its own. */
export async function copyMessage({ server, realm }: World, id: number, count: number): Promise<void> {
  await server.context.store.of(realm.id).write(async ({ db, dialect }) => {
    const row = await db
      .selectFrom('message')
      .selectAll()
      .where('id', '=', asId<MessageId>(id))
      .executeTakeFirstOrThrow();
    const columns = sql.join(Object.keys(row).flatMap((column) => (column === 'id' ? [] : sql.ref(column))));
    await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
      insert into message (id, ${columns}) select id + i, ${columns} from message, n where id = ${id}`.execute(db);
    if (dialect.name === 'postgres') await sql`select setval('message_id_seq', ${sql.lit(id + count)})`.execute(db);
  });
}
