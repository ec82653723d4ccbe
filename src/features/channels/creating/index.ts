// Creation of channels: checks, rows and events.
export { announceDefaults, announceDefaultsTo, createChannels, type NewChannelInput } from './create.ts';
export {
  assertMayCreate,
  assertMayOpenToTheWeb,
  assertPlace,
  assertRoomForChannels,
  assertRoomForReturn,
  assertTopicsOpen,
  checkedSettings,
  type CreationInput,
  DELETION_POWER,
  newChannel,
  NO_SETTINGS,
} from './creation.ts';
