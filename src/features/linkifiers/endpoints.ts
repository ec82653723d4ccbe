import { ListFull } from '#features/realms';
import { administrators, endpoint, everyone, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { idOf, list, text } from '#kernel/schema';
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from './actions.ts';
import * as errors from './errors.ts';
import { listLinkifiers } from './queries.ts';
import type { LinkifierId } from './tables.ts';
import { toWireLinkifier, wireLinkifier } from './wire.ts';

/** Most linkifiers one order may name. */
const MAX_LINKIFIERS = 10_000;
/** Longest template, in code points; parsing one takes time. */
const MAX_TEMPLATE = 2_000;
/** Most alternative templates of one linkifier. */
const MAX_ALTERNATIVES = 100;

const stripped = text({ trim: true });
const linkifier_id = path(idOf<LinkifierId>());
const pattern = raw(stripped, 'Regular expression of RE2; groups are named (?P<name>…).');
const url_template = raw(text({ trim: true, max: MAX_TEMPLATE }), 'URL template of RFC 6570 with the same names.');
const example_input = optional(raw(stripped, 'A text that the pattern finds; empty for none.'));
const reverse_template = optional(raw(stripped, 'Text to make of an address, with {name}; empty for none.'));
const alternatives = json(
  list(text({ max: MAX_TEMPLATE }), { max: MAX_ALTERNATIVES }),
  'Further URL templates, for making texts of addresses.',
);
const fails = [errors.LinkifierInvalid, errors.ExampleRequired, ListFull];

const getLinkifiers = endpoint({
  id: 'get-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  source: 'protocol/linkifiers#changing',
  doc: 'The linkifiers in the order in which they are applied.',
  who: everyone,
  params: {},
  returns: { linkifiers: list(wireLinkifier) },
  async run({ realm, context }) {
    const rows = await context.store.in(realm).query((tx) => listLinkifiers(tx));
    return { linkifiers: rows.map(toWireLinkifier) };
  },
});

const createLinkifier = endpoint({
  id: 'add-linkifier',
  method: 'POST',
  path: '/realm/filters',
  source: 'protocol/linkifiers#adding',
  doc: 'Adds a linkifier: a pattern that becomes a link in messages.',
  who: administrators,
  params: {
    pattern,
    url_template,
    example_input,
    reverse_template,
    alternative_url_templates: withDefault(alternatives, []),
  },
  returns: { id: idOf<LinkifierId>() },
  fails,
  async run({ realm, params, context }) {
    const { example_input: example = '', reverse_template: reverse = '' } = params;
    const columns = { ...params, example_input: example || null, reverse_template: reverse || null };
    return { id: await addLinkifier(context, realm, columns) };
  },
});

const changeLinkifier = endpoint({
  id: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/{linkifier_id}',
  source: 'protocol/linkifiers#changing',
  doc: 'Changes a linkifier; optional parameters that are not sent keep their values.',
  who: administrators,
  params: {
    linkifier_id,
    pattern,
    url_template,
    example_input,
    reverse_template,
    alternative_url_templates: optional(alternatives),
  },
  returns: {},
  fails: [errors.LinkifierMissing, ...fails],
  async run({ realm, params, context }) {
    const { linkifier_id: id, example_input: example, reverse_template: reverse, ...rest } = params;
    const change = { ...rest, example_input: orNull(example), reverse_template: orNull(reverse) };
    await updateLinkifier(context, realm, id, change);
    return {};
  },
});

/** An empty text means null; undefined stays undefined. */
const orNull = (sent: string | undefined) => (sent === '' ? null : sent);

const removeLinkifierEndpoint = endpoint({
  id: 'remove-linkifier',
  method: 'DELETE',
  path: '/realm/filters/{linkifier_id}',
  source: 'protocol/linkifiers#changing',
  doc: 'Removes a linkifier; links in existing messages stay.',
  who: administrators,
  params: { linkifier_id },
  returns: {},
  fails: [errors.LinkifierMissing],
  async run({ realm, params, context }) {
    await removeLinkifier(context, realm, params.linkifier_id);
    return {};
  },
});

const reorderLinkifiersEndpoint = endpoint({
  id: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  source: 'protocol/linkifiers#changing',
  doc: 'Changes the order in which linkifiers are applied.',
  who: administrators,
  params: { ordered_linkifier_ids: json(list(idOf<LinkifierId>(), { max: MAX_LINKIFIERS }), 'Each of them once.') },
  returns: {},
  fails: [errors.OrderDuplicates, errors.OrderIncomplete],
  async run({ realm, params, context }) {
    await reorderLinkifiers(context, realm, params.ordered_linkifier_ids);
    return {};
  },
});

export const linkifierEndpoints = [
  getLinkifiers,
  createLinkifier,
  changeLinkifier,
  removeLinkifierEndpoint,
  reorderLinkifiersEndpoint,
];
