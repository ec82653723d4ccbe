import { endpoint, everyone, json, lenient, optional, path, raw, spectators, withDefault } from '#kernel/endpoint';
import { ParametersIncompatible, Unauthorized } from '#kernel/errors';
import type { Actor, RealmRef } from '#kernel/auth';
import type { MessageId } from '#kernel/ids';
import type { ReadContext } from '#kernel/context';
import { anything, bool, dict, float, idOf, int, list, object, str, text } from '#kernel/schema';
import { readRealm, settingsOf } from '#features/realms';
import { accessMessage, accessMessages, type MessageRow, receivedAmong } from '../core/index.ts';
import { assertAmounts, assertNoRange, MAX_FETCH, parseAnchor } from './anchor.ts';
import { messageErrors as errors } from '../core/index.ts';
import { findAround, findNamed } from './fetch.ts';
import { parseNarrow, resolveNarrow } from '../narrow/index.ts';
import { wireMessage } from '../wire.ts';
import { ladenTexts } from './laden.ts';
import { isLaden, listMessages } from './parts.ts';
import { replyWithLaden } from './reply.ts';
import { matchesOf, showRows } from './show.ts';

/** Most terms of a narrow, and most characters of one as JSON. */
const MAX_TERMS = 100;
const MAX_TERM = 10_000;

/** A narrow as clients send it; its terms are validated later, with errors of their own. */
export const narrowParam = json(list(anything({ max: MAX_TERM }), { max: MAX_TERMS }), 'Terms that all must hold.');

/** An anchor as clients send it: the plain text or a JSON string. See protocol/wire#parameters. */
export const anchorParam = lenient(text(), '`newest`, `oldest`, `first_unread`, `date` or an ID.');

const FETCH_ERRORS = [
  errors.MissingAnchor,
  errors.InvalidAnchor,
  errors.MissingAnchorDate,
  errors.InvalidAnchorDate,
  errors.TooManyMessages,
  errors.AnchorExcluded,
  errors.BadNarrow,
  errors.DuplicateWith,
  ParametersIncompatible,
  Unauthorized,
];

/** Messages requested by ID have no anchor and no ends. */
const NAMED = { found_anchor: false, found_oldest: false, found_newest: false };

const getMessages = endpoint({
  id: 'get-messages',
  method: 'GET',
  path: '/messages',
  source: 'protocol/fetching#parameters',
  doc: 'Messages around an anchor, or messages by ID.',
  who: spectators,
  mayBeLarge: true,
  params: {
    anchor: optional(anchorParam),
    anchor_date: optional(raw(text(), 'ISO 8601; with the anchor `date`.')),
    include_anchor: optional(json(bool())),
    num_before: optional(json(int({ min: 0 }))),
    num_after: optional(json(int({ min: 0 }))),
    narrow: optional(narrowParam),
    client_gravatar: withDefault(json(bool()), true),
    apply_markdown: withDefault(json(bool()), true),
    use_first_unread_anchor: optional(json(bool())),
    message_ids: optional(json(list(idOf<MessageId>(), { max: MAX_FETCH }))),
    allow_empty_topic_name: withDefault(json(bool()), false),
  },
  returns: {
    // A float, because "newest" is answered as ten to the sixteenth, which is beyond exact integers.
    anchor: float().optional(),
    found_anchor: bool(),
    found_oldest: bool(),
    found_newest: bool(),
    history_limited: bool(),
    messages: list(wireMessage),
  },
  fails: FETCH_ERRORS,
  async run({ actor, realm, params, context, request }) {
    const { message_ids, include_anchor, num_before, num_after, anchor, use_first_unread_anchor } = params;
    if (message_ids) assertNoRange({ num_before, num_after, anchor, include_anchor, use_first_unread_anchor });
    const amounts = {
      num_before: num_before ?? 0,
      num_after: num_after ?? 0,
      include_anchor: include_anchor ?? true,
    };
    const centre = message_ids ? undefined : parseAnchor(params);
    assertAmounts(amounts);
    const terms = parseNarrow(params.narrow ?? []);
    const host = realm.host;
    if (!actor) await assertSpectators(context, realm);
    const form = formOf(params, actor);
    return context.store.asCaller(realm, actor).read(async (tx) => {
      const narrow = await resolveNarrow(tx, terms, host);
      const showing = { form, search: narrow.search, host };
      const { ids, ...found } = centre
        ? await findAround(tx, narrow, centre, amounts)
        : { ...NAMED, ids: await findNamed(tx, narrow, message_ids ?? []) };
      const fields = { ...found, history_limited: false };
      const isHighlighted = narrow.search !== undefined;
      const show = (rows: readonly MessageRow[]) => showRows(tx, rows, showing);
      const laden = (row: MessageRow) => ladenTexts(tx, row, showing);
      return listMessages(tx, { ids, fields, isHighlighted, show, laden }, request);
    });
  },
});

