import { below, field, form, formPage, show, sideBySide } from '#features/pages';
import { findRealmBySubdomain } from '#features/realms';
import {
  beginSession,
  newPasswordField,
  openByKey,
  peekOneTimeLink,
  redirectIn,
  takeOneTimeLink,
} from '#features/sign-in';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { createOrganization, type Founding, type FoundingFaults, foundingFaults, MAX_NAME } from './create.ts';
import { NO_REALM } from './links.ts';
import { WELCOME_PATH, welcomePage } from './welcome-page.ts';

const newPage = formPage({
  path: '/new/{token}',
  show: async (request) => ((await mayFound(request)) ? showFounding(request) : noFounding(request)),
  submit: async (request, fields) => {
    if (!(await mayFound(request))) return noFounding(request);
    const founding = readFounding(fields);
    const faults = foundingFaults(founding);
    if (faults) return showFounding(request, founding, faults);
    return (await found(request, founding)) ?? noFounding(request);
  },
});

/**
 * Whether the link is valid and there is no organization on the root domain yet. Guesses are rate-limited by network.
 */
async function mayFound(request: PageRequest): Promise<boolean> {
  const { context, path } = request;
  const find = () =>
    context.store
      .of(NO_REALM)
      .read(async (tx) =>
        (await findRealmBySubdomain(tx, '')) ? undefined : peekOneTimeLink(tx, 'organization', path['token'] ?? ''),
      );
  return (await openByKey(request, find)) !== undefined;
}

/** Creates the organization with its owner and signs the owner in; undefined if somebody else was first. */
async function found(request: PageRequest, founding: Founding): Promise<PageResponse | undefined> {
  const { context, path } = request;
  const link = await context.store.of(NO_REALM).write((tx) => takeOneTimeLink(tx, 'organization', path['token'] ?? ''));
  if (!link) return undefined;
  const { name, ...owner } = founding;
  const made = await createOrganization(context, { subdomain: '', name, owner });
  return redirectIn(WELCOME_PATH, await beginSession({ ...request, realm: made.realm }, made.owner));
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

async function showFounding(request: PageRequest, sent?: Founding, faults?: FoundingFaults): Promise<PageResponse> {
  const fields = html`${field('Name of the organization', 'name', { value: sent?.name, fault: faults?.name, autocomplete: 'organization', maxLength: MAX_NAME })}
${sideBySide(
  field('Your name', 'full_name', {
    value: sent?.full_name,
    fault: faults?.full_name,
    autocomplete: 'name',
    maxLength: 100,
  }),
  field('Your email address', 'email', {
    type: 'email',
    value: sent?.email,
    fault: faults?.email,
    autocomplete: 'username',
  }),
)}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    title: 'Create your organization',
    status: faults ? 400 : 200,
    lede: 'You become its owner. Everything here can be changed later.',
    wide: true,
    body: form(request, request.url.pathname, fields, 'Create'),
  });
}

function noFounding(request: PageRequest): PageResponse {
  return show(request, {
    title: 'This link is no longer good',
    status: 404,
    lede: 'It has been used, or it is older than a week. A restart of the server prints a new one while there is no organization.',
    body: below({ text: 'Start', href: '/' }),
  });
}

export const organizationPages = [newPage, welcomePage];
