import { ListFull } from '#features/realms';
import { administrators, endpoint, path, raw } from '#kernel/endpoint';
import { idOf, text } from '#kernel/schema';
import { addPlayground, removePlayground } from './actions.ts';
import * as errors from './errors.ts';
import type { PlaygroundId } from './tables.ts';

/** Longest name of a language, in code points. See protocol/linkifiers#playgrounds. */
const MAX_LANGUAGE = 40;

const createPlayground = endpoint({
  id: 'add-code-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  source: 'protocol/linkifiers#playgrounds',
  doc: 'Adds a code playground: a website where code of one language can be run.',
  who: administrators,
  params: {
    name: raw(text({ line: true, trim: true }), 'What people read; unique for the language.'),
    pygments_language: raw(text({ trim: true, max: MAX_LANGUAGE }), 'Name of the language.'),
    url_template: raw(text({ trim: true }), 'URL template of RFC 6570 with the one variable `code`.'),
  },
  returns: { id: idOf<PlaygroundId>() },
  fails: [errors.LanguageCharacters, errors.PlaygroundInvalid, ListFull],
  run: async ({ realm, params, context }) => ({ id: await addPlayground(context, realm, params) }),
});

const removePlaygroundEndpoint = endpoint({
  id: 'remove-code-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  source: 'protocol/linkifiers#playgrounds',
  doc: 'Removes a code playground.',
  who: administrators,
  params: { playground_id: path(idOf<PlaygroundId>()) },
  returns: {},
  fails: [errors.PlaygroundMissing],
  async run({ realm, params, context }) {
    await removePlayground(context, realm, params.playground_id);
    return {};
  },
});

export const playgroundEndpoints = [createPlayground, removePlaygroundEndpoint];
