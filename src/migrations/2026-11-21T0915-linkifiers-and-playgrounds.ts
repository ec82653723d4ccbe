import { defineMigration } from '#kernel/store';

const int = { type: 'int' } as const;
const text = { type: 'text' } as const;
const textOrNull = { type: 'text', nullable: true } as const;

/** Patterns that become links, and where code is tried out. */
export const linkifiersAndPlaygrounds = defineMigration('2026-11-21T0915-linkifiers-and-playgrounds', async (m) => {
  await m.createTable(
    'realm_linkifier',
    {
      id: { type: 'id' },
      realm_id: int,
      pattern: text,
      url_template: text,
      example_input: textOrNull,
      reverse_template: textOrNull,
      alternative_url_templates: { type: 'json' },
      position: int,
    },
    { indexes: [['realm_id', 'position']] },
  );
  await m.createTable(
    'realm_playground',
    { id: { type: 'id' }, realm_id: int, name: text, pygments_language: text, url_template: text },
    { indexes: [['realm_id']] },
  );
});
