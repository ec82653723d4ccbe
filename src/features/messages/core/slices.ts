/** Rows that are deleted by one statement, which takes a few milliseconds. */
const DELETED_AT_ONCE = 2500;

/** Deletes a slice at a time what belongs to messages: one may have millions of reactions. */
export async function deleteInSlices(
  deleteSome: (most: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; )
    deleted = Number((await deleteSome(DELETED_AT_ONCE)).numDeletedRows);
}
