import { defineMigration } from '#kernel/store';

/** For which host each passkey was made, so that the doctor knows which of them work no more. */
export const passkeyHosts = defineMigration('2026-11-23T1505-passkey-hosts', (m) =>
  m.addColumn('passkey', 'relying_party', { type: 'text', nullable: true }),
);
