// The doors as rules of dependency-cruiser, made from the lists of rooms and slices.
import type { IFlattenedRuleSet } from 'dependency-cruiser';
import { kernelRooms, late, reserved, webFloors } from './rooms.ts';

type Rule = NonNullable<IFlattenedRuleSet['forbidden']>[number];

// Tests may import what they need for their setup, but still by the front doors.
const TESTS = ['\\.test\\.ts$', '\\.test\\.tsx$', '/conformance\\.ts$'];
const VALUES = ['type-only'] as const;
const KERNEL_DOOR = 'a room of the kernel is entered by its index.ts';
const SLICE_DOOR = 'a slice is entered by its index.ts; wire.ts may see other wire.ts';
const INNER_DOOR =
  'a room within a slice is entered by its index.ts; wire.ts, rules.ts, apply.ts, errors.ts and a folder of one queries.ts are free';
/** Files of an inner room that may be imported directly: shapes and pure functions. */
const FREE = '/(wire|rules|apply|errors)\\.ts$';
const WEB =
  'the web client imports the functions of apply.ts and rules.ts; of wire, endpoints, events and state only types';
/** Rooms of the kernel whose functions also run in a browser. */
const WEB_ROOMS = '^src/kernel/(text|refusals|ids|lists|permissions)/index\\.ts$';

function rule(name: string, comment: string, from: Rule['from'], to: object): Rule {
  return { name, comment, severity: 'error', from, to };
}

/** Returns rules for a list in order: a room imports only rooms before it. */
function ordered(base: string, rooms: readonly string[], comment: string): Rule[] {
  return rooms
    .slice(0, -1)
    .map((room, index) =>
      rule(
        `${base}-order`,
        comment,
        { path: `^src/${base}/${room}/`, pathNot: TESTS },
        { path: `^src/${base}/(${rooms.slice(index + 1).join('|')})/` },
      ),
    );
}

