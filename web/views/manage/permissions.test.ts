import { describe, expect, it } from 'vitest';
import { CHANNEL_SETTINGS, GROUP_SETTINGS } from '#features/groups';
import { REALM_GROUP_SETTINGS } from '#features/realms';
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, ORGANIZATION_PERMISSIONS } from './permissions.ts';

/** Permissions that the server stores for other clients, without an effect of their own. */
const UNUSED = ['can_manage_billing_group', 'can_summarize_topics_group', 'workplace_users_group'];

const namesOf = (settings: readonly { readonly name: string }[]) => settings.map(({ name }) => name).toSorted();
const shown = (sections: Readonly<Record<string, readonly string[]>>) => Object.values(sections).flat();

describe('pages of permissions', () => {
  it('show every permission that the server declares, each once', () => {
    expect(shown(CHANNEL_PERMISSIONS).toSorted()).toEqual(namesOf(CHANNEL_SETTINGS));
    expect([...GROUP_PERMISSIONS].toSorted()).toEqual(namesOf(GROUP_SETTINGS));
    expect([...shown(ORGANIZATION_PERMISSIONS), ...UNUSED].toSorted()).toEqual(namesOf(REALM_GROUP_SETTINGS));
  });
});
