/** Milliseconds of processor that work takes in this process: unlike time, they do not grow with what others do. */
export async function processorMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of processor of the longest turn that work takes of the event loop: others wait that long. */
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
