import { endpoint, everyone, path } from '#kernel/endpoint';
import type { MessageId, UserId } from '#kernel/ids';
import { idOf, list } from '#kernel/schema';
import { readRealm, settingsOf } from '#features/realms';
import { settingsOfUsers } from '#features/user-settings';
import { accessMessage, InvalidMessage, ReceiptsDisabled } from '../core/index.ts';
import { readersOf } from './queries.ts';

/** Lists who has read a message, except users who turned read receipts off. See protocol/flags#receipts. */
export const getReadReceipts = endpoint({
  id: 'get-read-receipts',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  source: 'protocol/flags#receipts',
  since: 137,
  doc: 'Who has read a message.',
  who: everyone,
  mayBeLarge: true,
  params: { message_id: path(idOf<MessageId>()) },
  returns: { user_ids: list(idOf<UserId>()) },
  fails: [ReceiptsDisabled, InvalidMessage],
  async run({ actor, params, context }) {
    return context.store.as(actor).read(async (tx) => {
      if (!settingsOf(await readRealm(tx)).enable_read_receipts) throw ReceiptsDisabled();
      const message = await accessMessage(tx, params.message_id);
      const readers = await readersOf(tx, message, actor.userId);
      const settings = await settingsOfUsers(tx, readers);
      const isShown = (id: UserId) => settings.get(id)?.send_read_receipts === true && !actor.viewer.hidden?.has(id);
      return { user_ids: readers.filter(isShown) };
    });
  },
});
