import { defineMigration } from '#kernel/store';

const text = { type: 'text', nullable: true } as const;

/** Seals of the audit log, and where a chain begins whose old entries were deleted. */
export const auditSeals = defineMigration('2026-11-23T1500-audit-seals', async (m) => {
  await m.addColumn('audit_entry', 'seal', text);
  await m.addColumn('audit_head', 'deleted_sequence', { type: 'int', nullable: true });
  await m.addColumn('audit_head', 'deleted_hash', text);
  await m.addColumn('audit_head', 'deleted_seal', text);
});
