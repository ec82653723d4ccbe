// The doors check: which file imports which.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import { circlesIn } from './circles.ts';
import { kernelRooms, reserved, shared } from './rooms.ts';
import { doorRules } from './rules.ts';
import { sliceOrder } from './slices.ts';
import { foldersIn, sourceFolders, typescriptFiles } from '../support/sources.ts';

async function cruiseAll(root: string, slices: readonly string[]): Promise<ICruiseResult> {
  const folders = sourceFolders.filter((folder) => typescriptFiles(root, folder).length > 0);
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      validate: true,
      ruleSet: doorRules(slices, queryFolders(root)),
      doNotFollow: { path: 'node_modules' },
      // Imports of types count, too: they bind rooms to each other.
      tsPreCompilationDeps: true,
      skipAnalysisNotInRules: true,
    },
    {
      conditionNames: ['source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
      exportsFields: ['exports'],
    },
  );
  if (typeof output === 'string') throw new Error('dependency-cruiser gave text instead of its result');
  return output;
}

/** Returns folders within slices that contain nothing but a queries.ts. */
function queryFolders(root: string): string[] {
  const folders = new Map<string, string[]>();
  for (const path of typescriptFiles(root, 'src/features')) {
    if (path.endsWith('.test.ts')) continue;
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), basename(path)]);
  }
  return [...folders].filter(([, names]) => names.join() === 'queries.ts').map(([folder]) => folder);
}

/** Returns source files that are missing among the modules read: a check that reads nothing finds nothing. */
export function unread(root: string, modules: readonly Pick<IModule, 'source'>[]): string[] {
  const read = new Set(modules.map((module) => module.source));
  return sourceFolders
    .flatMap((folder) => typescriptFiles(root, folder))
    .filter((path) => !read.has(path))
    .map((path) => `${path}: was not read by dependency-cruiser`);
}

function unlisted(root: string, slices: readonly string[]): string[] {
  const rooms: readonly string[] = kernelRooms;
  const strayRooms = foldersIn(root, 'src/kernel').filter((room) => !rooms.includes(room));
  const straySlices = foldersIn(root, 'src/features').filter((slice) => !slices.includes(slice));
  return [
    ...strayRooms.map((room) => `src/kernel/${room}: is not in the list of tools/doors/rooms.ts`),
    ...(existsSync(join(root, 'src/features.ts')) ? straySlices : []).map(
      (slice) => `src/features/${slice}: is not in the list of src/features.ts`,
    ),
  ];
}

function roomOf(path: string): string {
  return /^src\/((?:kernel|features)\/[^/]+|[^/]+)/.exec(path)?.[1] ?? path;
}

function packageOf(path: string): string | undefined {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1];
  return name?.startsWith('@types/') ? name.slice('@types/'.length) : name;
}

/** Returns packages that several rooms import without being listed in rooms.ts. */
function scattered(modules: readonly IModule[]): string[] {
  const named = new RegExp(`^(${[...reserved.flatMap(({ imports }) => imports), ...shared].join('|')})$`);
  const users = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    if (!source.startsWith('src/') || source.endsWith('.test.ts') || source.endsWith('/conformance.ts')) continue;
    for (const { resolved } of dependencies) {
      const name = packageOf(resolved);
      if (name === undefined || named.test(name)) continue;
      users.set(name, (users.get(name) ?? new Set()).add(roomOf(source)));
    }
  }
  return [...users]
    .filter(([, rooms]) => rooms.size > 1)
    .map(([name, rooms]) => `package ${name}: imported by ${[...rooms].join(', ')}; it belongs behind one room`);
}

/** Returns all violations by imports of the repository at `root`, one line each. */
export async function findDoorViolations(root: string): Promise<string[]> {
  const list = join(root, 'src/features.ts');
  const slices = existsSync(list) ? sliceOrder(readFileSync(list, 'utf8')) : [];
  const { modules, summary } = await cruiseAll(root, slices);
  return [
    ...unread(root, modules),
    ...unlisted(root, slices),
    ...summary.violations.map(
      ({ from, to, rule }) => `${from} -> ${to}: ${comments(slices).get(rule.name) ?? ''} (${rule.name})`,
    ),
    ...circlesIn(modules).map((files) => `${files.join(' -> ')}: files import each other in a circle (no-circle)`),
    ...scattered(modules),
  ];
}

function comments(slices: readonly string[]): Map<string, string> {
  return new Map((doorRules(slices).forbidden ?? []).map(({ name = '', comment = '' }) => [name, comment]));
}
