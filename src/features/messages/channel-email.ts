import { createHmac } from 'node:crypto';
import { accessChannel, type ChannelRow, InvalidChannelId } from '#features/channels';
import { actorOf, findUser, NoSuchUser, SystemBot } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import { endpoint, everyone, json, optional, path } from '#kernel/endpoint';
import type { ChannelId, UserId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import { idOf, str } from '#kernel/schema';
import type { ReadTx } from '#kernel/store';
import { NotAuthorizedToSend, PostingRefused } from './errors.ts';
import { assertMayPost } from './to-channel.ts';

/** An address for mail to a channel. See protocol/channels#reading-channels. */
export const channelEmailEndpoint = endpoint({
  id: 'get-channel-email-address',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  source: 'protocol/channels#reading-channels',
  since: 226,
  doc:
    'The address that stands for a channel in a mail gateway: mail to it is a message in the name of `sender_id`. It is ' +
    'a secret of whoever asked for it. The server itself receives no mail.',
  who: everyone,
  params: {
    stream_id: path(idOf<ChannelId>()),
    sender_id: optional(json(idOf<UserId>(), 'The caller, a bot of the caller, or the mail gateway when absent.')),
  },
  returns: { email: str() },
  fails: [InvalidChannelId, NoSuchUser, PostingRefused, NotAuthorizedToSend],
  run: ({ actor, realm, params, context }) =>
    context.store.read(async (tx) => {
      const { channel } = await accessChannel(tx, realm, actor, params.stream_id);
      const sender = await senderOf(tx, realm, actor, params.sender_id);
      await assertMayPost(tx, realm, sender ?? actor, channel);
      return { email: addressOf(context, realm, channel, params.sender_id ?? 0) };
    }),
});

/** The account that the address speaks for; undefined for the mail gateway, whose right is the caller's. */
async function senderOf(tx: ReadTx, realm: RealmRef, actor: Actor, id: UserId | undefined): Promise<Actor | undefined> {
  if (id === undefined || id === actor.userId) return undefined;
  const row = await findUser(tx, realm.id, id);
  if (row?.is_system_bot && row.full_name === SystemBot.emailGateway.full_name) return undefined;
  if (!row?.is_active || row.bot_owner_id !== actor.userId) throw NoSuchUser();
  return { ...actorOf(row, realm, tx.now), client: actor.client };
}

/** The same for the same channel and sender, and not to be guessed. */
function addressOf(context: ReadContext, realm: RealmRef, channel: ChannelRow, senderId: number): string {
  const words = channel.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const facts = `channel-mail:${realm.id}:${channel.id}:${senderId}`;
  const token = createHmac('sha256', context.server.secret).update(facts).digest('hex').slice(0, 32);
  return `${[...words, token].join('-').slice(-64)}@${context.realmHost(realm)}`;
}
