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

/** Sixteen answers with ten million characters each, for four accounts, took 440 MiB when all were made at once. */
describe('operations that answer with all that an account has stored', () => {
  it('take turns', () => {
    expect(endpoints.find(({ id }) => id === 'get-bot-storage')?.mayBeLarge).toBe(true);
  });
});

/** Operations whose work grows with the people of an organization, of which there may be tens of thousands. */
const OF_EVERYBODY = [
  'get-users',
  'get-read-receipts',
  'get-subscribers',
  'get-subscriptions',
  'get-user-groups',
  'get-user-group-members',
  'get-user-group-subgroups',
  'get-is-user-group-member',
];

/** A hundred lists of 10,000 people, asked for at once by one of them, let everybody else wait for half a minute. */
describe('operations that read everybody', () => {
  it.each(OF_EVERYBODY)('take turns, too: %s', (id) => {
    expect(endpoints.find((endpoint) => endpoint.id === id)?.mayBeLarge).toBe(true);
  });
});
