import { findReplyByLocal } from '#features/mails';
import { accessMessages, type Destination, type MessageRow, participantsOfMessage } from '#features/messages';
import { readRealm, realmRefOf } from '#features/realms';
import { actorOf, findUser, hiddenFrom, type UserRow } from '#features/users';
import type { Actor, RealmRef, RealmRefReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { MailRefusal, type ReceivedMail } from '#kernel/mail';
import { actingAs, inRealm, ofRealm, type ReadTx, type RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { assertPersonal } from './loops.ts';
import type { Posting } from './post.ts';
import { textIn } from './text.ts';

const CLIENT = 'Mail';
const WISHES = { keepsQuotes: false, keepsFooter: false, prefersHtml: false };

/** Returns the user that a reply address belongs to, and the message to answer; undefined if the address is invalid. */
export async function replierFor(
  { server }: Pick<Context, 'server'>,
  tx: ReadTx,
  local: string,
): Promise<{ readonly realm: RealmRef; readonly user: UserRow; readonly messageId: MessageRow['id'] } | undefined> {
  const row = await findReplyByLocal(tx, local);
  if (!row) return undefined;
  const own = ofRealm(tx, row.realm_id);
  const realm = realmRefOf(await readRealm(own), server);
  const user = await findUser(own, row.user_id);
  return !realm.isDeactivated && user?.is_active ? { realm, user, messageId: row.message_id } : undefined;
}

/** Converts a reply mail into a message of its user, sent to where the answered message is now. */
export async function replyIn(context: Context, local: string, mail: ReceivedMail): Promise<Posting> {
  assertPersonal(mail);
  const text = await textIn(mail, WISHES);
  return context.store.read(async (tx) => {
    const replier = await replierFor(context, tx, local);
    if (!replier) throw new MailRefusal('unknown', 'this address for an answer is over');
    const { realm, user, messageId } = replier;
    // A forwarded notification contains the address, too; a reply by its reader would be posted as the wrong user.
    if (!isOnlyFrom(mail, user.email))
      throw new MailRefusal('refused', 'answers are taken from the address that the mail was sent to');
    if (text === '' && mail.files.length === 0)
      throw new MailRefusal('refused', 'nothing is written above what is quoted');
    const own = inRealm(tx, realm);
    const actor = await personOf(own, user);
    const [message] = await accessMessages(actingAs(own, actor), [messageId]);
    if (!message) throw new MailRefusal('refused', 'what you answer cannot be read any more');
    const destination = await destinationOf(own, message);
    return { realm, actor, destination, text, isFromMail: false };
  });
}

/**
 * Whether a mail names one author, with this address: of several, the mail server may have checked another one than is read
 * here (RFC 7489, 6.6.1).
 */
function isOnlyFrom(mail: ReceivedMail, email: string): boolean {
  const [field = '', ...more] = mail.fields('from');
  const addresses = field.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[^\s<>,;:@]+@[^\s<>,;:@]+/g) ?? [];
  const all = [mail.from.address, ...addresses];
  return more.length === 0 && all.every((address) => foldCase(address) === foldCase(email));
}

async function personOf(tx: RealmRefReadTx, user: UserRow): Promise<Actor> {
  const actor = actorOf(user, tx.realm, tx.now);
  const hidden = await hiddenFrom(tx, user, tx.realm.host);
  return { ...actor, client: CLIENT, viewer: { ...actor.viewer, hidden } };
}

async function destinationOf(tx: RealmReadTx, message: MessageRow): Promise<Destination> {
  if (message.channel_id !== null) return { channel: { id: message.channel_id }, topic: message.topic };
  return { people: { ids: await participantsOfMessage(tx, message) } };
}
