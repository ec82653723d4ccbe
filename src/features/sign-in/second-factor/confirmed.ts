import type { PageRequest } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { firstFault, idOf, int, object, str } from '#kernel/schema';
import { formToken } from '#features/pages';
import type { UserRow } from '#features/users';
import { seal, unseal } from '../sealed.ts';

const PURPOSE = 'confirmed';
/** Seconds after confirming who one is during which one may change the ways into the account. */
const CONFIRMED_SECONDS = 600;

const shape = object({ user_id: idOf<UserId>(), key_version: int(), browser: str(), ends_at: int() });

/** A sealed form field which says that somebody has just confirmed in this browser who they are. */
export function sealConfirmed(request: PageRequest, user: UserRow): Promise<string> {
  const { context } = request;
  const ends_at = context.clock.now() + CONFIRMED_SECONDS;
  const value = { user_id: user.id, key_version: user.api_key_version, browser: formToken(request), ends_at };
  return seal(context, PURPOSE, value);
}

/** Whether a form comes from somebody who has just confirmed in this browser who they are. */
export async function isConfirmed(
  request: PageRequest,
  user: UserRow,
  fields: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { context } = request;
  const read = firstFault(shape, 'confirmed', await unseal(context, PURPOSE, fields.get('confirmed')));
  if ('fault' in read) return false;
  const { user_id, key_version, browser, ends_at } = read.value;
  return (
    user_id === user.id &&
    key_version === user.api_key_version &&
    browser === formToken(request) &&
    ends_at > context.clock.now()
  );
}
