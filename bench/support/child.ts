import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A measured process. */
export interface Child {
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from its start until it said that it was ready. */
  readonly readyMs: number;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Starts a script and resolves when it prints a line that begins with "ready". */
export async function startChild(
  args: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<Child> {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await readyLine(child);
  return {
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - started,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<void> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    if (/^ready/m.test(output)) break;
  }
  if (!/^ready/m.test(output)) throw new Error(`the process ended early:\n${output}`);
  child.stdout?.resume();
}

/** Resident memory of a process, in MiB. */
export function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Returns the seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the seconds of processor time that a process's event loop thread has used. */
export function loopSeconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e9;
}

/** Returns a port that is free right now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
