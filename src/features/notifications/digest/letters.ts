import { inRealm } from '#kernel/store';
import { BULK, sendNow } from '#features/mails';
import { readRealm, realmRefOf, settingsOf } from '#features/realms';
import { findUser } from '#features/users';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { defineJob } from '#kernel/jobs';
import { composeDigest, MAX_NEW_CHANNELS } from './compose.ts';
import { type BusyTopic, isAbsent, listNewChannels } from './queries.ts';

/** A weekly mail in the queue. */
export interface DigestLetter {
  readonly user_id: UserId;
  /** Seconds since 1970 of the week's beginning. */
  readonly since: number;
  /** The topics that it may name. */
  readonly topics: readonly BusyTopic[];
}

/**
 * Sends a weekly mail. It is composed when it is sent, again at each attempt, because the mail server may have been
 * unreachable: people who were active since then get none, and it names nothing that was read, deleted or muted.
 */
export const digestLetterJob = defineJob<DigestLetter, Context>(
  'digest-letter',
  async ({ user_id, since, topics }, { context, realmId }) => {
    const mail = await context.store.of(realmId).read(async (tx) => {
      const row = await readRealm(tx);
      const user = await findUser(tx, user_id);
      if (!user || !settingsOf(row).digest_emails_enabled) return undefined;
      if (!(await isAbsent(tx, since, user_id))) return undefined;
      const channels = await listNewChannels(tx, since, MAX_NEW_CHANNELS);
      return composeDigest(context, inRealm(tx, realmRefOf(row, context.server)), user, { topics, channels });
    });
    if (mail) await sendNow(context, realmId, mail);
  },
  'slow',
  BULK,
);
