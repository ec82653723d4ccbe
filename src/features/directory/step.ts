import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Directory } from '#kernel/directory';
import { ApiError } from '#kernel/errors';
import { isBadImage } from '#kernel/images';
import type { Known } from './known.ts';

/** A comparison of an organization with its directory. */
export interface Sync {
  readonly context: Context;
  readonly realm: RealmRef;
  readonly directory: Directory;
  /** The server itself, as an administrator. */
  readonly actor: Actor;
  readonly known: Known;
  /** Whether changes are only listed, not made. */
  readonly isDryRun: boolean;
}

/** What happens to somebody because of the directory. */
export interface Change {
  /** Their address here. */
  readonly person: string;
  readonly what:
    | 'connect'
    | 'rename'
    | 'role'
    | 'picture'
    | 'join'
    | 'leave'
    | 'deactivate'
    | 'reactivate'
    | 'note'
    | 'skip';
  readonly detail: string;
}

/** A change with the function that makes it; without one, the change cannot be made. */
export interface Step extends Change {
  readonly run?: () => Promise<unknown>;
}

/** Takes steps, or says which there are; one that the rules refuse becomes one that is left out, with the reason. */
export async function take({ isDryRun }: Pick<Sync, 'isDryRun'>, steps: readonly Step[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { run, ...change } of steps) {
    const fault = run && !isDryRun ? await faultOf(run) : undefined;
    changes.push(
      fault === undefined ? change : { person: change.person, what: 'skip', detail: `${change.what}: ${fault}` },
    );
  }
  return changes;
}

async function faultOf(run: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Error && (error instanceof ApiError || isBadImage(error))) return error.message;
    throw error;
  }
}
