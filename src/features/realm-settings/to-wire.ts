import { createHash } from 'node:crypto';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { RealmSettings } from '#features/realms';

type Facts = Pick<Context, 'realmHost' | 'server'>;

/** Ways of signing in that this server has. */
export function authenticationMethods({ server }: Facts): readonly string[] {
  return server.mode === 'development' ? ['Email', 'Dev'] : ['Email'];
}

/** Each way of signing in that the server has, and whether the organization lets it be used. */
export function toWireMethods(context: Facts, chosen: Readonly<Record<string, boolean>>) {
  return Object.fromEntries(
    authenticationMethods(context).map((name) => [name, { enabled: chosen[name] ?? false, available: true }]),
  );
}

/** Addresses of the organization's pictures: uploaded ones, or one drawn from its host name. */
export function pictureUrls(context: Facts, realm: RealmRef, settings: RealmSettings) {
  const uploaded = (name: string, version: number) => `/user_avatars/${realm.id}/realm/${name}.png?version=${version}`;
  const hash = createHash('md5').update(context.realmHost(realm)).digest('hex');
  const drawn = `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
  const { icon_source, icon_version, logo_source, logo_version, night_logo_source, night_logo_version } = settings;
  return {
    icon_url: icon_source === 'U' ? uploaded('icon', icon_version) : `${drawn}&version=${icon_version}`,
    logo_url: logo_source === 'U' ? uploaded('logo', logo_version) : `${drawn}&s=100`,
    night_logo_url: night_logo_source === 'U' ? uploaded('night_logo', night_logo_version) : `${drawn}&s=100`,
  };
}
