// Calls by Zoom, by each person's own account or by one account for all.
export { createOwnCall } from './own-account.ts';
export { zoomPages } from './pages.ts';
export { createSharedCall, isShared } from './shared-account.ts';
