import { slice } from '#kernel/slice';
import { storageEndpoints } from './endpoints.ts';
import { botStorage as botStorageTable } from './tables.ts';

export const botStorage = slice({ name: 'bot-storage', tables: [botStorageTable], endpoints: storageEndpoints });

export { storedParts } from './queries.ts';
