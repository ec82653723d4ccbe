export { ApiError, type ApiErrorRow, apiError, type ErrorFactory, type ExtraKind, invariant } from './api-error.ts';
export * from './common.ts';
