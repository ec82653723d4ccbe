import { type ChannelRow, findChannel } from '#features/channels';
import {
  assertMayPost,
  type ChannelMail,
  channelMailIn,
  type Destination,
  normaliseTopic,
  verbatim,
} from '#features/messages';
import { listRealms, realmRefOf } from '#features/realms';
import { actorOf, findSystemBot, findUser, SystemBot, type UserRow } from '#features/users';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { asId } from '#kernel/ids';
import { MailRefusal, type ReceivedMail } from '#kernel/mail';
import { actingAs, ofRealm, type ReadTx, type RealmReadTx } from '#kernel/store';
import { assertNoAnswerOfMachine } from './loops.ts';
import type { Posting } from './post.ts';
import { isForwarded, textIn, topicOf } from './text.ts';
import { wordsOf } from './words.ts';

const CLIENT = 'Mail';

/** Options that an address may have, separated by dots. See protocol/mail#receiving. */
const OPTIONS = new Set(['show-sender', 'include-quotes', 'include-footer', 'prefer-text', 'prefer-html']);

/** Parses a channel's address with its options; undefined for other addresses. */
export function channelAddressIn(
  context: Context,
  local: string,
): { readonly mail: ChannelMail; readonly options: ReadonlySet<string> } | undefined {
  const parts = local.split(/[.+]/);
  const [mail] = parts.flatMap((part) => channelMailIn(context, part) ?? []);
  return mail && { mail, options: new Set(parts.filter((part) => OPTIONS.has(part))) };
}

/** Where mails to an address go. */
interface MailTarget {
  readonly realm: RealmRef;
  readonly channel: ChannelRow;
  /** The account under which the message is posted. */
  readonly sender: UserRow;
  readonly creator: UserRow;
}

/**
 * Returns the channel of an address; undefined if it no longer exists, or if the user who created the address or its
 * sender is no longer active.
 */
export async function placeOf({ server }: Context, tx: ReadTx, mail: ChannelMail): Promise<MailTarget | undefined> {
  const row = (await listRealms(tx)).find(({ id }) => id === mail.realmId);
  if (!row || row.is_deactivated) return undefined;
  const realm = realmRefOf(row, server);
  const own = ofRealm(tx, realm.id);
  const channel = await findChannel(own, mail.channelId);
  const creator = await findUser(own, mail.creatorId);
  const sender = await senderFor(own, mail.senderId);
  if (!channel || channel.is_archived || !creator?.is_active || !sender?.is_active) return undefined;
  return { realm, channel, sender, creator };
}

function senderFor(tx: RealmReadTx, senderId: number): Promise<UserRow | undefined> {
  if (senderId === 0) return findSystemBot(tx, SystemBot.emailGateway.full_name);
  return findUser(tx, asId(senderId));
}

/** Converts a mail to a channel into a message. */
export async function channelPosting(
  context: Context,
  { mail: address, options }: NonNullable<ReturnType<typeof channelAddressIn>>,
  mail: ReceivedMail,
): Promise<Posting> {
  assertNoAnswerOfMachine(mail);
  const place = await context.store.read(async (tx) => {
    const found = await placeOf(context, tx, address);
    if (!found) throw new MailRefusal('unknown', 'there is no such channel any more');
    await assertMayPost(actingAs(ofRealm(tx, found.realm.id), actorFor(found, found.creator, tx.now)), found.channel);
    return found;
  });
  const { realm, sender } = place;
  const actor = actorFor(place, sender, context.clock.now());
  const destination = destinationOf(place, mail);
  return { realm, actor, destination, text: await contentOf(mail, options, place), isFromMail: true };
}

function actorFor({ realm }: Pick<MailTarget, 'realm'>, row: UserRow, now: number): Actor {
  return { ...actorOf(row, realm, now), client: CLIENT };
}

function destinationOf({ realm, channel }: MailTarget, mail: ReceivedMail): Destination {
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : topicOf(mail.subject) || wordsOf(realm).noSubject;
  return { channel: { id: channel.id }, topic: normaliseTopic(topic) };
}

/** If the message is posted as the mail gateway, mentions become silent: the author has no account. */
async function contentOf(
  mail: ReceivedMail,
  options: ReadonlySet<string>,
  { realm, sender }: MailTarget,
): Promise<string> {
  const words = wordsOf(realm);
  const text = await textIn(mail, {
    keepsQuotes: options.has('include-quotes') || isForwarded(mail.subject),
    keepsFooter: options.has('include-footer'),
    prefersHtml: options.has('prefer-html'),
  });
  const said = text === '' && mail.files.length === 0 ? words.noText : text;
  const whole = options.has('show-sender') ? `${words.from(fromOf(mail))}\n\n${said}`.trim() : said;
  return sender.is_system_bot ? whole.replaceAll(/@(?=\*)/g, '@_') : whole;
}

function fromOf({ from: { name, address } }: ReceivedMail): string {
  return name === '' ? verbatim(address) : `${verbatim(name)} (${verbatim(address)})`;
}
