import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Entry, Tables } from '../entry.ts';
import type { Report } from '../report.ts';

/** What is known while an archive is taken into an organization that there is. */
export interface Joining {
  readonly context: Context;
  readonly realm: RealmRef;
  readonly tables: Tables;
  readonly report: Report;
  /** The product that the archive is of; part of what its things are noted by. */
  readonly product: string;
}

/** A row of the archive with what it is called there. */
export interface Keyed {
  readonly row: Entry;
  readonly id: number;
  readonly key: string;
}
