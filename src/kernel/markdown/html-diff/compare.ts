import type { diffArrays } from 'diff';

/** What became of words, in the order of the new text; of a replacement the new words come first. */
export interface Change {
  readonly kind: 'kept' | 'inserted' | 'deleted';
  /** Number of words. */
  readonly count: number;
}

/** More insertions and deletions than this, and the whole text counts as replaced: that bounds the time. */
const MAX_EDITS = 600;
/** Words in a row that count as kept even in a long text. */
const COINCIDENCE = 2;

/**
 * Compares two rows of words by the library's function. Coincidences of a word or two in big changes are not counted as
 * kept.
 */
export function compareWords(
  diff: typeof diffArrays,
  before: readonly string[],
  after: readonly string[],
): readonly Change[] {
  const found = diff([...before], [...after], { maxEditLength: MAX_EDITS });
  const changes: Change[] = found?.map(({ added, removed, count }) => ({
    kind: added ? 'inserted' : removed ? 'deleted' : 'kept',
    count,
  })) ?? [
    { kind: 'inserted', count: after.length },
    { kind: 'deleted', count: before.length },
  ];
  const least = Math.min(COINCIDENCE, after.length / 4);
  return merge(
    changes.flatMap((change) => (change.kind === 'kept' && change.count <= least ? replaced(change) : [change])),
  );
}

function replaced({ count }: Change): Change[] {
  return [
    { kind: 'inserted', count },
    { kind: 'deleted', count },
  ];
}

/** Puts neighbouring insertions together, and deletions behind them. */
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
