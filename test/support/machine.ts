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

/** Milliseconds for which a measurement holds: others on the same hardware make a machine faster and slower. */
const HOLDS_MS = 2000;

let [known, measuredAt] = [1, Number.NEGATIVE_INFINITY];

/**
 * How many times slower this machine is now than one for which the bars of tests are set: 1 or more. A bar in
 * milliseconds is multiplied by it, so that it judges the program and not the machine. Takes about 50 ms, at most every
 * two seconds.
 */
export function slowness(): number {
  if (performance.now() - measuredAt > HOLDS_MS) {
    known = Math.max(1, Math.min(...Array.from({ length: 4 }, workMs)) / USUAL_MS);
    measuredAt = performance.now();
  }
  return known;
}
