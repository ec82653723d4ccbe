/** Milliseconds of the processor that `work` takes on a machine for which the bars of tests are set. */
const USUAL_MS = 11;

const SAMPLE = JSON.stringify(
  Array.from({ length: 400 }, (_, id) => ({ id, name: `name ${id}`, tags: [id, 'a', null] })),
);

/** The same work each time, of the kinds that a server does: texts, objects, and what collects them. */
function work(): number {
  let length = 0;
  for (let round = 0; round < 40; round++) length += JSON.stringify(JSON.parse(SAMPLE)).replaceAll(/\d+/g, 'n').length;
  return length;
}

function workMs(): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

let known: number | undefined;

/**
 * How many times slower this machine is than one for which the bars of tests are set: 1 or more. A bar in milliseconds
 * is multiplied by it, so that it judges the program and not the machine. Measured once in a process, in about 0.2 s.
 */
export function slowness(): number {
  known ??= Math.max(1, Math.min(...Array.from({ length: 5 }, workMs)) / USUAL_MS);
  return known;
}
