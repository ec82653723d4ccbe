import { expect } from 'vitest';
import { features } from '../../src/features.ts';
import type { Body, Client, Parameters } from './client.ts';

/** What the slices say of their events; those last that look at what others keep. */
const APPLIERS = [false, true].flatMap((isLast) =>
  features.flatMap(({ applies }) => applies.filter((one) => one.isLast === isLast)),
);

/** All fields that some slice's events keep fresh. */
export const syncedFields = (): readonly string[] => APPLIERS.flatMap((one) => one.fields);

/** The register parameters with which laws are tested unless a test says otherwise. */
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
  /** Parameters of registering; a modern client's when absent. */
  readonly parameters?: Parameters;
  /** Fields to compare; all those that some slice's events keep fresh when absent. */
  readonly fields?: readonly string[];
  /** Whether the events have to tell all of the fields; otherwise those they do not tell are not compared. */
  readonly isWhole?: boolean;
}

/**
 * The law of sync for each viewer: state at registering, plus the events of `act`, is the state of registering again.
 * Returns each viewer's events.
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

/** The fields of a state but for those of which its events did not tell enough. */
export const toldFields = (state: Body, fields: readonly string[]): readonly string[] =>
  fields.filter((field) => !(field in state) || state[field] !== undefined);

/** State after an event, as far as slices say how it changes. */
export function applyEvent(state: Body, event: Body, me: number): Body {
  return APPLIERS.filter((one) => one.types.includes(event['type'])).reduce(
    // Its types forgotten: a test feeds it what came over the wire.
    (kept, one) => ({ ...kept, ...one.apply(kept as never, event as never, me as never) }),
    state,
  );
}

/** These fields of a state, those that it has. */
export function pick(state: Body, fields: readonly string[]): Body {
  return Object.fromEntries(fields.filter((field) => field in state).map((field) => [field, state[field]]));
}
