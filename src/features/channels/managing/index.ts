// Adding, changing and archiving channels, and the defaults of new people.
export { announceVisibility, visibilityFollowsGroups } from './visibility.ts';
export type { SettingChange } from './change-settings.ts';
export { defaultEndpoints } from './default-endpoints.ts';
export { manageEndpoints } from './endpoints.ts';
