import fc from 'fast-check';

/**
 * Property tests try the same cases every time, so that a failure is due to a change. `ROOST_TEST_SEED` chooses others:
 * a number, or `random`. fast-check prints the seed of a failure.
 */
const chosen = process.env['ROOST_TEST_SEED'] ?? '1';
if (chosen !== 'random') fc.configureGlobal({ seed: Number(chosen) });
