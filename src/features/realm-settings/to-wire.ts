import { createHash } from 'node:crypto';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { RealmSettings } from '#features/realms';
import { authenticationMethods, isMethodOn } from '#features/sign-in';

/**
 * The server's ways of signing in, and whether the organization has turned each on. See
 * protocol/authentication#methods.
 */
export function toWireMethods(
  context: Pick<Context, 'server' | 'identity'>,
  realm: RealmRef,
  chosen: Readonly<Record<string, boolean>>,
) {
  const isOn = (name: string) => isMethodOn({ authentication_methods: chosen }, name);
  return Object.fromEntries(
    authenticationMethods(context, realm).map((name) => [name, { enabled: isOn(name), available: true }]),
  );
}

/** Addresses of the organization's pictures: uploaded ones, or one generated from its host name. */
export function pictureUrls(realm: RealmRef, settings: RealmSettings) {
  const uploaded = (name: string, version: number) => `/user_avatars/${realm.id}/realm/${name}.png?version=${version}`;
  const hash = createHash('md5').update(realm.host).digest('hex');
  const drawn = `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
  const { icon_source, icon_version, logo_source, logo_version, night_logo_source, night_logo_version } = settings;
  return {
    icon_url: icon_source === 'U' ? uploaded('icon', icon_version) : `${drawn}&version=${icon_version}`,
    logo_url: logo_source === 'U' ? uploaded('logo', logo_version) : `${drawn}&s=100`,
    night_logo_url: night_logo_source === 'U' ? uploaded('night_logo', night_logo_version) : `${drawn}&s=100`,
  };
}
