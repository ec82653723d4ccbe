import type { Route } from '../../addresses/index.ts';
import { SoughtProvider } from '../../settings/index.ts';
import { AllChannels } from './channels/all-channels.tsx';
import { OneChannel } from './channels/one-channel.tsx';
import { AllGroups } from './groups/all-groups.tsx';
import { OneGroup } from './groups/one-group.tsx';
import { SettingsView } from './me/settings-view.tsx';
import { OrganizationView } from './organization/organization-view.tsx';
import { placeIn } from './settings-contents.ts';

type ManageRoute = Exclude<Extract<Route, { readonly section: string }>, { readonly view: 'user' }>;

/** The pages of channels, groups, the reader's settings and those of the organization. */
export function ManageView({ route }: { readonly route: ManageRoute }) {
  if (route.view === 'groups')
    return route.id === undefined ? (
      <AllGroups section={route.section} />
    ) : (
      <OneGroup id={route.id} tab={route.tab ?? 'general'} />
    );
  if (route.view === 'channels')
    return route.id === undefined ? (
      <AllChannels section={route.section} />
    ) : (
      <OneChannel id={route.id} tab={route.tab ?? 'general'} />
    );
  const { section, sought } = placeIn(route.view, route.section);
  return (
    <SoughtProvider value={sought}>
      {route.view === 'settings' ? <SettingsView section={section} /> : <OrganizationView section={section} />}
    </SoughtProvider>
  );
}
export { ConfirmDialog } from './me/confirm-dialog.tsx';
