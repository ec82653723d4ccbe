import { defineMigration } from '#kernel/store';

/** Under which name an uploaded picture is kept; those that exist lie under the ID of their account. */
export const avatarFiles = defineMigration('2026-11-21T1540-avatar-files', async (m) => {
  await m.addColumn('user', 'avatar_file', { type: 'text', nullable: true });
  await m.run(`update "user" set avatar_file = cast(id as text) where avatar_source = 'U'`);
});
