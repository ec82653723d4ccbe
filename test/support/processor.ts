/**
 * Measures the milliseconds of processor time that work takes in this process: unlike elapsed time, they do not grow
 * with other load.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Measures the processor time, in milliseconds, of the longest turn of the event loop during work: everybody else waits
 * that long.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  let start = process.cpuUsage();
  const look = () => {
    const { user, system } = process.cpuUsage(start);
    longest = Math.max(longest, (user + system) / 1000);
    start = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return longest;
}
