import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, residentMib } from './child.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The resources that a command used. */
export interface Taken {
  readonly seconds: number;
  /** Seconds of processor time of its own process, to a fiftieth of a second. */
  readonly processorSeconds: number;
  /** Highest memory seen, in MiB. */
  readonly mib: number;
}

/** Runs `roost <command>` to its end, and samples its memory meanwhile. */
export async function timeCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Taken> {
  const began = performance.now();
  const child = spawn(process.execPath, [BUNDLE, ...command], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let mib = 0;
  let processorSeconds = 0;
  const watch = setInterval(() => {
    mib = Math.max(mib, memoryOf(child.pid ?? 0));
    processorSeconds = Math.max(processorSeconds, processorOf(child.pid ?? 0));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`roost ${command[0]} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, processorSeconds, mib };
}

/** Returns 0 for a process that has just ended. */
function memoryOf(pid: number): number {
  try {
    return residentMib(pid);
  } catch {
    return 0;
  }
}

/** Returns 0 for a process that has just ended. */
function processorOf(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}

/** Returns the output of `roost <command>`. */
export async function outputOf(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, [BUNDLE, ...command], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`roost ${command[0]} ended with ${code}`);
  return said;
}
