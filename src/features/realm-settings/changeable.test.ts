import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHANGEABLE_SETTINGS, OWNERS_SETTINGS, REALM_GROUP_SETTINGS, REALM_SETTINGS } from '#features/realms';
import { wantedSettings } from './check.ts';
import { realmParams } from './params.ts';

/** The names in the table of parameters, and those of them that need an owner. */
function documented(page: string, heading: string) {
  const text = readFileSync(new URL(`../../../docs/protocol/${page}.md`, import.meta.url), 'utf8');
  const section =
    text
      .slice(text.indexOf(`## ${heading}`))
      .slice(3)
      .split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`( \([^)]*\))?( \*owner\*)?/g)]);
  return {
    names: new Set(named.map(([, name]) => name)),
    owners: named.filter(([, , , owner]) => owner).map(([, name]) => name ?? ''),
  };
}

describe('settings that requests change (protocol/organizations#changing-settings)', () => {
  const permissions = REALM_GROUP_SETTINGS.map(({ name }): string => name);
  const changeable = Object.keys(CHANGEABLE_SETTINGS);

  it('are those that the protocol lists, and no others', () => {
    const { names } = documented('organizations', 'Changing settings');
    expect(changeable.filter((name) => !names.has(name))).toEqual([]);
    const closed = Object.keys(REALM_SETTINGS).filter((name) => !changeable.includes(name));
    expect(closed.length).toBeGreaterThan(5);
    expect(closed.filter((name) => names.has(name))).toEqual([]);
  });

  it('are the parameters of the request', () => {
    expect(Object.keys(realmParams).toSorted()).toEqual(['name', ...changeable, ...permissions].toSorted());
  });

  it('need an owner where the protocol says so', () => {
    const { owners } = documented('organizations', 'Changing settings');
    expect(OWNERS_SETTINGS.filter((name) => !permissions.includes(name)).toSorted()).toEqual(owners.toSorted());
    const page = readFileSync(new URL('../../../docs/protocol/permissions.md', import.meta.url), 'utf8');
    const [said] = /^Changing [^.]* needs an owner\./m.exec(page) ?? [''];
    const held = [...said.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
    expect(OWNERS_SETTINGS.filter((name) => permissions.includes(name)).toSorted()).toEqual(held.toSorted());
  });

  it('are all that is taken from a request, whatever it says', () => {
    const sent = Object.fromEntries(Object.keys(REALM_SETTINGS).map((name) => [name, true]));
    const { authentication_methods: _methods, ...plain } = sent;
    const wanted = wantedSettings(undefined as never, undefined as never, { ...withoutLimits(plain) });
    expect(Object.keys(wanted).filter((name) => !changeable.includes(name))).toEqual([]);
    expect(Object.keys(wanted).length).toBeGreaterThan(30);
  });
});

/** Without those that are looked at closer. */
function withoutLimits(sent: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !/_seconds$|_retention_days$/.test(name)));
}
