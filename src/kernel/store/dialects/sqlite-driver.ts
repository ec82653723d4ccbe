import { createRequire } from 'node:module';

/** The members of a prepared statement that are used here, the same in both drivers. */
export interface SqliteStatement {
  /** Returns rows as lists of values, if `setReturnArrays(true)` was called. */
  all(...parameters: unknown[]): unknown[][];
  columns(): { name: string }[];
  setReturnArrays(wanted: boolean): void;
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
}

/** The members of a database that are used here, the same in both drivers. */
export interface SqliteDatabase {
  prepare(text: string): SqliteStatement;
  exec(text: string): void;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (file: string, options?: { readOnly?: boolean; timeout?: number }) => SqliteDatabase;
  backup(source: SqliteDatabase, file: string, options?: { rate?: number }): Promise<number>;
}

/** Loads Node's own SQLite if it has all that is needed (22.16, 24); otherwise an add-on with the same interface. */
export function loadSqlite(): SqliteModule {
  const load = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 16) || major === 23) return load('@photostructure/sqlite') as SqliteModule;
  return withoutWarnings(() => load('node:sqlite') as SqliteModule);
}

/** Runs `work` without warnings: Node 22 prints that its SQLite is experimental. */
function withoutWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
