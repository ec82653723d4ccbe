import { slice } from '#kernel/slice';
import { auditEndpoints } from './endpoints.ts';
import { auditLogPage } from './page.ts';

export const auditLog = slice({ name: 'audit-log', endpoints: auditEndpoints, pages: [auditLogPage] });

export { framed, syslogMessage } from './syslog.ts';
export { toWireEntry } from './wire.ts';
