// Adding, changing and archiving channels, and the defaults of new people.
export { announceVisibility } from './announce-visibility.ts';
export type { SettingChange } from './change-settings.ts';
export { defaultEndpoints } from './default-endpoints.ts';
export { manageEndpoints } from './endpoints.ts';
export { visibilityFollowsGroups } from './visibility-by-groups.ts';
