import type { PageRequest } from '#kernel/endpoint';
import { readRealm, settingsOf } from '#features/realms';

/** Address of the organization's own icon for visitors who are not logged in; undefined if it has uploaded none. */
export async function ownIcon({ realm, context }: PageRequest): Promise<string | undefined> {
  if (!realm) return undefined;
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  return settings.icon_source === 'U' ? realmIcon(settings.icon_version) : undefined;
}

/** The address of the icon that is known before anybody logs in; the version distinguishes uploads. */
export function realmIcon(version: number): string {
  return `/user_avatars/realm/icon.png?version=${version}`;
}
