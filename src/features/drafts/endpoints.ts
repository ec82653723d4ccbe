import { InvalidChannelId } from '#features/channels';
import { InvalidRecipientId } from '#features/messages';
import { TooManyTexts } from '#features/users';
import { endpoint, everyone, json, path } from '#kernel/endpoint';
import { idOf, int, list } from '#kernel/schema';
import { addDrafts, readDrafts, removeDraft, updateDraft } from './actions.ts';
import * as errors from './errors.ts';
import type { DraftId } from './tables.ts';
import { sentDraft, toWireDraft, wireDraft } from './wire.ts';

/** Most drafts in one request. */
const MAX_SENT = 250;

const source = 'protocol/saved#drafts';
const draft_id = path(idOf<DraftId>());

const CONTENT_ERRORS = [
  errors.NegativeTimestamp,
  errors.TopicNullBytes,
  errors.OneChannelOnly,
  InvalidChannelId,
  InvalidRecipientId,
];

const getDrafts = endpoint({
  id: 'get-drafts',
  method: 'GET',
  path: '/drafts',
  source,
  doc: "The caller's drafts, the one edited longest ago first.",
  who: everyone,
  params: {},
  returns: { count: int(), drafts: list(wireDraft) },
  fails: [errors.DraftsDisabled],
  async run({ actor, context }) {
    const drafts = (await context.store.as(actor).read((tx) => readDrafts(tx))).map(toWireDraft);
    return { count: drafts.length, drafts };
  },
});

const createDrafts = endpoint({
  id: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  source,
  doc: 'Saves drafts of the caller.',
  who: everyone,
  params: { drafts: json(list(sentDraft, { max: MAX_SENT })) },
  returns: { ids: list(idOf<DraftId>()) },
  fails: [errors.DraftsDisabled, TooManyTexts, ...CONTENT_ERRORS],
  async run({ actor, params, context }) {
    return { ids: (await addDrafts(context, actor, params.drafts)).map(({ id }) => id) };
  },
});

const editDraft = endpoint({
  id: 'edit-draft',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  source,
  doc: 'Replaces a draft of the caller.',
  who: everyone,
  params: { draft_id, draft: json(sentDraft) },
  returns: {},
  fails: [errors.DraftsDisabled, errors.DraftMissing, TooManyTexts, ...CONTENT_ERRORS],
  async run({ actor, params, context }) {
    await updateDraft(context, actor, params);
    return {};
  },
});

const deleteDraft = endpoint({
  id: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  source,
  doc: 'Deletes a draft of the caller.',
  who: everyone,
  params: { draft_id },
  returns: {},
  fails: [errors.DraftsDisabled, errors.DraftMissing],
  async run({ actor, params, context }) {
    await removeDraft(context, actor, params.draft_id);
    return {};
  },
});

export const draftEndpoints = [getDrafts, createDrafts, editDraft, deleteDraft];
