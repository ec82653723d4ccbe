import type { diffArrays } from 'diff';

/**
 * A run of words that were kept, inserted or deleted, in the order of the new text; in a replacement the inserted words
 * come first.
 */
export interface Change {
  readonly kind: 'equal' | 'inserted' | 'deleted';
  /** Number of words. */
  readonly count: number;
}

/**
 * Most insertions and deletions that are searched for, to limit the time; beyond, the whole text counts as replaced.
 */
const MAX_EDITS = 600;
/** Longest run of equal words that counts as coincidence. */
const COINCIDENCE = 2;

/**
 * Compares two lists of words. Equal runs of one or two words (in short texts, of up to a quarter of the words) are
 * coincidences and count as replaced.
 */
export function compareWords(
  diff: typeof diffArrays,
  before: readonly string[],
  after: readonly string[],
): readonly Change[] {
  const found = diff([...before], [...after], { maxEditLength: MAX_EDITS });
  const changes: Change[] = found?.map(({ added, removed, count }) => ({
    kind: added ? 'inserted' : removed ? 'deleted' : 'equal',
    count,
  })) ?? [
    { kind: 'inserted', count: after.length },
    { kind: 'deleted', count: before.length },
  ];
  const least = Math.min(COINCIDENCE, after.length / 4);
  return merge(
    changes.flatMap((change) => (change.kind === 'equal' && change.count <= least ? replaced(change) : [change])),
  );
}

function replaced({ count }: Change): Change[] {
  return [
    { kind: 'inserted', count },
    { kind: 'deleted', count },
  ];
}

/** Merges adjacent insertions, and moves deletions after them. */
function merge(changes: readonly Change[]): Change[] {
  const merged: Change[] = [];
  let inserted = 0;
  let deleted = 0;
  const flush = () => {
    if (inserted > 0) merged.push({ kind: 'inserted', count: inserted });
    if (deleted > 0) merged.push({ kind: 'deleted', count: deleted });
    inserted = deleted = 0;
  };
  for (const change of changes) {
    if (change.kind === 'inserted') inserted += change.count;
    else if (change.kind === 'deleted') deleted += change.count;
    else {
      flush();
      merged.push(change);
    }
  }
  flush();
  return merged;
}
