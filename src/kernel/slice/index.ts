export { on, type Signal, type SignalHandler, signal } from './signal.ts';
export { type Slice, slice } from './slice.ts';