function frontDoors(queryFolders: readonly string[]): Rule[] {
  const fromOtherRoom = { path: '^(src/(kernel|features)/[^/]+/|src/|test/|bench/|tools/)' };
  return [
    rule(
      'kernel-door',
      KERNEL_DOOR,
      { path: '^src/kernel/([^/]+)/' },
      { path: '^src/kernel/[^/]+/', pathNot: ['^src/kernel/$1/', '^src/kernel/[^/]+/index\\.ts$'] },
    ),
    rule(
      'kernel-door',
      KERNEL_DOOR,
      { ...fromOtherRoom, pathNot: '^src/kernel/' },
      { path: '^src/kernel/[^/]+/', pathNot: ['^src/kernel/[^/]+/index\\.ts$', '/conformance\\.ts$'] },
    ),
    rule(
      'slice-door',
      SLICE_DOOR,
      { path: '^src/features/([^/]+)/', pathNot: '/wire\\.ts$' },
      { path: '^src/features/[^/]+/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
    ),
    rule(
      'slice-door',
      SLICE_DOOR,
      { path: '^src/features/([^/]+).*/wire\\.ts$' },
      {
        path: '^src/features/[^/]+/',
        pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$', '/wire\\.ts$'],
      },
    ),
    rule(
      'slice-door',
      SLICE_DOOR,
      { ...fromOtherRoom, pathNot: '^src/features/' },
      { path: '^src/features/[^/]+/', pathNot: '^src/features/[^/]+/index\\.ts$' },
    ),
    ...innerDoors(queryFolders),
  ];
}

/**
 * Returns rules for folders within a slice, which are rooms, too: the slice's own files and its other rooms enter them
 * by their doors.
 */
function innerDoors(queryFolders: readonly string[]): Rule[] {
  const open = [
    '^src/features/[^/]+/[^/]+/index\\.ts$',
    FREE,
    ...queryFolders.map((folder) => `^${folder}/queries\\.ts$`),
  ];
  return [
    rule(
      'inner-door',
      INNER_DOOR,
      { path: '^src/features/([^/]+)/[^/]+\\.ts$', pathNot: TESTS },
      { path: '^src/features/$1/[^/]+/', pathNot: open },
    ),
    rule(
      'inner-door',
      INNER_DOOR,
      { path: '^src/features/([^/]+)/([^/]+)/', pathNot: TESTS },
      { path: '^src/features/$1/[^/]+/', pathNot: ['^src/features/$1/$2/', ...open] },
    ),
  ];
}

function levels(): Rule[] {
  return [
    rule(
      'kernel-knows-no-feature',
      'the kernel stands below features, migrations, commands and web',
      { path: '^src/kernel/', pathNot: TESTS },
      { path: '^(src/(features|migrations|commands)/|src/[^/]+\\.ts$|web/|test/)' },
    ),
    rule(
      'slice-knows-no-top',
      'a slice does not know the commands, the migrations or the composition root',
      { path: '^src/features/', pathNot: TESTS },
      { path: '^(src/(migrations|commands)/|src/[^/]+\\.ts$|web/|test/)' },
    ),
    rule('no-main', 'main.ts is the process entry; nobody imports it', {}, { path: '^src/main\\.ts$' }),
    rule(
      'no-server',
      'server.ts is the composition root; only commands, tests and what writes docs use it',
      { path: '^(src|web|tools)/', pathNot: [...TESTS, '^src/commands/', '^src/main\\.ts$', '^tools/make-docs\\.ts$'] },
      { path: '^src/server\\.ts$' },
    ),
    rule(
      'migrations-are-frozen',
      "migrations use the store's frozen helpers only",
      { path: '^src/migrations/.', pathNot: [...TESTS, '^src/migrations/index\\.ts$'] },
      { path: '.', pathNot: '^src/kernel/store/index\\.ts$' },
    ),
    rule(
      'web-sees-shapes-only',
      WEB,
      { path: '^web/', pathNot: TESTS },
      { path: '^src/', pathNot: ['/(apply|rules)\\.ts$', WEB_ROOMS], dependencyTypesNot: [...VALUES] },
    ),
    rule(
      'web-sees-shapes-only',
      WEB,
      { path: '^web/', pathNot: TESTS },
      {
        path: '^src/',
        pathNot: [
          '/(apply|rules|wire|endpoints|events|state|settings|group-settings|fields|server-facts)\\.ts$',
          '-endpoints\\.ts$',
          '^src/kernel/[a-z-]+/index\\.ts$',
        ],
      },
    ),
    ...webFloors
      .map((floor, index) =>
        rule(
          'web-order',
          'a folder of web imports only folders before it in tools/doors/rooms.ts',
          { path: `^web/${floor}/`, pathNot: TESTS },
          { path: `^web/(${webFloors.slice(index + 1).join('|')})/` },
        ),
      )
      .slice(0, -1),
    rule(
      'no-test-support',
      'the product does not import tests',
      { path: '^src/', pathNot: TESTS },
      { path: '^(test|bench|tools)/|\\.test\\.ts$' },
    ),
  ];
}

function files(): Rule[] {
  const own = '^src/features/[^/]+';
  return [
    rule(
      'wire-is-shapes',
      'wire.ts imports #kernel/{schema,ids,permissions,text}, other wire.ts and what channel permissions are; of anything else only types',
      { path: `${own}.*/wire\\.ts$` },
      {
        path: '.',
        pathNot: ['^src/kernel/(schema|ids|permissions|text)/index\\.ts$', '/(wire|channel-settings)\\.ts$'],
        dependencyTypesNot: [...VALUES],
      },
    ),
    rule(
      'rules-are-pure',
      'rules.ts and apply.ts are pure: no store, clock, log, and nothing that has them; types are free',
      { path: `${own}.*/(rules|apply)\\.ts$` },
      {
        path: '.',
        pathNot: [
          '^src/kernel/(text|ids|lists|errors|schema|permissions)/index\\.ts$',
          `${own}.*/(wire|rules|apply|errors|settings)\\.ts$`,
        ],
        dependencyTypesNot: [...VALUES],
      },
    ),
    rule(
      'queries-are-sql',
      'queries.ts knows neither endpoints nor actions',
      { path: `${own}.*/queries\\.ts$` },
      { path: ['/(endpoints|actions)\\.ts$', '^src/kernel/(endpoint|http|openapi)/'] },
    ),
  ];
}

function outside(): Rule[] {
  const named = reserved.map(({ imports, rooms }) => {
    const packages = imports.filter((name) => !name.startsWith('node:'));
    const builtins = imports.filter((name) => name.startsWith('node:')).map((name) => name.slice('node:'.length));
    return rule(
      `named-rooms:${imports[0] ?? ''}`,
      rooms.length === 0 ? 'no room may import this' : `only ${rooms.join(', ')} may import this`,
      { path: '^src/', pathNot: [...TESTS, ...rooms.map((room) => `^src/${room}/`)] },
      { path: [...packages.map((name) => `node_modules/${name}/`), ...builtins.map((name) => `^${name}$`)] },
    );
  });
  return [
    ...named,
    rule(
      'late-package',
      'a package that a small server may never need is imported where it is first used: await import(…)',
      { path: '^src/', pathNot: TESTS },
      { path: late.map((name) => `node_modules/${name}/`), dynamic: false, dependencyTypesNot: [...VALUES] },
    ),
    rule(
      'no-development-package',
      'the product imports no development dependency, and none that package.json does not name',
      { path: '^src/', pathNot: TESTS },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: [...VALUES] },
    ),
    rule('resolves', 'an import that leads nowhere', {}, { couldNotResolve: true }),
  ];
}

/**
 * Returns all rules, given the slices in the order of src/features.ts, and the folders within slices that contain
 * nothing but a queries.ts: these are a part of the slice's SQL, not a room.
 */
export function doorRules(slices: readonly string[], queryFolders: readonly string[] = []): IFlattenedRuleSet {
  return {
    forbidden: [
      ...ordered('kernel', kernelRooms, 'a room of the kernel imports only rooms before it in tools/doors/rooms.ts'),
      ...ordered('features', slices, 'a slice imports only slices before it in src/features.ts'),
      ...frontDoors(queryFolders),
      ...levels(),
      ...files(),
      ...outside(),
    ],
  };
}
