import { endpoint, everyone, json, optional } from '#kernel/endpoint';
import { boundedDict, dict, list, MAX_TEXT, str, text } from '#kernel/schema';
import { MAX_STORED, putTexts, removeTexts } from './actions.ts';
import { KeyMissing, MAX_KEYS, StorageExceeded, TooManyKeys } from './errors.ts';
import { replyWith } from './reply.ts';

const SOURCE = 'protocol/bots#storage';

const keys = optional(json(list(text(), { max: MAX_KEYS }), 'All when absent.'));

const getStorage = endpoint({
  id: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  source: SOURCE,
  doc: 'Texts that the caller has stored, by key.',
  who: everyone,
  mayBeLarge: true,
  params: { keys },
  returns: { storage: dict(str()) },
  fails: [KeyMissing],
  run({ actor, params, context, request }) {
    return replyWith(context, actor, params.keys && [...new Set(params.keys)], request);
  },
});

const putStorage = endpoint({
  id: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  source: SOURCE,
  doc: 'Stores texts under keys.',
  who: everyone,
  params: { storage: json(boundedDict(text({ max: MAX_STORED }), { max: MAX_KEYS, key: MAX_TEXT })) },
  returns: {},
  fails: [StorageExceeded, TooManyKeys],
  async run({ actor, params, context }) {
    await putTexts(context, actor, params.storage);
    return {};
  },
});

const deleteStorage = endpoint({
  id: 'delete-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  source: SOURCE,
  doc: 'Deletes stored texts.',
  who: everyone,
  params: { keys },
  returns: {},
  fails: [KeyMissing],
  async run({ actor, params, context }) {
    await removeTexts(context, actor, params.keys);
    return {};
  },
});

export const storageEndpoints = [getStorage, putStorage, deleteStorage];
