import { slice } from '#kernel/slice';
import { directoryPerson } from './tables.ts';

export const directorySlice = slice({ name: 'directory', tables: [directoryPerson] });

export { followDirectory, TooManyGone } from './sync.ts';
