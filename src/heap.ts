import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const MIB = 2 ** 20;
/** Memory from which on the heap may grow at V8's own pace, in MiB: there is more than a server ever needs. */
const PLENTY_MIB = 64 * 1024;
/** By how many percent of what lives the heap may grow before it is collected: by memory given, in MiB. */
const GROWTH = [
  { upTo: 512, percent: 30 },
  { upTo: PLENTY_MIB, percent: 50 },
] as const;

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
 */
export function boundGarbage(most = Infinity): void {
  const percent = Math.min(most, growthPercent(givenMemoryMib()) ?? Infinity);
  if (percent < Infinity) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
