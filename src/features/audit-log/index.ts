import { slice } from '#kernel/slice';
import { auditEndpoints } from './endpoints.ts';
import { auditLogPage } from './page.ts';
import { deleteRegularly } from './retention.ts';

export const auditLog = slice({
  name: 'audit-log',
  endpoints: auditEndpoints,
  pages: [auditLogPage],
  background: deleteRegularly,
});

export { framed, syslogMessage } from './syslog.ts';
export { toWireEntry } from './wire.ts';
