import {
  type AnyEndpoint,
  endpoint,
  everyone,
  Held,
  json,
  optional,
  raw,
  spectators,
  withDefault,
} from '#kernel/endpoint';
import { type AnyEventType, BadEventQueue, EventNotInQueue, EventPruned, type QueueNarrow } from '#kernel/events';
import type { Actor } from '#kernel/auth';
import { QueryNotAuthorized, Unauthorized } from '#kernel/errors';
import { isGuest } from '#kernel/permissions';
import { anyShape, bool, int, list, maybe, nullable, str, text } from '#kernel/schema';
import type { SyncedState } from '#kernel/state';
import { codePointLength } from '#kernel/text';
import { queueDefaultsOf } from '#features/bots';
import { readRealm, settingsOf } from '#features/realms';
import { NARROW_OPERATORS } from '#features/messages';
import * as errors from './errors.ts';
import { MAX_NARROW, registerParams } from './params.ts';
import { IDLE_SECONDS, register, viewOf } from './register.ts';

/** Registers a queue and fetches state: the sum of what all features declared. See protocol/register#parameters. */
export function registerEndpoint(states: readonly SyncedState[], types: readonly AnyEventType[]): AnyEndpoint {
  const words = new Set([...types.map(({ type }) => type), ...states.map(({ fetchType }) => fetchType)]);
  return endpoint({
    id: 'register-queue',
    method: 'POST',
    path: '/register',
    source: 'protocol/register#parameters',
    doc: 'Registers an event queue and fetches the state that goes with it.',
    who: spectators,
    readsOnly: true,
    params: registerParams,
    returns: {
      queue_id: nullable(str()),
      last_event_id: int(),
      idle_queue_timeout_secs: maybe(int()),
      zulip_version: str(),
      zulip_feature_level: int(),
      zulip_merge_base: str(),
      ...Object.fromEntries(
        states.flatMap((state) => Object.entries(state.fields).map(([name, schema]) => [name, maybe(schema)])),
      ),
    },
    fails: Object.values(errors),
    async run({ actor, realm, params, context, request }) {
      if (!actor) {
        const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
        if (!settings.enable_spectator_access || !context.server.webPublicChannels) throw Unauthorized();
        if (params.client_gravatar) throw errors.SpectatorGravatar();
        if (params.include_subscribers !== 'false') throw errors.SpectatorSubscribers();
      } else if (params.all_public_streams && isGuest(actor)) throw QueryNotAuthorized();
      const narrow = checkedNarrow(params.narrow);
      const usual = actor?.isBot ? await context.store.as(actor).read((tx) => queueDefaultsOf(tx)) : NOTHING_USUAL;
      const registration = {
        view: viewOf(
          { ...params, client_gravatar: params.client_gravatar ?? actor !== null },
          params.client_capabilities ?? {},
        ),
        ...wantedTypes(actor, params, words),
        narrow: narrow.length > 0 ? narrow : usual.narrow,
        all_public_streams: params.all_public_streams ?? usual.all_public_streams,
        idle_seconds: params.idle_queue_timeout ?? IDLE_SECONDS,
        presence_history_limit_days: params.presence_history_limit_days,
      };
      return register({ context, states, realm, actor, registration }, request.acceptsGzip, request.ignoredParameters);
    },
  });
}

/** Types of events that carry API keys of bots. */
const WITH_KEYS = new Set(['realm_bot']);

/**
 * The types that were requested, each once and in the order of `words`: queues and snapshots keep no words of the client.
 * A read-only API key does not get those that carry keys.
 */
function wantedTypes(
  actor: Actor | null,
  { event_types = null, fetch_event_types = null }: WantedTypes,
  words: ReadonlySet<string>,
): { readonly [K in keyof WantedTypes]-?: readonly string[] | null } {
  const isReader = actor?.shownBy?.kind === 'device key' && actor.shownBy.scope === 'read';
  const known = (types: Iterable<string>) => {
    const wanted = new Set(types);
    return [...words].filter((word) => wanted.has(word) && !(isReader && WITH_KEYS.has(word)));
  };
  return {
    event_types: event_types ? known(event_types) : isReader ? known(words) : null,
    fetch_event_types: fetch_event_types && known(fetch_event_types),
  };
}

interface WantedTypes {
  readonly event_types?: readonly string[] | null | undefined;
  readonly fetch_event_types?: readonly string[] | null | undefined;
}

/** What a person's queue receives unless the client says otherwise. */
const NOTHING_USUAL = { narrow: [], all_public_streams: false };

/** A narrow of pairs whose operators a queue can obey. See protocol/narrows#registered-narrows. */
function checkedNarrow(narrow: readonly (readonly string[])[]): QueueNarrow {
  if (codePointLength(narrow.flat().join('')) > MAX_NARROW) throw errors.NarrowTooLong({ limit: MAX_NARROW });
  return narrow.map((term, index) => {
    const [operator, operand, ...rest] = term;
    if (operator === undefined || operand === undefined || rest.length > 0) throw errors.BadNarrowElement({ index });
    if (!NARROW_OPERATORS.has(operator)) throw errors.OperatorNotSupported({ operator });
    if (operator === 'is' && operand === 'followed') throw errors.FollowedNotSupported();
    return [operator, operand] as const;
  });
}

/** Waits for events, and describes all that may come: those that the slices declared. */
export function eventsEndpoint(types: readonly AnyEventType[]): AnyEndpoint {
  const events = list(anyShape(types.flatMap(({ wireSchema }) => wireSchema ?? [])).meta({ id: 'Event' }));
  return endpoint({
    id: 'get-events',
    method: 'GET',
    path: '/events',
    source: 'protocol/queues#polling',
    doc: 'Waits for events of a queue, and acknowledges those up to `last_event_id`.',
    who: everyone,
    params: {
      last_event_id: optional(json(int())),
      dont_block: withDefault(json(bool()), false),
      queue_id: optional(raw(text())),
    },
    returns: { events, queue_id: str() },
    fails: [BadEventQueue, EventPruned, EventNotInQueue, errors.MissingQueueId, errors.MissingLastEventId],
    async run({ actor, realm, params, context, request }) {
      const { queue_id, last_event_id, dont_block } = params;
      if (queue_id === undefined) throw errors.MissingQueueId();
      if (last_event_id === undefined) throw errors.MissingLastEventId();
      const poll = await context.queues.open(actor.viewer, realm.id, queue_id, last_event_id);
      const ignored = request.ignoredParameters;
      const rest = { queue_id, ...(ignored.length > 0 && { ignored_parameters_unsupported: ignored }) };
      const ending = `],${JSON.stringify(rest).slice(1)}`;
      return new Held((responder) => {
        poll.wait(dont_block, {
          answer: (events) => {
            const characters = events.reduce((sum, { length }) => sum + length, 0);
            responder.send(characters, () => `{"result":"success","msg":"","events":[${events.join()}${ending}`);
          },
          isGone: () => responder.isGone(),
          onGone: (listener) => responder.onGone(listener),
        });
      });
    },
  });
}

const deleteQueue = endpoint({
  id: 'delete-queue',
  method: 'DELETE',
  path: '/events',
  source: 'protocol/queues#deleting',
  doc: 'Ends an event queue.',
  who: everyone,
  readsOnly: true,
  params: { queue_id: raw(text()) },
  returns: {},
  fails: [BadEventQueue],
  async run({ actor, realm, params, context }) {
    await context.queues.remove(actor.viewer, realm.id, params.queue_id);
    return {};
  },
});

export const eventEndpoints = [deleteQueue];
