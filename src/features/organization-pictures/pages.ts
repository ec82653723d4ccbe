import type { RealmRef } from '#kernel/auth';
import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ParameterMissing } from '#kernel/errors';
import type { Context } from '#kernel/context';
import { drawIdenticon } from '#features/avatars';
import { servePicture } from '#features/pictures';
import { pictureUrls } from '#features/realm-settings';
import { readRealm, settingsOf } from '#features/realms';
import { organizationPicturePath, type PictureName } from './actions.ts';

const NOTHING: PageResponse = { status: 404, body: 'Not found\n' };

/** The icon at an address that is known before anybody signs in: the uploaded one, or one generated from the ID. */
const icon = page({
  methods: ['GET'],
  path: '/user_avatars/realm/icon.png',
  async handle({ context, realm }) {
    if (!realm) return NOTHING;
    const { icon_source } = await settings(context, realm);
    const path = organizationPicturePath(realm, 'icon');
    return servePicture(context, icon_source === 'U' ? { path } : { path, bytes: drawIdenticon(realm.id, false) });
  },
});

const uploaded = page({
  methods: ['GET'],
  path: '/user_avatars/{realm_id}/realm/{filename}',
  handle: ({ context, path }) =>
    servePicture(context, { path: `${path['realm_id'] ?? ''}/realm/${path['filename'] ?? ''}` }),
});

const iconRedirect = page({
  methods: ['GET'],
  path: '/api/v1/realm/icon',
  handle: (request) => redirect(request, 'icon'),
});

const logoRedirect = page({
  methods: ['GET'],
  path: '/api/v1/realm/logo',
  handle: (request) => {
    const night = request.url.searchParams.get('night');
    if (night === null) throw ParameterMissing({ var_name: 'night' });
    return redirect(request, night === 'true' ? 'night_logo' : 'logo');
  },
});

/** Redirects to a picture of the organization, and keeps the query, which distinguishes versions. */
async function redirect({ context, realm, url }: PageRequest, name: PictureName): Promise<PageResponse> {
  if (!realm) return NOTHING;
  const target = pictureUrls(realm, await settings(context, realm))[`${name}_url`];
  const query = url.search.slice(1);
  const location = query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
  return { status: 302, headers: { location, 'cache-control': 'no-store' } };
}

async function settings(context: Context, realm: RealmRef) {
  return settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
}

export const organizationPicturePages = [icon, uploaded, iconRedirect, logoRedirect];
