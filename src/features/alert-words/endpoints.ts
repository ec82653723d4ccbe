import { endpoint, everyone, json } from '#kernel/endpoint';
import { list, str, text } from '#kernel/schema';
import { addWords, removeWords } from './actions.ts';
import { TooManyAlertWords } from './errors.ts';
import { listWords } from './queries.ts';
import { MAX_WORD, MAX_WORDS } from './rules.ts';

const alert_words = json(list(text({ max: MAX_WORD }), { max: MAX_WORDS }), 'Words, or several words in a row.');
const returns = { alert_words: list(str()) };

const getAlertWords = endpoint({
  id: 'get-alert-words',
  method: 'GET',
  path: '/users/me/alert_words',
  source: 'protocol/settings#alert-words',
  doc: "The caller's alert words.",
  who: everyone,
  params: {},
  returns,
  async run({ actor, context }) {
    return { alert_words: [...(await context.store.as(actor).query((tx) => listWords(tx)))] };
  },
});

const addAlertWords = endpoint({
  id: 'add-alert-words',
  method: 'POST',
  path: '/users/me/alert_words',
  source: 'protocol/settings#alert-words',
  doc: 'Adds alert words; blank and known ones are ignored.',
  who: everyone,
  params: { alert_words },
  returns,
  fails: [TooManyAlertWords],
  async run({ actor, params, context }) {
    return { alert_words: [...(await addWords(context, actor, params.alert_words))] };
  },
});

const removeAlertWords = endpoint({
  id: 'remove-alert-words',
  method: 'DELETE',
  path: '/users/me/alert_words',
  source: 'protocol/settings#alert-words',
  doc: 'Removes alert words in any letter case; unknown ones are ignored.',
  who: everyone,
  params: { alert_words },
  returns,
  async run({ actor, params, context }) {
    return { alert_words: [...(await removeWords(context, actor, params.alert_words))] };
  },
});

export const alertWordEndpoints = [getAlertWords, addAlertWords, removeAlertWords];
