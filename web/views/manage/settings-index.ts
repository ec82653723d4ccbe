import type { Client } from '../../client/index.ts';
import type { SettingsPage } from '../../settings/index.ts';
import { ORGANIZATION_PAGES, OWN_PAGES } from './settings-pages.ts';

/** Returns the index of all settings: the reader's own and those of the organization. */
export function settingsGroups({ model }: Client, current: string) {
  const page = (entry: (typeof OWN_PAGES)[number]): SettingsPage => ({
    ...entry,
    isCurrent:
      entry.href === current ||
      (entry.href === '#organization/users/active' && current.startsWith('#organization/users')),
  });
  return [
    { title: model.people.table.get(model.me)?.user.full_name ?? '', pages: OWN_PAGES.map(page) },
    { title: model.facts.get('realm_name') ?? '', pages: ORGANIZATION_PAGES.map(page) },
  ];
}
