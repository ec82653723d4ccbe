export type { Actor, AuthSource, Login, RealmRef } from './actor.ts';
export { apiKeyFor, deriveKey, isApiKeyShape } from './api-keys.ts';
export { parseBasic } from './basic.ts';
export { constantTimeEqual } from './constant-time.ts';
export { loadSecret } from './secret.ts';
export {
  csrfTokenFor,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsIn,
  deleteSessionsOf,
  findSession,
  insertSession,
  isStale,
  listSessions,
  SESSION_SECONDS,
  type SessionRow,
  touchSession,
} from './sessions.ts';
