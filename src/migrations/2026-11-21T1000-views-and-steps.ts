import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;

/** Views that people keep at hand, and hints that they have read. */
export const viewsAndSteps = defineMigration('2026-11-21T1000-views-and-steps', async (m) => {
  await m.createTable(
    'navigation_view',
    {
      id: { type: 'id' },
      realm_id: int,
      user_id: int,
      fragment: text,
      is_pinned: { type: 'bool' },
      view_name: { type: 'text', nullable: true },
    },
    { unique: [['user_id', 'fragment']] },
  );
  await m.createTable(
    'onboarding_step',
    { realm_id: int, user_id: int, step_name: text, read_at: int },
    { primaryKey: ['user_id', 'step_name'] },
  );
});
