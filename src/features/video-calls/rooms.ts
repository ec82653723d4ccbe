import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { lenientObject, str } from '#kernel/schema';
import type { UserRow } from '#features/users';
import { sha256 } from '#kernel/secretbox';
import { ask, basic, callAddress, isSuccess, readAnswer } from './ask.ts';
import * as errors from './errors.ts';

/** Type of a conversation that everybody with its address may join. */
const PUBLIC_ROOM = 3;

const groupsReply = lenientObject({ url: str() });
const talkReply = lenientObject({ ocs: lenientObject({ data: lenientObject({ token: str() }) }) });

/** Returns somebody's own room at Constructor Groups. See protocol/organizations#calls. */
export async function constructorGroupsRoom(context: Context, realm: RealmRef, user: UserRow): Promise<string> {
  const service = context.calls.constructorGroups;
  if (!service) throw errors.ConstructorGroupsNotConfigured();
  const proof = sha256(`${service.name}|${service.secret}`);
  const name = `${user.full_name}'s room`;
  const room = { creator_email: user.email, name, fallback_name: `${name} (${realm.id}-${user.id})` };
  const answer = await ask(context, 'Constructor Groups', {
    url: `${service.url}/room/default`,
    headers: { authorization: `Bearer ${service.name}|${proof}`, 'content-type': 'application/json' },
    body: JSON.stringify(room),
  });
  const url = isSuccess(answer) ? callAddress(readAnswer(groupsReply, answer)?.url) : undefined;
  if (url === undefined) throw errors.ConstructorGroupsFailed();
  return url;
}

/** Creates a room of Nextcloud Talk. See protocol/organizations#calls. */
export async function nextcloudTalkRoom(context: Context, roomName: string): Promise<string> {
  const service = context.calls.nextcloudTalk;
  if (!service) throw errors.NextcloudTalkNotConfigured();
  const answer = await ask(context, 'Nextcloud Talk', {
    url: `${service.url}/ocs/v2.php/apps/spreed/api/v4/room`,
    headers: {
      authorization: basic(service.name, service.secret),
      'ocs-apirequest': 'true',
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ roomType: PUBLIC_ROOM, roomName }),
  });
  const token = isSuccess(answer) ? readAnswer(talkReply, answer)?.ocs.data.token : undefined;
  if (token === undefined || !/^\w{1,64}$/.test(token)) throw errors.NextcloudTalkFailed();
  return `${service.url}/index.php/call/${token}`;
}
