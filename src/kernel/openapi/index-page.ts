import type { AnyEndpoint, Endpoints } from '#kernel/endpoint';
import type { AnyEventType } from '#kernel/events';
import { type Html, html } from '#kernel/html';
import { fieldsIn } from '#kernel/text';
import { describedEvents } from './events.ts';
import { formsOf } from './fields.ts';
import { cited, fieldTable, layout, prose } from './layout.ts';

const FILTER = html`<p><label for="filter">Filter</label><input id="filter" type="search" autocomplete="off"> <span id="found" class="quiet" role="status"></span></p>`;

/** The list of all operations, and what applies to all of them. */
export function indexPage(endpoints: Endpoints): string {
  const areas = new Map<string, AnyEndpoint[]>();
  for (const endpoint of endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const area = endpoint.path.split('/')[1] ?? '';
    areas.set(area, [...(areas.get(area) ?? []), endpoint]);
  }
  return layout(
    'Operations',
    html`<h1>Roost API</h1>
${BASICS}
<h2 id="operations">Operations</h2>
${FILTER}
${[...areas].map(
  ([area, own]) => html`<section data-part><h3>${area}</h3><ul class="operations">
${own.map(operationItem)}</ul></section>\n`,
)}`,
  );
}

function operationItem({ id, method, path, doc }: AnyEndpoint): Html {
  const words = `${id} ${method} ${path} ${doc}`.toLowerCase();
  return html`<li data-words="${words}"><a href="/api/operations/${id}"><span class="method">${method}</span>${path}</a> <span class="quiet">${doc}</span></li>\n`;
}

const BASICS = html`<p>Paths are below <code>/api/v1</code>. Sign in with HTTP Basic: email address and API key. Parameters are form fields, in a GET in the query; those marked JSON are JSON text. Every answer is a JSON object with <code>result</code> and <code>msg</code>; a failure has a <code>code</code> too.</p>
<h2 id="roles">Roles</h2>
<p>A smaller number may do more. 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. "Administrators" includes owners throughout. See <a href="/api/protocol/permissions#roles">the protocol</a>.</p>
<h2 id="permissions">Permissions</h2>
<p>A permission is held by a group. Its value is the ID of a user group, or <code>{"direct_members": [12], "direct_subgroups": [22]}</code>. A change is sent as <code>{"new": …, "old": …}</code>; with <code>old</code>, it fails if somebody else changed the value meanwhile. See <a href="/api/protocol/permissions#values">the protocol</a>.</p>
<h2 id="narrows">Narrows</h2>
<p>A narrow is a JSON list of terms that a message must all fulfil: <code>[{"operator": "channel", "operand": "garden"}, {"operator": "is", "operand": "unread", "negated": true}]</code>. Operators: <code>channel</code> (name or ID), <code>channels</code>, <code>topic</code>, <code>dm</code> (IDs of people), <code>dm-including</code>, <code>sender</code>, <code>mentions</code>, <code>is</code> (<code>dm</code>, <code>starred</code>, <code>unread</code>, <code>followed</code>, <code>resolved</code>, <code>muted</code>, <code>mentioned</code>, <code>alerted</code>), <code>has</code> (<code>attachment</code>, <code>image</code>, <code>link</code>, <code>reaction</code>), <code>in</code>, <code>id</code>, <code>near</code>, <code>with</code>, <code>search</code>. <code>POST /register</code> takes less: pairs such as <code>["channel", "garden"]</code> with the operators <code>channel</code>, <code>topic</code>, <code>sender</code> and <code>is</code>, none negated. See <a href="/api/protocol/narrows">the protocol</a>.</p>
<h2 id="errors">Errors</h2>
<p>The page of each operation lists its errors. Any operation may answer 401 (no valid key), 429 (too many requests: wait as <code>Retry-After</code> says) and 503 (busy: ask again). See <a href="/api/protocol/errors">the protocol</a>.</p>`;

/** All events: what they mean, who receives them, and their members. */
export function eventPage(types: readonly AnyEventType[]): string {
  return layout(
    'Events',
    html`<h1>Events</h1>
<p>What <code>GET /events</code> answers, for a queue that <code>POST /register</code> made. Each event has <code>type</code>, <code>id</code>, and what is listed here. An event with several tables has one of these forms, depending on what the client asked for.</p>
${FILTER}
${describedEvents(types).map(
  ({
    kind,
    source,
    doc,
    to,
    forms,
  }) => html`<section data-words="${`${kind} ${doc} ${to}`.toLowerCase()}"><h2 id="${kind}">${kind}</h2>
<p>${prose(doc)}</p><p class="quiet">Received by ${to}. Source: ${cited(source)}</p>
${forms.filter((form) => form.length > 0).map(fieldTable)}</section>\n`,
)}`,
  );
}

/** All named shapes of a document, with their members. */
export function schemaPage(document: unknown): string {
  const schemas = Object.entries(fieldsIn(fieldsIn(fieldsIn(document)['components'])['schemas']));
  return layout(
    'Shapes',
    html`<h1>Shapes</h1>
<p>Objects that several operations and events have in common.</p>
${FILTER}
${schemas.map(
  ([name, schema]) => html`<section data-words="${name.toLowerCase()}"><h2 id="${name}">${name}</h2>
${formsOf(fieldsIn(schema)).map((form) => (form.length > 0 ? fieldTable(form) : html`<p class="quiet">A plain value or another shape.</p>`))}</section>\n`,
)}`,
  );
}
