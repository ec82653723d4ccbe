import { batch } from '@preact/signals';
import type { Clock } from '../api/index.ts';

/** Milliseconds of one task. */
const TASK_MS = 12;

/** Runs work in several tasks, which draw nothing yet, so that key presses are handled in between. */
export async function runInTasks(parts: Generator<void>, clock: Clock): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await clock.sleep(0);
    const end = clock.now() + TASK_MS;
    batch(() => {
      do isDone = parts.next().done === true;
      while (!isDone && clock.now() < end);
    });
  }
}
