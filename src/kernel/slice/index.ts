export { applier, typesChanging } from './applier.ts';
export { on, signal } from './signal.ts';
export { type Slice, slice } from './slice.ts';
