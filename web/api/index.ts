export { Api, type ApiOptions, type CallOptions } from './api.ts';
export type { Clock } from './clock.ts';
export { CallFailure, isRecord } from './failure.ts';
export { paced } from './pace.ts';
export type { InputOf, OutputOf } from './types.ts';
