import { queueMail, senderOf, withLayout } from '#features/mails';
import { readRealm, realmRefOf } from '#features/realms';
import { signedInAnew } from '#features/sign-in';
import { settingsOf } from '#features/user-settings';
import { findUser } from '#features/users';
import { html } from '#kernel/html';
import { on } from '#kernel/slice';
import { unsubscribeAddress, unsubscribeHeaders } from './unsubscribe.ts';

/** Seconds after an account's creation during which a sign-in is not reported. See protocol/mail#mail. */
const NEW_SECONDS = 60;

/**
 * Mails a person that a browser or app signed in to their account in which they were not signed in before. See
 * protocol/mail#mail.
 */
export const onSignedIn = on(signedInAnew, async (tx, { userId, client, address }, context) => {
  const user = await findUser(tx, userId);
  if (!user || user.is_bot || tx.now - user.date_joined < NEW_SECONDS) return;
  if (!settingsOf(user).enable_login_emails) return;
  const realm = realmRefOf(await readRealm(tx), context.server);
  const leave = unsubscribeAddress(context, { realm, userId: user.id }, 'login');
  const said = [
    `Hello ${user.full_name},`,
    `something signed in to your account in ${realm.name} that was not signed in before:`,
  ];
  const facts = [`With: ${client}`, `From: ${address}`, `At: ${new Date(tx.now * 1000).toUTCString()}`];
  const settings = `${realm.url}/#settings/account-and-privacy`;
  const fine = 'If that was you, there is nothing to do.';
  const otherwise = 'If not, change your password and end the sessions you do not know:';
  const text = [
    ...said,
    facts.join('\n'),
    fine,
    `${otherwise}\n${settings}`,
    `To get no more mails like this one, open this address: ${leave}`,
  ].join('\n\n');
  const inside = html`<h1>New sign-in to ${realm.name}</h1>
${said.map((line) => html`<p>${line}</p>\n`)}
<div class="said">${facts.join('\n')}</div>
<p>${fine}</p>
<p>${otherwise}</p>
<p><a class="go" href="${settings}">Look at my sessions</a></p>
<p class="small"><a href="${leave}">Get no more mails like this one</a></p>`;
  const mail = {
    to: { name: user.full_name, address: user.email },
    subject: `New sign-in to ${realm.name}`,
    text,
    headers: unsubscribeHeaders(leave),
  };
  await queueMail(tx, withLayout(mail, senderOf(context, realm), inside));
});
