import type { Client } from '../../client/index.ts';
import { settingsOf } from './settings-contents.ts';
import { organizationPages, ownPages } from './settings-pages.ts';

/** Returns the index of all settings: the reader's own and those of the organization. */
export function settingsGroups({ model }: Client, current: string) {
  const isOwner = model.facts.get('is_owner') === true;
  const page = (entry: ReturnType<typeof ownPages>[number]) => ({
    ...entry,
    settings: settingsOf(entry.href, isOwner),
    isCurrent:
      entry.href === current ||
      (entry.href === '#organization/users/active' && current.startsWith('#organization/users')),
  });
  return [
    { title: model.people.table.get(model.me)?.user.full_name ?? '', pages: ownPages().map(page) },
    { title: model.facts.get('realm_name') ?? '', pages: organizationPages().map(page) },
  ];
}
