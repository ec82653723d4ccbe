import { describe, expect, it } from 'vitest';
import { CHANNEL_SETTINGS, GROUP_SETTINGS } from '#features/groups';
import { REALM_GROUP_SETTINGS } from '#features/realms';
import type { GroupSetting } from '#kernel/permissions';
import { citedText } from '../support/protocol.ts';

/** A row of the protocol for one permission, by the headings of its columns. */
type Row = Readonly<Record<string, string>>;

/** The permissions of a table of the protocol; several may share a row. */
function documented(source: string): ReadonlyMap<string, Row> {
  const [heads = [], , ...rows] = citedText(source)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return new Map(
    rows.flatMap((cells) => {
      const row = Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? '']));
      return [...(row['permission'] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => [name ?? '', row] as const);
    }),
  );
}

/** What the row of a permission should say. */
const declared = ({ default: byDefault, allowsEveryone, allowsNobody }: GroupSetting) => ({
  default: byDefault.endsWith('_creator') ? 'creator' : byDefault,
  everyone: allowsEveryone,
  nobody: allowsNobody,
});

const said = (row: Row | undefined) => ({
  default: /role:\w+|creator/.exec(row?.['default'] ?? '')?.[0],
  everyone: row?.['everyone'] === 'yes',
  nobody: row?.['nobody'] === 'yes' || (row?.['other bounds'] !== undefined && !/not nobody/.test(row['other bounds'])),
});

describe.each<[string, readonly GroupSetting[]]>([
  ['protocol/permissions#channel-permissions', CHANNEL_SETTINGS],
  ['protocol/permissions#organization-permissions', REALM_GROUP_SETTINGS],
  ['protocol/permissions#group-permissions', GROUP_SETTINGS],
])('the permissions of %s', (source, settings) => {
  const rows = documented(source);

  it('are those that are declared, and no others', () => {
    expect([...rows.keys()].toSorted()).toEqual(settings.map(({ name }) => name).toSorted());
  });

  it.each(settings)('have the default and the bounds of the declaration: $name', (setting) => {
    expect(said(rows.get(setting.name))).toEqual(declared(setting));
  });
});
