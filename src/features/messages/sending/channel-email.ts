import { accessChannel, InvalidChannelId } from '#features/channels';
import { actorOf, findUser, NoSuchUser, SystemBot } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import { endpoint, everyone, json, optional, path } from '#kernel/endpoint';
import type { ChannelId, UserId } from '#kernel/ids';
import { idOf, str } from '#kernel/schema';
import { actingAs } from '#kernel/store';
import { channelMailAddress } from './channel-address.ts';
import { NotAuthorizedToSend, PostingRefused } from '../core/index.ts';
import { assertMayPost } from './to-channel.ts';

/** Returns an address for mail to a channel. See protocol/channels#reading-channels. */
export const channelEmailEndpoint = endpoint({
  id: 'get-channel-email-address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  source: 'protocol/channels#reading-channels',
  since: 226,
  doc:
    'The address that stands for a channel in a mail gateway: mail to it is a message in the name of `sender_id`. It is ' +
    'a secret of whoever asked for it, and good as long as they may post there. Mail to it comes in only where the operator ' +
    'has set that up.',
  who: everyone,
  params: {
    stream_id: path(idOf<ChannelId>()),
    sender_id: optional(json(idOf<UserId>(), 'The caller, a bot of the caller, or the mail gateway when absent.')),
  },
  returns: { email: str() },
  fails: [InvalidChannelId, NoSuchUser, PostingRefused, NotAuthorizedToSend],
  run: ({ actor, params, context }) =>
    context.store.as(actor).read(async (tx) => {
      const { channel } = await accessChannel(tx, params.stream_id);
      const sender = await senderOf(tx, params.sender_id);
      await assertMayPost(actingAs(tx, sender ?? actor), channel);
      return { email: channelMailAddress(context, actor, channel, sender?.userId ?? 0) };
    }),
});

/**
 * The account that posts the mails of an address; undefined for the mail gateway, for which the caller's permission
 * counts.
 */
async function senderOf(tx: ActorReadTx, id: UserId | undefined): Promise<Actor | undefined> {
  const { actor } = tx;
  if (id === undefined) return undefined;
  if (id === actor.userId) return actor;
  const row = await findUser(tx, id);
  if (row?.is_system_bot && row.full_name === SystemBot.emailGateway.full_name) return undefined;
  if (!row?.is_active || row.bot_owner_id !== actor.userId) throw NoSuchUser();
  return { ...actorOf(row, tx.realm, tx.now), client: actor.client };
}
