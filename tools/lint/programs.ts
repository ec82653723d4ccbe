// Reads what the compiler noted about the files of a program at its last run (`tsBuildInfoFile`): digests of their text and of
// what importers see, and what they import.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

/**
 * A file as the compiler saw it. `shape` is a digest of what its importers can see: it stays the same while only bodies
 * change.
 */
export interface Seen {
  readonly text: string;
  readonly shape: string;
  /** Whether it has declarations that apply to every file. */
  readonly isGlobal: boolean;
  /** Paths of the files that it imports. */
  readonly imports: readonly string[];
}

/** Files by their paths relative to the repository. */
export type Files = Readonly<Record<string, Seen>>;

interface BuildInfo {
  readonly fileNames: readonly string[];
  readonly fileInfos: readonly (string | FileInfo)[];
  /** Pairs of a file and a list, both counted from 1. */
  readonly referencedMap: readonly (readonly [number, number])[];
  readonly fileIdsList: readonly (readonly number[])[];
}

interface FileInfo {
  readonly version: string;
  readonly signature?: string;
  readonly affectsGlobalScope?: boolean;
}

function isBuildInfo(value: unknown): value is BuildInfo {
  const parts = ['fileNames', 'fileInfos', 'referencedMap', 'fileIdsList'];
  return typeof value === 'object' && value !== null && parts.every((part) => Array.isArray(Reflect.get(value, part)));
}

function seen(info: string | FileInfo, imports: readonly string[]): Seen {
  const {
    version,
    signature = version,
    affectsGlobalScope = false,
  } = typeof info === 'string' ? { version: info } : info;
  return { text: version, shape: signature, isGlobal: affectsGlobalScope, imports };
}

/**
 * Returns the files of the program whose build info is at `path`, relative to `root`; none before there is one. Throws
 * when it has another form.
 */
export function filesOfProgram(root: string, path: string): Files {
  if (!existsSync(join(root, path))) return {};
  const notes: unknown = JSON.parse(readFileSync(join(root, path), 'utf8'));
  if (!isBuildInfo(notes))
    throw new Error(`${path} is not written as this check reads it: does the compiler have a new form?`);
  const names = notes.fileNames.map((name) => relative('.', join(dirname(path), name)));
  const imports = new Map(notes.referencedMap.map(([file, list]) => [file, notes.fileIdsList[list - 1] ?? []]));
  const importsOf = (index: number) => (imports.get(index + 1) ?? []).flatMap((id) => names[id - 1] ?? []);
  return Object.fromEntries(names.map((name, index) => [name, seen(notes.fileInfos[index] ?? '', importsOf(index))]));
}
