import { readFileSync } from 'node:fs';

/**
 * The IDs of the processes that a process has started, and that run a program: one that is only about to shares its
 * memory, and a signal would end both. Linux only.
 */
export function childrenOf(pid: number, program = ''): readonly number[] {
  return textOf(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter((id) => id !== '' && textOf(`/proc/${id}/cmdline`).includes(program))
    .map(Number);
}

/** Bytes of memory that a process and those that it has started have resident; 0 of one that is gone. Linux only. */
export function residentBytes(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
  return childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), own);
}

/** The text of a file; empty where the process that it is about is gone. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
