import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { endpoint, everyone, json, raw, withDefault } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';
import { bool, str, text } from '#kernel/schema';
import { findUser, type UserRow } from '#features/users';
import { joinAddress } from './bigbluebutton.ts';
import * as errors from './errors.ts';
import { constructorGroupsRoom, nextcloudTalkRoom } from './rooms.ts';
import { createOwnCall, createSharedCall, hasZoom, isShared } from './zoom/index.ts';

/** Longest name of a meeting or room, in code points; as long as a topic with its channel. */
const MAX_NAME = 120;

const shared = { source: 'protocol/organizations#calls', who: everyone, returns: { url: str() } } as const;

const zoom = endpoint({
  ...shared,
  id: 'create-zoom-call',
  method: 'POST',
  path: '/calls/zoom/create',
  doc: 'Makes a Zoom meeting of the caller, where the server is connected to Zoom. Where everybody has an account of their own there, the caller connects it first, at `/calls/zoom/register`.',
  params: { is_video_call: withDefault(json(bool()), true) },
  fails: [
    errors.ZoomNotConfigured,
    errors.ZoomTokenInvalid,
    errors.ZoomCredentialsWrong,
    errors.UnknownZoomUser,
    errors.ZoomFailed,
  ],
  async run({ actor, params, context }) {
    if (!hasZoom(context)) throw errors.ZoomNotConfigured();
    const isVideo = params.is_video_call;
    if (!isShared(context)) return { url: await createOwnCall(context, actor, isVideo) };
    const { email } = await accessCaller(context, actor);
    return { url: await createSharedCall(context, email, isVideo) };
  },
});

const bigBlueButton = endpoint({
  ...shared,
  id: 'create-bigbluebutton-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  doc: 'The address of a new BigBlueButton meeting, where the server is connected to BigBlueButton.',
  params: { meeting_name: raw(text({ line: true, max: MAX_NAME })), voice_only: withDefault(json(bool()), false) },
  fails: [errors.BigBlueButtonNotConfigured],
  run({ actor, realm, params, context }) {
    if (!context.calls.bigBlueButton) throw errors.BigBlueButtonNotConfigured();
    const id = `roost-${context.clock.token(16)}`;
    const { meeting_name: name, voice_only: voice } = params;
    const meeting = { id, name, voice, realm: realm.id, moderator: actor.userId };
    return Promise.resolve({ url: joinAddress(context.server.secret, meeting) });
  },
});

const constructorGroups = endpoint({
  ...shared,
  id: 'create-constructor-groups-call',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  doc: "The caller's own room at Constructor Groups, where the server is connected to Constructor Groups.",
  params: {},
  fails: [errors.ConstructorGroupsNotConfigured, errors.ConstructorGroupsFailed],
  async run({ actor, realm, context }) {
    const user = await accessCaller(context, actor);
    return { url: await constructorGroupsRoom(context, realm, user) };
  },
});

const nextcloudTalk = endpoint({
  ...shared,
  id: 'create-nextcloud-talk-call',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  doc: 'Makes a Nextcloud Talk room, where the server is connected to Nextcloud.',
  params: { room_name: raw(text({ line: true, max: MAX_NAME })) },
  fails: [errors.NextcloudTalkNotConfigured, errors.NextcloudTalkFailed],
  async run({ params, context }) {
    return { url: await nextcloudTalkRoom(context, params.room_name) };
  },
});

async function accessCaller(context: Context, actor: Actor): Promise<UserRow> {
  const user = await context.store.as(actor).query((tx) => findUser(tx, actor.userId));
  invariant(user, 'the caller has an account');
  return user;
}

export const videoCallEndpoints = [zoom, bigBlueButton, constructorGroups, nextcloudTalk];
