/** Every table by name; each slice adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: merged by the slices
export interface Tables {}

export { DatabaseAway } from './away.ts';
export { DatabaseTaken, WorkTaken } from './taken.ts';
export { askedTogether } from './asked-together.ts';
export { inChunks, inParts } from './chunks.ts';
export { compiled, compiledColumns, compiledLast, compiledRows, compiledServerWide, firstOf } from './compiled.ts';
export { collectedIds } from './dialects/dialect.ts';
export { defineMigration, type Migration, type Migrator } from './migrations/migration.ts';
export { cachedQuery, cachedTables } from './cached-query.ts';
export { assertWritable, migrate, NewerSchema, readSchema } from './migrations/runner.ts';
export { lockInOrder } from './lock-in-order.ts';
export { oncePerSnapshot } from './once.ts';
export { openStore } from './open.ts';
export { assertUsable, DatabaseUnusable, OLDEST_POSTGRES, postgresVersion } from './usable.ts';
export { setPositions } from './positions.ts';
export { reference } from './reference.ts';
export { removeRows } from './removal.ts';
export { col, type RowOf, type SelectOf, type Table, table, tables } from './table.ts';
export { actingAs, inRealm, ofRealm, StoreDoors } from './of-realm.ts';
export { together } from './together.ts';
export { copyDatabase, NotCopied } from './whole/copy.ts';
export { continueAfter, liftBounds, newestIdOf } from './whole/rows.ts';
export { allRowsOf, freshIds, insertWhole, rowsOf, rowsWith, type WholeRow, wholeTable } from './whole/typed.ts';
export type {
  Act,
  Cause,
  Closing,
  ClosingTx,
  CommitListener,
  Emitted,
  Flush,
  IsStored,
  WriteBatch,
  LogEntry,
  ReadTx,
  Caller,
  InRealm,
  OfRealm,
  ReadDoors,
  RealmReadTx,
  RealmWriteTx,
  Store,
  WriteTx,
} from './transactions.ts';
export { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
