import { compiledServerWide, type RawBuilder, type ReadTx, sql, type SqlBool, type WriteTx } from '#kernel/store';
import type { Full } from './shares.ts';
import type { JobRow } from './tables.ts';

const NONE: Full = { realms: [], parties: [] };

/** How many jobs a worker claims. */
interface Claim {
  readonly limit: number;
  /** Seconds for which no other worker runs them. */
  readonly seconds: number;
  /** Organizations and parties whose jobs must wait. */
  readonly full?: Full;
}

/** Claims due jobs. */
export async function claimJobs(
  tx: WriteTx,
  kinds: readonly string[],
  { limit, seconds, full = NONE }: Claim,
): Promise<readonly JobRow[]> {
  const rows = await claim(tx, kinds, { limit, now: tx.now, until: tx.now + seconds }, full);
  return rows.toSorted((a, b) => a.run_at - b.run_at || a.id - b.id);
}

const claim = compiledServerWide(
  (
    { db, dialect },
    kinds: readonly string[],
    { limit, now, until }: { readonly limit: number; readonly now: number; readonly until: number },
    full: Full,
  ) => {
    const firstOf = (kind: RawBuilder<string>) =>
      db
        .selectFrom('job')
        .select('id')
        .where('kind', '=', kind)
        .where('failed_at', 'is', null)
        .where('run_at', '<=', now)
        .where('leased_until', '<=', now)
        .where(mayRun(dialect, full))
        // This is the complete order of the index, so the first jobs are found at once, however many there are.
        .orderBy('failed_at')
        .orderBy('run_at')
        .orderBy('leased_until')
        .limit(limit)
        .modifyEnd(dialect.skipLocked);
    const due = sql<number>`(select found.id from ${dialect.foundForEach('job', kinds, firstOf)}
      order by found.run_at, found.id limit ${limit})`;
    return db
      .updateTable('job')
      .set({ leased_until: until, attempts: sql<number>`attempts + 1` })
      .where('id', 'in', due)
      .returningAll();
  },
);

/** Whether a due job is unclaimed. Takes the same time however many jobs there are, save those of `full`. */
export async function isAnyDue(tx: ReadTx, kinds: readonly string[], full = NONE): Promise<boolean> {
  return (await anyDue(tx, kinds, tx.now, full)).length > 0;
}

const anyDue = compiledServerWide(({ db, dialect }, kinds: readonly string[], now: number, full: Full) =>
  db
    .selectFrom('job')
    .select('id')
    .where('failed_at', 'is', null)
    .where('run_at', '<=', now)
    .where('leased_until', '<=', now)
    .where(dialect.anyOfText('kind', kinds))
    .where(mayRun(dialect, full))
    .limit(1),
);

/** Whether a job is neither of these organizations nor of these parties. */
function mayRun(dialect: ReadTx['dialect'], { realms, parties }: Full): RawBuilder<SqlBool> {
  const isFull = sql`${dialect.anyOf('realm_id', realms)} or ${dialect.anyOfText(sql`coalesce(party, '')`, parties)}`;
  return sql<SqlBool>`not (${isFull})`;
}

/** When the next job is due or its lease expires; undefined if there is none. */
export async function nextDue(tx: ReadTx, kinds: readonly string[]): Promise<number | undefined> {
  const [row] = await firstDue(tx, kinds);
  return row?.due ?? undefined;
}

const firstDue = compiledServerWide(({ db, dialect }, kinds: readonly string[]) =>
  db
    .selectFrom('job')
    .select(sql<number | null>`min(case when run_at > leased_until then run_at else leased_until end)`.as('due'))
    .where('failed_at', 'is', null)
    .where(dialect.anyOfText('kind', kinds)),
);
