import { foldCase } from '#kernel/text';
import type { SettingsPage } from '../../settings/index.ts';
import type { Setting } from './settings-contents.ts';

/** Pages under one title of an index, each with all its settings if it has some. */
export interface PageGroup {
  readonly title?: string;
  readonly pages: readonly (Omit<SettingsPage, 'settings'> & { readonly settings?: readonly Setting[] })[];
}

/**
 * Returns the pages whose name or some of whose settings contain what is looked for, each with those settings; for an
 * empty query all pages alone.
 */
export function matching(groups: readonly PageGroup[], query: string): readonly PageGroup[] {
  const wanted = foldCase(query.trim());
  const found = ({ settings = [], ...page }: PageGroup['pages'][number]) => {
    const those = wanted === '' ? [] : settings.filter(({ folded }) => folded.includes(wanted));
    return those.length > 0 || foldCase(page.label).includes(wanted) ? [{ ...page, settings: those }] : [];
  };
  return groups
    .map((group) => ({ ...group, pages: group.pages.flatMap(found) }))
    .filter(({ pages }) => pages.length > 0);
}
