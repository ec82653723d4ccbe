export type { Connection } from './connection.ts';
export { type AccountStorage, Memory, openStorage } from './storage.ts';
export { Outbox } from './outbox.ts';
export type { OutboxEntry } from './outbox-entry.ts';
export { Sync } from './sync.ts';
export { aloneTab, openTabs, type Tabs } from './tabs.ts';
