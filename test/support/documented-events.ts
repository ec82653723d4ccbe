import { eventTypes } from '../../src/server.ts';

/** Documented shapes of events, by type. */
const shapes = new Map(
  eventTypes.map(({ type }) => [
    type,
    eventTypes.filter((other) => other.type === type).flatMap(({ wireSchema }) => wireSchema ?? []),
  ]),
);

/** Throws for an event that differs from the reference. Called for every event that a test's client receives. */
export function assertDocumented(events: readonly Readonly<Record<string, unknown>>[]): void {
  for (const event of events) {
    const known = shapes.get(String(event['type'])) ?? [];
    if (!known.some((shape) => shape.safeParse(event).success))
      throw new Error(`not as documented: ${JSON.stringify(event)}`);
  }
}
