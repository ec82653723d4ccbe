import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Where Debian puts the browser. */
const CHROMIUM = '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether browser tests can run. Without a browser: false and one line for people; but in CI there must be one. */
export function hasBrowser(): boolean {
  if (existsSync(CHROMIUM)) return true;
  if (process.env['CI']) throw new Error(`there is no browser at ${CHROMIUM}`);
  process.stderr.write(`Tests in a browser are skipped: there is no ${CHROMIUM}.\n`);
  return false;
}

/** A browser with a profile of its own. */
export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

interface BrowserOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** Whether there is a finger instead of a mouse. */
  readonly hasTouch?: boolean;
}

/** Starts a browser without a window; scripts are off unless asked for, so that pages must work without. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'roost-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: FLAGS,
    javaScriptEnabled: false,
    ...options,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
