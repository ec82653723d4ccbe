// Zoom calls, with each person's own account or with one account for all.
export { hasZoom } from './meeting.ts';
export { createOwnCall } from './own-account.ts';
export { zoomPages } from './pages.ts';
export { createSharedCall, isShared } from './shared-account.ts';
