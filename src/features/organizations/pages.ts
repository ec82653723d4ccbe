import { page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError } from '#kernel/errors';
import { html } from '#kernel/html';
import { field, form, formPage, redirect, show } from '#features/pages';
import { findRealmBySubdomain } from '#features/realms';
import { beginSession, newPasswordField, peekOneTimeLink, takeOneTimeLink } from '#features/sign-in';
import { createOrganization } from './create.ts';
import { type Founding, foundingFault, MAX_NAME } from './founding.ts';
import { NO_REALM } from './links.ts';

const newPage = formPage({
  path: '/new/{token}',
  show: async (request) => ((await mayFound(request)) ? showFounding(request) : noFounding(request)),
  submit: async (request, fields) => {
    if (!(await mayFound(request))) return noFounding(request);
    const founding = readFounding(fields);
    const fault = foundingFault(founding);
    if (fault !== undefined) return showFounding(request, founding, fault);
    return (await found(request, founding)) ?? noFounding(request);
  },
});

/** Whether the link works and there is no organization on the root domain yet. Guessing is slowed down by address. */
async function mayFound({ kit, path, address }: PageRequest): Promise<boolean> {
  const known = await kit.store.read(async (tx) =>
    (await findRealmBySubdomain(tx, ''))
      ? undefined
      : peekOneTimeLink(tx, 'organization', NO_REALM, path['token'] ?? ''),
  );
  if (!known) await kit.limits.take('organization-creation', address).catch(ignoreLimit);
  return known !== undefined;
}

function ignoreLimit(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

/** Makes the organization with its owner and lets the owner in; undefined when somebody else was faster. */
async function found(request: PageRequest, founding: Founding): Promise<PageResponse | undefined> {
  const { kit, path } = request;
  const link = await kit.store.write((tx) => takeOneTimeLink(tx, 'organization', NO_REALM, path['token'] ?? ''));
  if (!link) return undefined;
  const { name, ...owner } = founding;
  const made = await createOrganization(kit, { subdomain: '', name, owner });
  return redirect('/', [await beginSession(request, made.realm.id, made.owner.id)]);
}

function readFounding(fields: ReadonlyMap<string, string>): Founding {
  const text = (field: string) => (fields.get(field) ?? '').trim();
  return {
    name: text('name'),
    full_name: text('full_name'),
    email: text('email'),
    password: fields.get('password') ?? '',
  };
}

function showFounding(request: PageRequest, sent?: Founding, fault?: string): PageResponse {
  const fields = html`${field('Name of the organization', 'name', { value: sent?.name, autocomplete: 'organization', maxLength: MAX_NAME })}
${field('Your name', 'full_name', { value: sent?.full_name, autocomplete: 'name', maxLength: 100 })}
${field('Your email address', 'email', { type: 'email', value: sent?.email, autocomplete: 'username' })}
${newPasswordField()}`;
  return show(request, {
    title: 'Create your organization',
    status: fault === undefined ? 200 : 400,
    fault,
    body: html`<p>You will be its owner.</p>${form(request, request.url.pathname, fields, 'Create')}`,
  });
}

function noFounding(request: PageRequest): PageResponse {
  return show(request, {
    title: 'This link is no longer good',
    status: 404,
    body: html`<p>It has been used, or it is older than a week. A restart of the server prints a new one while there is no organization.</p>
<nav><a href="/">Start</a></nav>`,
  });
}

/** The first page: who one is here, and the ways in and out. */
const startPage = page({
  methods: ['GET'],
  path: '/',
  handle: async (request) => {
    const { realm, actor } = request;
    if (!realm)
      return show(request, {
        title: 'Welcome to Roost',
        body: html`<p>There is no organization here yet. The server's output shows a link to create one.</p>`,
      });
    if (!actor) return redirect('/login/');
    return show(request, {
      title: `Hello, ${actor.fullName}`,
      body: html`<p>You are logged in as <strong>${actor.email}</strong>.</p>
<p>Connect an app to <strong>${request.kit.realmUrl(realm)}</strong> to talk.</p>
<nav><a href="/accounts/sessions/">Where you are logged in</a><a href="/logout/">Log out</a><a href="/api/">API</a></nav>`,
    });
  },
});

export const organizationPages = [newPage, startPage];
