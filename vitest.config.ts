import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Forks, not threads: ending a thread that holds the SQLite add-on ends the process.
export default defineConfig({
  resolve: { conditions: ['source', 'node'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    pool: 'forks',
    isolate: false,
    // Tests wait for servers and databases more than they compute.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // MiB. Tests make much that is garbage at once: a larger young generation costs a tenth less processor time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/support/young-generation.ts', 'test/support/seed.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/remove-databases.ts'],
    include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    // Far more than any takes: what is slow is told by the times that are printed, not by failing on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
