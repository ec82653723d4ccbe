import { endpoint, everyone, json, raw, withDefault } from '#kernel/endpoint';
import type { ErrorFactory } from '#kernel/errors';
import { bool, str, text } from '#kernel/schema';
import * as errors from './errors.ts';

/** Longest name of a meeting or room, in code points; as long as a topic with its channel. */
const MAX_NAME = 120;

/** The server has no connection to these services, and tells clients so; calls are made by Jitsi, which needs none. */
const shared = { source: 'protocol/organizations#not-offered', who: everyone, returns: { url: str() } } as const;
const refuse = (error: ErrorFactory) => () => Promise.reject(error());

const zoom = endpoint({
  ...shared,
  id: 'create-zoom-call',
  method: 'POST',
  path: '/calls/zoom/create',
  doc: 'Makes a Zoom meeting, where the server is connected to Zoom; this one is not.',
  params: { is_video_call: withDefault(json(bool()), true) },
  fails: [errors.ZoomNotConfigured],
  run: refuse(errors.ZoomNotConfigured),
});

const bigBlueButton = endpoint({
  ...shared,
  id: 'create-bigbluebutton-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  doc: 'Makes a BigBlueButton meeting, where the server is connected to BigBlueButton; this one is not.',
  params: { meeting_name: raw(text({ max: MAX_NAME })), voice_only: withDefault(json(bool()), false) },
  fails: [errors.BigBlueButtonNotConfigured],
  run: refuse(errors.BigBlueButtonNotConfigured),
});

const constructorGroups = endpoint({
  ...shared,
  id: 'create-constructor-groups-call',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  doc: 'Makes a Constructor Groups room, where the server is connected to Constructor Groups; this one is not.',
  params: {},
  fails: [errors.ConstructorGroupsNotConfigured],
  run: refuse(errors.ConstructorGroupsNotConfigured),
});

const nextcloudTalk = endpoint({
  ...shared,
  id: 'create-nextcloud-talk-call',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  doc: 'Makes a Nextcloud Talk room, where the server is connected to Nextcloud; this one is not.',
  params: { room_name: raw(text({ max: MAX_NAME })) },
  fails: [errors.NextcloudTalkNotConfigured],
  run: refuse(errors.NextcloudTalkNotConfigured),
});

export const videoCallEndpoints = [zoom, bigBlueButton, constructorGroups, nextcloudTalk];
