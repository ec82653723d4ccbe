import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { SharedProgram } from './shared-program.ts';

/** Path of the browser on Debian. */
const CHROMIUM = '/usr/bin/chromium';

/** The same browser without what only a window needs, for a third less processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** Milliseconds that a busy machine may take for something that comes soon: as for `expect.poll`, far more than any takes. */
const PATIENCE_MS = 60_000;

const LAUNCH = {
  timeout: PATIENCE_MS,
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** The program that the profiles of this process share. */
const shared = new SharedProgram(() =>
  chromium.launch({ ...LAUNCH, executablePath: existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM }),
);

/** Whether browser tests can run. Without a browser it prints a line and returns false; in CI it throws. */
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
  /** Whether it has a touch screen instead of a mouse. */
  readonly hasTouch?: boolean;
  /** `block` for a browser without service workers. */
  readonly serviceWorkers?: 'allow' | 'block';
  /** What it asks pages for first, as `de-DE`. */
  readonly locale?: string;
}

/** Opens a profile without a window. Scripts are off by default, because pages must work without them. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const program = await shared.borrow();
  try {
    const context = await program.newContext({ javaScriptEnabled: false, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return { context, close: () => context.close().finally(() => shared.giveBack()) };
  } catch (error) {
    shared.giveBack();
    throw error;
  }
}

/** As `openBrowser`, in the whole browser and with a profile folder of its own: notifications and push need both. */
export async function openOwnBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'roost-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...LAUNCH,
    executablePath: CHROMIUM,
    javaScriptEnabled: false,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
