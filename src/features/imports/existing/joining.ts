import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Entry, Tables } from '../entry.ts';
import type { Report } from '../report.ts';

/** What is known during an import into an existing organization. */
export interface Joining {
  readonly context: Context;
  readonly realm: RealmRef;
  readonly tables: Tables;
  readonly report: Report;
  /** The product that the archive is from; part of the key that items are recorded by. */
  readonly product: string;
}

/** A row of the archive with its ID and key there. */
export interface Keyed {
  readonly row: Entry;
  readonly id: number;
  readonly key: string;
}
