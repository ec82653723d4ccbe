import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type Clock, repeat } from '#kernel/clock';

const MIB = 2 ** 20;
/** Memory from which on the heap may grow at V8's own pace, in MiB: there is more than a server ever needs. */
const PLENTY_MIB = 64 * 1024;
/** By how many percent of what lives the heap may grow before it is collected: by memory given, in MiB. */
const GROWTH = [
  { upTo: 512, percent: 30 },
  { upTo: PLENTY_MIB, percent: 50 },
] as const;

/** By how many percent it may grow while the process is large. */
const TIGHT_PERCENT = 20;
/** From which resident memory on a process is large, and below which it is small again: in MiB, or as a share of what is given. */
const LARGE = { mib: 240, share: 0.6 };
const SMALL = { mib: 220, share: 0.55 };
/** How often that is looked at, in milliseconds: a burst takes a few seconds to fill the heap. */
const LOOK_EVERY_MS = 1000;

/** Memory that this process may use, in MiB: the machine's, or less where a container is given less. */
function givenMemoryMib(): number {
  const constrained = process.constrainedMemory();
  // Without a limit the system gives nothing, or a number beyond all memory.
  return Math.min(totalmem(), constrained > 0 ? constrained : totalmem()) / MIB;
}

/** By how many percent the heap may grow before it is collected, where so much memory is given; undefined for V8's own pace. */
export function growthPercent(givenMib: number): number | undefined {
  return GROWTH.find(({ upTo }) => givenMib <= upTo)?.percent;
}

/**
 * Lets garbage wait for less long than V8 would by itself, which takes up to four times what lives where there is memory:
 * never more than `most` percent of it. No bound: an organization that needs more gets it.
 *
 * New objects begin in the young generation, also those of places in the code whose earlier objects lived long: under load
 * V8 takes what a request makes for such objects, and each that begins in the old generation keeps all that it refers to,
 * until a full collection (docs/decisions/0046).
 */
export function boundGarbage(most = Infinity): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  const percent = Math.min(most, growthPercent(givenMemoryMib()) ?? Infinity);
  if (percent < Infinity) setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Whether a process of so much resident memory is large, which it was or was not before: between the two bounds it stays. */
export function isLarge(residentMib: number, givenMib: number, wasLarge: boolean): boolean {
  const { mib, share } = wasLarge ? SMALL : LARGE;
  return residentMib > Math.min(mib, share * givenMib);
}

/**
 * Collects garbage sooner while the process is large: under load or attack the heap then stays near what lives, and at other
 * times collecting costs little. Returns what ends it.
 */
export function followMemory(clock: Clock): () => Promise<void> {
  const given = givenMemoryMib();
  const easy = growthPercent(given);
  let wasLarge = false;
  const look = async () => {
    const large = isLarge(process.memoryUsage.rss() / MIB, given, wasLarge);
    if (large !== wasLarge) setFlagsFromString(`--heap-growing-percent=${large ? TIGHT_PERCENT : easy}`);
    wasLarge = large;
  };
  if (easy === undefined) return async () => {};
  return repeat(clock, look, { everyMs: LOOK_EVERY_MS, failed: () => undefined });
}
