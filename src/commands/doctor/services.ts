import { stat } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { pingRedis } from '#kernel/bus';
import { systemClock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { openFiles } from '#kernel/files';
import { greetMailIn, mailAddressFor, openMail, sendersOf, tryEnvelope } from '#kernel/mail';
import { operatorClient } from '#kernel/outbound';
import { fieldsIn, parseJson } from '#kernel/text';
import { reasonOf } from '../refusal.ts';
import { type Finding, failed, note, ok } from './finding.ts';

/** Checks that Redis answers, or says what works differently without it. */
export async function checkRedis({ redisUrl, databaseUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) {
    const says = 'not configured; PostgreSQL carries the wake-ups, and each process limits requests for itself';
    return databaseUrl === undefined ? [ok('redis', 'not needed: one process')] : [note('redis', says)];
  }
  await pingRedis(redisUrl);
  return [ok('redis', 'answers')];
}

/** Checks that a file can be stored, read and removed in the file store. */
export async function checkFiles({ uploadsUrl, dataDir }: Config): Promise<Finding[]> {
  const about = 'file store';
  const isThere = await stat(dataDir).catch(() => undefined);
  if (uploadsUrl === undefined && !isThere) return [note(about, 'there is no data folder yet')];
  const files = await openFiles(uploadsUrl ?? dataPaths(dataDir).files, { clock: systemClock });
  await files.checkHealth();
  const text = systemClock.token(16);
  const key = `doctor/${text}`;
  try {
    await files.put(key, Buffer.from(text));
    const opened = await files.open(key);
    if (!opened || (await textOf(opened.stream)) !== text)
      return [failed(about, 'a file does not read as it was written')];
  } finally {
    await files.remove(key);
  }
  const place = uploadsUrl === undefined ? 'the data folder' : 'the object store';
  return [ok(about, `a file was written to ${place}, read and removed`)];
}

/** Returns the address in `Name <address>`. */
function addressIn(mailbox: string | undefined): string | undefined {
  return /<([^<>]+)>/.exec(mailbox ?? '')?.[1] ?? mailbox;
}

export async function checkMail(config: Config): Promise<Finding[]> {
  const { smtpUrl, dataDir, externalUrl } = config;
  const { mails: folder } = dataPaths(dataDir);
  if (smtpUrl === undefined) return [note('mail', `ROOST_SMTP_URL is unset: mails are written to ${folder}`)];
  const { from } = sendersOf(config, new URL(externalUrl ?? 'http://localhost').hostname);
  const mail = openMail({ smtpUrl, folder, from, clock: systemClock, announce: () => undefined });
  await mail.checkHealth();
  await mail.close();
  // Sends nothing: only asks the mail server whether it would accept a mail to the operator.
  const to = addressIn(config.supportAddress ?? config.mailReplyTo) ?? from.address;
  const { hostname } = new URL(smtpUrl);
  try {
    await tryEnvelope(smtpUrl, from.address, to);
    // The server must also accept mails whose sender is the address for bounces.
    if (config.mailInAddress !== undefined)
      await tryEnvelope(smtpUrl, mailAddressFor(config.mailInAddress, 'doctor'), to);
  } catch (error) {
    return [failed('mail', `${hostname} takes no mail from ${from.address} to ${to}: ${reasonOf(error)}`)];
  }
  return [ok('mail', `${hostname} takes mails from ${from.address} to ${to}`)];
}

/** Timeout for the SMTP greeting of incoming mail, in milliseconds. */
const GREETING_MS = 5_000;

/** Checks that the operator's mail server could deliver mails here; delivers none. */
export async function checkMailIn({ mailInUrl, mailInAddress }: Config): Promise<Finding[]> {
  const about = 'mail in';
  if (mailInUrl === undefined || mailInAddress === undefined)
    return [note(about, 'ROOST_MAIL_IN_URL is unset: mails cannot be answered')];
  try {
    await greetMailIn(mailInUrl, GREETING_MS);
    return [ok(about, `mails to ${mailInAddress} are taken at ${mailInUrl}`)];
  } catch (error) {
    return [note(about, `nothing takes mails at ${mailInUrl} while no server runs: ${reasonOf(error)}`)];
  }
}

/** Checks that the push service answers and knows this server; sends no notification. */
export async function checkPush({ pushGatewayUrl }: Config): Promise<Finding[]> {
  const about = 'push service';
  if (pushGatewayUrl === undefined) return [note(about, 'ROOST_PUSH_GATEWAY_URL is unset: no phone is notified')];
  const { hostname, username } = new URL(pushGatewayUrl);
  if (username === '')
    return [failed(about, `ROOST_PUSH_GATEWAY_URL has no credentials for ${hostname}: roost push-service register`)];
  const outbound = operatorClient({ clock: systemClock, userAgent: 'Roost doctor' });
  const url = `${pushGatewayUrl.replace(/\/+$/, '')}/api/v1/remotes/server/analytics/status`;
  try {
    const { status, body } = await outbound.fetch({ url, maxBytes: 65_536, timeoutMs: 8_000 });
    const said = fieldsIn(parseJson(body.toString()));
    if (status === 200 && typeof said['last_realmauditlog_id'] === 'number')
      return [ok(about, `${hostname} answers and knows this server`)];
    const reason = typeof said['msg'] === 'string' ? said['msg'] : `status ${status}`;
    return [failed(about, `${hostname} refuses this server: ${reason}`)];
  } catch (error) {
    return [failed(about, `${hostname} gives no answer: ${reasonOf(error)}`)];
  }
}
