import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { pause } from './pause.ts';

const run = promisify(execFile);
/** Milliseconds until the screen must show what is awaited. */
const SCREEN_MS = 120_000;
const LOOK_EVERY_MS = 150;

/** Whether programs can run in a terminal here; in CI it throws where they cannot. */
export function hasTerminals(): boolean {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    process.stdout.write('left out: tests that need tmux\n');
    return false;
  }
}

/** A program in a terminal of its own, with keys as input and its screen as output. */
export class Terminal {
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** Starts a shell command in a screen of 160 columns and 45 rows. */
  static async open(command: string): Promise<Terminal> {
    const socket = `roost-test-${process.pid}-${randomUUID()}`;
    await run('tmux', ['-L', socket, 'new-session', '-d', '-x', '160', '-y', '45', command], {
      env: { ...process.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' },
    });
    return new Terminal(socket);
  }

  /** Presses keys, by tmux's names. */
  async press(...keys: readonly string[]): Promise<void> {
    await run('tmux', ['-L', this.#socket, 'send-keys', ...keys]);
  }

  /** Presses Escape and pauses: otherwise the program takes it and the next key for an escape sequence. */
  async escape(): Promise<void> {
    await this.press('Escape');
    await pause(LOOK_EVERY_MS);
  }

  async type(text: string): Promise<void> {
    await run('tmux', ['-L', this.#socket, 'send-keys', '-l', text]);
  }

  async screen(): Promise<string> {
    const { stdout } = await run('tmux', ['-L', this.#socket, 'capture-pane', '-p']);
    return stdout;
  }

  /** Waits until the screen matches the pattern, and returns it. */
  async shows(pattern: RegExp): Promise<string> {
    for (const deadline = performance.now() + SCREEN_MS; ; ) {
      const screen = await this.screen();
      if (pattern.test(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`the screen never showed ${String(pattern)}:\n${screen}`);
      await pause(LOOK_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    await run('tmux', ['-L', this.#socket, 'kill-server']).catch(() => undefined);
  }
}
