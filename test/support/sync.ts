import { expect } from 'vitest';
import { features } from '../../src/features.ts';
import type { Body, Client, Parameters } from './client.ts';

/** How the slices apply events; functions that need the results of others come last. */
const APPLIERS = [false, true].flatMap((isLast) =>
  features.flatMap(({ applies }) => applies.filter((one) => one.isLast === isLast)),
);

/** All fields that some slice updates by events. */
export const syncedFields = (): readonly string[] => APPLIERS.flatMap((one) => one.fields);

/** Default register parameters for tests of the law of sync. */
export const MODERN = {
  include_subscribers: true,
  client_gravatar: false,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    individual_emoji_changes: true,
  },
} satisfies Parameters;

interface LawOptions {
  /** Register parameters; those of a modern client by default. */
  readonly parameters?: Parameters;
  /** Fields to compare; by default all that some slice updates by events. */
  readonly fields?: readonly string[];
  /**
   * Whether events must determine all of the fields; otherwise fields that they leave undetermined are not compared.
   */
  readonly isWhole?: boolean;
}

/**
 * Checks the law of sync for each viewer: the state of registering, plus the events of `act`, equals the state of
 * registering again. Returns each viewer's events.
 */
export async function expectSync(
  viewers: readonly Client[],
  act: () => Promise<unknown>,
  options: LawOptions = {},
): Promise<readonly Body[][]> {
  const parameters = options.parameters ?? MODERN;
  const queues = await Promise.all(viewers.map((viewer) => viewer.register(parameters)));
  await act();
  const all: Body[][] = [];
  for (const [index, queue] of queues.entries()) {
    const viewer = viewers[index];
    if (!viewer) continue;
    const events = await queue.events();
    const kept = events.reduce((state, event) => applyEvent(state, event, viewer.userId), queue.state);
    const { state } = await viewer.register(parameters);
    const wanted = options.fields ?? syncedFields();
    const fields = options.isWhole ? wanted : toldFields(kept, wanted);
    expect(pick(kept, fields), `the state of user ${viewer.userId} after its events`).toEqual(pick(state, fields));
    all.push(events);
  }
  return all;
}

/** Returns the fields of a state, except those that events left undetermined. */
export const toldFields = (state: Body, fields: readonly string[]): readonly string[] =>
  fields.filter((field) => !(field in state) || state[field] !== undefined);

/** Applies an event to a state, as far as slices declare how. */
export function applyEvent(state: Body, event: Body, me: number): Body {
  return APPLIERS.filter((one) => one.types.includes(event['type'])).reduce(
    // Types are erased: a test passes values from the wire.
    (kept, one) => ({ ...kept, ...one.apply(kept as never, event as never, me as never) }),
    state,
  );
}

/** Returns these fields of a state, as far as it has them. */
export function pick(state: Body, fields: readonly string[]): Body {
  return Object.fromEntries(fields.filter((field) => field in state).map((field) => [field, state[field]]));
}
