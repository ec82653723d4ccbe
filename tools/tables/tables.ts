// The tables check: which slice writes and which joins a table.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '../support/syntax.ts';
import { foldersIn, typescriptFiles } from '../support/sources.ts';
import { cachedAmiss, type Placed } from './cached.ts';
import { declaredReads, declaredTables, tableUses, type Use } from './scan.ts';
import { declarationsOf, tablesOfRealms, unscopedIn } from './scope.ts';

interface Scanned extends Placed {
  readonly declares: readonly string[];
  readonly uses: readonly Use[];
}

/** What the tables check needs to know of a repository. */
interface Knowledge {
  /** The owning room (`features/channels`) of each table. */
  readonly owners: ReadonlyMap<string, string>;
  /** Tables that a slice lists under `reads`, by room. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
}

function roomOf(path: string): string {
  return /^src\/((?:kernel|features)\/[^/]+)\//.exec(path)?.[1] ?? '';
}

function scan(root: string): Scanned[] {
  const files = [...typescriptFiles(root, 'src/kernel'), ...typescriptFiles(root, 'src/features')];
  return files
    .filter((path) => !/\.test\.ts$|\/conformance\.ts$/.test(path))
    .map((path) => {
      const file = parse(root, path);
      return { path, room: roomOf(path), file, declares: declaredTables(file), uses: tableUses(file) };
    });
}

function learn(root: string, files: readonly Scanned[]): Knowledge {
  const owners = new Map(files.flatMap(({ room, declares }) => declares.map((name) => [name, room] as const)));
  const reads = new Map(
    foldersIn(root, 'src/features').map((slice) => {
      const door = `src/features/${slice}/index.ts`;
      return [
        `features/${slice}`,
        new Set(existsSync(join(root, door)) ? declaredReads(parse(root, door)) : []),
      ] as const;
    }),
  );
  return { owners, reads };
}

function faultOf({ path, room }: Scanned, use: Use, { owners, reads }: Knowledge): string | undefined {
  const { table, writes, certain } = use;
  const inSlice = room.startsWith('features/');
  // The store itself may use any table.
  if (room === 'kernel/store') return undefined;
  if (table === undefined) return certain ? 'the name of a table is to be written out' : undefined;
  const owner = owners.get(table);
  if (owner === undefined) return certain ? `table ${table} is declared nowhere` : undefined;
  if (inSlice && !path.endsWith('/queries.ts')) return `table ${table} is used outside queries.ts`;
  if (owner === room) return undefined;
  if (writes) return `table ${table} is written, but it belongs to ${owner}`;
  if (!inSlice) return owner.startsWith('kernel/') ? undefined : `the kernel reads table ${table} of ${owner}`;
  return reads.get(room)?.has(table) ? undefined : `table ${table} of ${owner} is read, but not named under reads`;
}

function declaredTwice(files: readonly Scanned[]): string[] {
  const seen = new Set<string>();
  return files.flatMap(({ path, declares }) =>
    declares.flatMap((name) => {
      const twice = seen.has(name);
      seen.add(name);
      return twice ? [`${path}: table ${name} is declared twice`] : [];
    }),
  );
}

function idleReads(files: readonly Scanned[], { owners, reads }: Knowledge): string[] {
  return [...reads].flatMap(([room, names]) => {
    const used = new Set(
      files.filter((file) => file.room === room).flatMap(({ uses }) => uses.map(({ table }) => table)),
    );
    return [...names].flatMap((name) => {
      if (!owners.has(name)) return [`src/${room}/index.ts: reads ${name}, which is no table`];
      return used.has(name) ? [] : [`src/${room}/index.ts: names ${name} under reads without reading it`];
    });
  });
}

/** Returns statements that name no organization and are not listed, and list entries that match no statement. */
function unscoped(parsed: readonly Placed[], serverWide: Readonly<Record<string, string>>): string[] {
  const realmTables = new Set(parsed.flatMap(({ file }) => tablesOfRealms(file)));
  const inRoom = (room: string) => parsed.filter((one) => one.room === room).map(({ file }) => file);
  const declarations = new Map(
    [...new Set(parsed.map(({ room }) => room))].map((room) => [room, declarationsOf(inRoom(room))]),
  );
  const idle = new Set(Object.keys(serverWide));
  const faults = parsed.flatMap(({ path, room, file }) =>
    unscopedIn(file, realmTables, declarations.get(room) ?? new Map()).flatMap(({ line, table, name }) => {
      const known = [`${room} ${name}`, `${room} ${table}`].filter((entry) => entry in serverWide);
      for (const entry of known) idle.delete(entry);
      return known.length > 0 ? [] : [`${path}:${line}: ${name} touches ${table} of every organization`];
    }),
  );
  return [...faults, ...[...idle].map((entry) => `tools/tables/server-wide.ts: ${entry} names its organization`)];
}

/** Returns all violations by tables of the repository at `root`, one line each. */
export function findTableViolations(root: string, serverWide: Readonly<Record<string, string>> = {}): string[] {
  const files = scan(root);
  const knowledge = learn(root, files);
  const faults = files.flatMap((file) =>
    file.uses.flatMap((use) => {
      const fault = faultOf(file, use, knowledge);
      return fault === undefined ? [] : [`${file.path}:${use.line}: ${fault}`];
    }),
  );
  return [
    ...declaredTwice(files),
    ...faults,
    ...idleReads(files, knowledge),
    ...unscoped(files, serverWide),
    ...cachedAmiss(files, new Set(knowledge.owners.keys())),
  ];
}
