import { type Actor, constantTimeEqual, type RealmRef } from '#kernel/auth';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { Unauthorized } from '#kernel/errors';
import { asId, MAX_ID, type RealmId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { actingAs, type RealmReadTx } from '#kernel/store';
import { servePicture } from '#features/pictures';
import { readRealm, settingsOf } from '#features/realms';
import { avatarUrl, findByVisibleEmail, findUser, gravatarUrl } from '#features/users';
import { drawIdenticon, drawSilhouette } from './drawings.ts';
import { pathOf } from './files.ts';

/** The last part of a generated picture's address: the account's ID, and the size. */
const ADDRESSED = /^(\d{1,10})(-medium)?\.png$/;

/** The last part of an uploaded picture's address: the name of its file, which begins with the account's ID. */
const STORED = /^((\d{1,10})(?:-[A-Za-z0-9]{16})?)(-medium)?\.png$/;

/** Needs no login, so it shows a picture to those alone who know its name, and only while it is the account's. */
const uploaded = page({
  methods: ['GET'],
  path: '/user_avatars/{realm_id}/uploaded/{filename}',
  async handle({ context, path }) {
    const [, name = '', id = '', medium] = STORED.exec(path['filename'] ?? '') ?? [];
    const realmId = idFrom<RealmId>(path['realm_id'] ?? '');
    const userId = idFrom<UserId>(id);
    if (realmId === undefined || userId === undefined) return servePicture(context, { path: 'none' });
    const row = await context.store.of(realmId).query((tx) => findUser(tx, userId));
    const isTheirs = constantTimeEqual(name, row?.avatar_file ?? '');
    return servePicture(context, { path: isTheirs ? pathOf(realmId, name, medium !== undefined) : 'none' });
  },
});

const generated = page({
  methods: ['GET'],
  path: '/user_avatars/{realm_id}/generated/{filename}',
  handle: ({ context, path }) => {
    const [, id = '', medium] = ADDRESSED.exec(path['filename'] ?? '') ?? [];
    if (id === '') return servePicture(context, { path: 'none' });
    return servePicture(context, { path: 'generated.png', bytes: drawIdenticon(Number(id), medium !== undefined) });
  },
});

const silhouette = (name: string, isMedium: boolean) =>
  page({
    methods: ['GET'],
    path: `/user_avatars/${name}`,
    handle: ({ context }) => servePicture(context, { path: name, bytes: drawSilhouette(isMedium) }),
  });

/** Redirects to the picture of any account. See protocol/files#avatars. */
const redirect = (isMedium: boolean) =>
  page({
    methods: ['GET'],
    path: `/avatar/{user}${isMedium ? '/medium' : ''}`,
    takesKey: true,
    async handle({ context, realm, actor, refusal, path, url }: PageRequest): Promise<PageResponse> {
      if (refusal) throw refusal;
      if (!realm) throw Unauthorized();
      const who = path['user'] ?? '';
      if (!actor) await admitSpectator(context, realm, who);
      const target = await context.store.in(realm).read((tx) => addressOf(tx, { realm, actor, who, isMedium }));
      const query = url.search.slice(1);
      const joined = query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
      return { status: 302, headers: { location: joined, 'cache-control': 'no-store' } };
    },
  });

async function admitSpectator(context: Context, realm: RealmRef, who: string): Promise<void> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  const mayLook = context.server.webPublicChannels && settings.enable_spectator_access && /^\d+$/.test(who);
  if (!mayLook) throw Unauthorized();
  await context.limits.take('spectator-file', `avatar:${realm.id}:${who}`);
}

function idFrom<T extends RealmId | UserId>(text: string): T | undefined {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return id <= MAX_ID ? asId<T>(id) : undefined;
}

interface Wanted {
  readonly realm: RealmRef;
  readonly actor: Actor | null;
  /** A user ID or an email address. */
  readonly who: string;
  readonly isMedium: boolean;
}

async function addressOf(tx: RealmReadTx, { realm, actor, who, isMedium }: Wanted): Promise<string> {
  if (/^\d{1,10}$/.test(who)) {
    const id = idFrom<UserId>(who);
    const row = id === undefined ? undefined : await findUser(tx, id);
    const isHidden = row === undefined || actor?.viewer.hidden?.has(row.id) === true;
    return isHidden ? unknownUrl(isMedium) : (avatarUrl(row, { mayBeNull: false, medium: isMedium }) ?? '');
  }
  if (!who.includes('@') || !actor) return unknownUrl(isMedium);
  const row = await findByVisibleEmail(actingAs(tx, actor), who, realm.host);
  // An address that the caller may not see gets the same reply as one that nobody has.
  return row ? (avatarUrl(row, { mayBeNull: false, medium: isMedium }) ?? '') : gravatarUrl(who, 1, isMedium);
}

function unknownUrl(isMedium: boolean): string {
  return `/user_avatars/${isMedium ? 'unknown-medium.png' : 'unknown.png'}`;
}

export const avatarPages = [
  uploaded,
  generated,
  silhouette('unknown.png', false),
  silhouette('unknown-medium.png', true),
  redirect(false),
  redirect(true),
];
