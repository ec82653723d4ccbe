import type { UserId } from '#kernel/ids';
import { type ReadTx, sql } from '#kernel/store';
import { isReceivedAlone, type MessageRow } from '../core/index.ts';

/**
 * Active users who received a message and have read it, without its sender and without users whom the viewer muted or
 * who muted the viewer.
 */
export async function readersOf(
  tx: ReadTx,
  { id, realm_id, sender_id, recipient_id, channel_id }: MessageRow,
  viewerId: UserId,
): Promise<readonly UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id from read_interval i join "user" u on u.id = i.user_id
    where i.realm_id = ${realm_id} and i.recipient_id = ${recipient_id}
      and i.last_id >= ${id} and i.first_id <= ${id} and u.is_active = true and u.id != ${sender_id}
      and (exists (select 1 from direct_participant p where p.recipient_id = ${recipient_id} and p.user_id = u.id)
        or exists (select 1 from subscription_period s where s.channel_id = ${channel_id} and s.user_id = u.id
          and s.after_message_id < ${id} and (s.until_message_id is null or s.until_message_id >= ${id}))
        or exists (select 1 from message m where m.id = ${id} and ${isReceivedAlone('m', sql.ref('u.id'))}))
      and not exists (select 1 from muted_user k where k.realm_id = ${realm_id}
        and ((k.user_id = ${viewerId} and k.muted_user_id = u.id) or (k.user_id = u.id and k.muted_user_id = ${viewerId})))
    order by u.id`.execute(tx.db);
  return rows.map((row) => row.id);
}
