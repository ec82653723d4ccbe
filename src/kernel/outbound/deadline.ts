import type { Clock } from '#kernel/clock';
import { OutboundFault } from './outbound.ts';

/** The time one request may take, and the end of all that it opened. */
export interface Deadline {
  /** Aborted when time is up, or by `end`. */
  readonly signal: AbortSignal;
  /** Waits for `work`, but not longer than the deadline. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** A failure in the form that the caller expects. */
  faultOf(error: unknown): OutboundFault;
  /** Closes what is still open. */
  end(): void;
}

/** Why a request is given up, made once: each request ends so, and an error costs as much as a small request. */
const ENDED = new Error('given up');

/** Starts the time of a request. */
export function startDeadline(clock: Clock, ms: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let isOver = false;
  const timer = clock.after(ms, () => {
    isOver = true;
    controller.abort(ENDED);
  });
  return {
    signal,
    wait: (work) => Promise.race([work, failOn(signal)]),
    faultOf: (error) => {
      if (isOver) return new OutboundFault('time', error);
      return error instanceof OutboundFault ? error : new OutboundFault('network', error);
    },
    end: () => {
      timer.cancel();
      controller.abort(ENDED);
    },
  };
}

function failOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(ENDED), { once: true });
  });
}