const getMessage = endpoint({
  id: 'get-message',
  method: 'GET',
  path: '/messages/{message_id}',
  source: 'protocol/fetching#one-message',
  doc: 'One message.',
  who: spectators,
  params: {
    message_id: path(idOf<MessageId>()),
    apply_markdown: withDefault(json(bool()), true),
    allow_empty_topic_name: withDefault(json(bool()), false),
  },
  returns: { message: wireMessage, raw_content: str() },
  fails: [errors.InvalidMessage, Unauthorized],
  async run({ actor, realm, params, context, request }) {
    if (!actor) await assertSpectators(context, realm);
    const form = formOf({ ...params, client_gravatar: false }, actor);
    return context.store.asCaller(realm, actor).read(async (tx) => {
      const row = actor
        ? await accessMessage(tx, params.message_id)
        : (await accessMessages(tx, [params.message_id]))[0];
      if (!row) throw Unauthorized();
      const showing = { form, search: undefined, host: realm.host };
      const fields = { raw_content: row.content };
      if (await isLaden(tx, row.id)) return replyWithLaden(fields, ladenTexts(tx, row, showing), request);
      const [message] = await showRows(tx, [row], showing);
      if (!message) throw errors.InvalidMessage();
      return { message, ...fields };
    });
  },
});

const matchesNarrow = endpoint({
  id: 'match-messages',
  method: 'GET',
  path: '/messages/matches_narrow',
  source: 'protocol/fetching#search',
  doc: 'Which of the given messages match a narrow, with the matches highlighted.',
  who: everyone,
  mayBeLarge: true,
  params: {
    msg_ids: json(list(idOf<MessageId>(), { max: MAX_FETCH })),
    narrow: narrowParam,
  },
  returns: { messages: dict(object({ match_content: str(), match_subject: str() })) },
  fails: FETCH_ERRORS,
  async run({ actor, realm, params, context, request }) {
    const terms = parseNarrow(params.narrow);
    const host = realm.host;
    return context.store.as(actor).read(async (tx) => {
      const narrow = await resolveNarrow(tx, terms, host);
      const ids = await findNamed(tx, narrow, params.msg_ids);
      const received = await receivedAmong(tx, ids);
      const isHighlighted = narrow.search !== undefined;
      const show = async (rows: readonly MessageRow[]) =>
        Object.fromEntries(rows.map((row) => [String(row.id), matchesOf(row, row.topic, narrow.search)]));
      return listMessages(tx, { ids: [...received], fields: {}, isHighlighted, show }, request);
    });
  },
});

interface FormParams {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly allow_empty_topic_name: boolean;
}

/** Spectators see no addresses, so they cannot compute Gravatar URLs. See protocol/fetching#spectators. */
function formOf({ apply_markdown, client_gravatar, allow_empty_topic_name }: FormParams, actor: Actor | null) {
  return {
    apply_markdown,
    client_gravatar: client_gravatar && actor !== null,
    empty_topic_name: allow_empty_topic_name,
  };
}

async function assertSpectators(context: ReadContext, realm: RealmRef): Promise<void> {
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  if (!settings.enable_spectator_access || !context.server.webPublicChannels) throw Unauthorized();
}

export const fetchEndpoints = [getMessages, matchesNarrow, getMessage];
