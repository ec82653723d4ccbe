import type { UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Mail } from '#kernel/mail';

/**
 * Tells somebody that their account has been deactivated, with the words of whoever did it.
 * See protocol/users#deactivating.
 */
export function goodbyeMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  user: Pick<UserRow, 'full_name' | 'email'>,
  comment: string,
): Mail {
  const said = comment === '' ? [] : ['The administrators left this comment:', comment];
  return {
    to: { name: user.full_name, address: user.email },
    subject: `Your account at ${realm.name} has been deactivated`,
    text: [`Your account at ${realm.name} (${context.realmUrl(realm)}) has been deactivated.`, ...said].join('\n\n'),
  };
}
