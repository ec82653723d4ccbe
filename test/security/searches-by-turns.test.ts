import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/server.ts';

/** Searches through all messages hold a connection for reads for long, of which there are a few for everybody. */
describe('operations that search through messages', () => {
  const searching = endpoints.filter(({ params }) => 'num_before' in params || 'anchor' in params);

  it('take turns, two of one person at a time', () => {
    expect(searching.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['get-messages', 'update-message-flags-for-narrow']),
    );
    expect(searching.filter(({ mayBeLarge }) => !mayBeLarge).map(({ id }) => id)).toEqual([]);
  });
});
