import { slice } from '#kernel/slice';
import { undelivered } from './tables.ts';

export const undeliveredSlice = slice({ name: 'undelivered', tables: [undelivered] });

export { noteUndelivered, REPORTED_DAYS, type Undelivered } from './note.ts';
export { countUndelivered } from './queries.ts';
export { type Road as UndeliveredRoad } from './tables.ts';
