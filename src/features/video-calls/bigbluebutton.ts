import { createHmac, timingSafeEqual } from 'node:crypto';
import { nextLink, redirect, show, wordsFor } from '#features/pages';
import { findUser } from '#features/users';
import type { ReadContext, Service } from '#kernel/context';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import { bool, idOf, lenientObject, str } from '#kernel/schema';
import { sha256 } from '#kernel/secretbox';
import { ask } from './ask.ts';

/** The signed contents of an address to join a meeting. */
const meetingShape = lenientObject({
  id: str(),
  name: str(),
  voice: bool(),
  realm: idOf<RealmId>(),
  moderator: idOf<UserId>(),
});
type Meeting = ReturnType<typeof meetingShape.parse>;

/** Path of the page that joins a meeting. See protocol/organizations#calls. */
const JOIN_PATH = '/calls/bigbluebutton/join';

/** Why somebody cannot join: the address was not made here, or the service failed. */
type JoinFault = 'signature' | 'unreachable' | 'checksum' | 'refused';

/** The address with which people join a meeting; only this server can make one. */
export function joinAddress(secret: string, meeting: Meeting): string {
  const text = Buffer.from(JSON.stringify(meeting)).toString('base64url');
  return `${JOIN_PATH}?bigbluebutton=${text}.${signatureOf(secret, text)}`;
}

/** Reads the meeting of such an address; undefined if this server did not make it. */
function readMeeting(secret: string, signed: string): Meeting | undefined {
  const [text = '', signature = ''] = signed.split('.');
  const wanted = Buffer.from(signatureOf(secret, text));
  const given = Buffer.from(signature);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const result = meetingShape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  return result.success ? result.data : undefined;
}

/** Creates the meeting unless the service has it already, and returns where the browser goes on. */
async function enterMeeting(
  context: Pick<ReadContext, 'calls' | 'log'>,
  service: Service,
  meeting: Meeting,
  person: { readonly id: UserId; readonly full_name: string },
): Promise<{ readonly url: string } | { readonly fault: JoinFault }> {
  const wanted = { meetingID: meeting.id, name: meeting.name, lockSettingsDisableCam: String(meeting.voice) };
  const answer = await ask(context, 'BigBlueButton', { url: signedCall(service, 'create', wanted) });
  if (!answer) return { fault: 'unreachable' };
  if (elementOf(answer.text, 'messageKey') === 'checksumError') return { fault: 'checksum' };
  const createTime = elementOf(answer.text, 'createTime');
  const isMade = answer.status === 200 && elementOf(answer.text, 'returncode') === 'SUCCESS';
  if (!isMade || createTime === undefined || !/^\d{1,20}$/.test(createTime)) return { fault: 'refused' };
  // Only the person who began a call without video may turn it into one with video.
  const role = person.id === meeting.moderator ? 'MODERATOR' : 'VIEWER';
  const facts = { meetingID: meeting.id, role, fullName: person.full_name, createTime };
  return { url: signedCall(service, 'join', facts) };
}

/** The address of an API call of the service, with its checksum. */
function signedCall({ url, secret }: Service, call: string, facts: Readonly<Record<string, string>>): string {
  const query = Object.entries(facts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const checksum = sha256(`${call}${query}${secret}`);
  return `${url}/api/${call}?${query}&checksum=${checksum}`;
}

/** The text of the first element with a name; the service's answers are flat. */
function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>\\s*([^<]{0,200}?)\\s*</${name}>`).exec(xml)?.[1];
}

function signatureOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`call ${text}`).digest('base64url');
}

const FAULTS = {
  absent: { status: 404, key: 'calls.absent' },
  signature: { status: 400, key: 'calls.signature' },
  unreachable: { status: 502, key: 'calls.unreachable' },
  checksum: { status: 502, key: 'calls.checksum' },
  refused: { status: 502, key: 'calls.refused' },
} as const satisfies Record<JoinFault | 'absent', unknown>;

function failed(request: PageRequest, fault: keyof typeof FAULTS): PageResponse {
  const { t, language } = wordsFor(request);
  const { status, key } = FAULTS[fault];
  return show(request, {
    language,
    title: t('calls.none'),
    status,
    lede: t(key),
    body: nextLink(t('calls.back'), '/'),
  });
}

/** Lets somebody join a BigBlueButton meeting under their name here. See protocol/organizations#calls. */
export const joinPage = page({
  methods: ['GET'],
  path: JOIN_PATH,
  handle: async (request) => {
    const { actor, realm, context, url } = request;
    if (!actor || !realm) return redirect(`/login/?next=${encodeURIComponent(`${url.pathname}${url.search}`)}`);
    const service = context.calls.bigBlueButton;
    if (!service) return failed(request, 'absent');
    const meeting = readMeeting(context.server.secret, url.searchParams.get('bigbluebutton') ?? '');
    const person = await context.store.in(realm).query((tx) => findUser(tx, actor.userId));
    if (!person || meeting?.realm !== realm.id) return failed(request, 'signature');
    const entered = await enterMeeting(context, service, meeting, person);
    return 'fault' in entered ? failed(request, entered.fault) : redirect(entered.url);
  },
});
