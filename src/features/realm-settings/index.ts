import { slice } from '#kernel/slice';
import { forgetArchived } from './archived-channels.ts';
import { emojiDataPage } from './emoji-data.ts';
import { realmEndpoints } from './endpoints.ts';
import { realmUpdated, realmValuesUpdated } from './events.ts';
import { unconfiguredStates } from './not-configured.ts';
import { realmStates } from './state.ts';

export const realmSettings = slice({
  name: 'realm-settings',
  endpoints: realmEndpoints,
  pages: [emojiDataPage],
  events: [realmUpdated, realmValuesUpdated],
  state: [...realmStates, ...unconfiguredStates],
  on: [forgetArchived],
});

export { applyRealmEvent } from './apply.ts';
export { setPushStatus } from './actions.ts';
export { realmUpdated, realmValuesUpdated } from './events.ts';
export { MIN_DELETION_DAYS, REPORT_NAMES, REPORT_REASONS, type ReportReason } from './server-facts.ts';
export { pictureUrls } from './to-wire.ts';
