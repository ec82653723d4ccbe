import { below, field, form, formPage, nextLink, show, sideBySide, wordsFor } from '#features/pages';
import { findRealmBySubdomain, realmRefOf } from '#features/realms';
import {
  beginSession,
  enterAgain,
  hashPassword,
  newPasswordField,
  noteSender,
  openByKey,
  peekOneTimeLink,
  redirectIn,
  takeOneTimeLink,
} from '#features/sign-in';
import type { PageRequest, PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { ofRealm } from '#kernel/store';
import { createWithin, type Founding, type FoundingFaults, foundingFaults, MAX_NAME } from './create.ts';
import { NO_REALM } from './links.ts';
import { WELCOME_PATH, welcomePage } from './welcome-page.ts';

const newPage = formPage({
  path: '/new/{token}',
  show: async (request) => ((await mayFound(request)) ? showFounding(request) : noFounding(request)),
  submit: async (request, fields) => {
    const founding = readFounding(fields);
    if (!(await mayFound(request))) return founded(request, founding);
    const faults = foundingFaults(founding);
    if (faults) return showFounding(request, founding, faults);
    return (await found(request, founding)) ?? founded(request, founding);
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

/**
 * Creates the organization, in the language of the page, with its owner and signs the owner in; undefined if the link
 * was used meanwhile. Both in one transaction, so that whoever finds the link used finds the organization, too.
 */
async function found(request: PageRequest, { name, ...owner }: Founding): Promise<PageResponse | undefined> {
  const { context, path } = request;
  const hash = await hashPassword(owner.password);
  const token = path['token'] ?? '';
  const settings = { default_language: wordsFor(request).language };
  const made = await context.store.write(async (tx) => {
    if (!(await takeOneTimeLink(ofRealm(tx, NO_REALM), 'organization', token))) return undefined;
    const { realm, owner: founder } = await createWithin(context, tx, { subdomain: '', name, owner, settings }, hash);
    await noteSender(ofRealm(tx, realm.id), request, token);
    return { realm, owner: founder };
  });
  return made && redirectIn(WELCOME_PATH, await beginSession({ ...request, realm: made.realm }, made.owner));
}

/**
 * Answers a form whose organization is there: the browser that sent it twice, because no answer came, goes on to where
 * the first one led.
 */
async function founded(request: PageRequest, { email, password }: Founding): Promise<PageResponse> {
  const { context, path } = request;
  const row = await context.store.read((tx) => findRealmBySubdomain(tx, ''));
  if (!row) return noFounding(request);
  const typed = { username: email, password };
  const inRealm = { ...request, realm: realmRefOf(row, context.server) };
  const again = await enterAgain(inRealm, path['token'] ?? '', { typed, next: WELCOME_PATH });
  return again ?? alreadyFounded(request, row.name);
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
  const { t, language, refusal } = wordsFor(request);
  const fields = html`${field(t('found.name'), 'name', { value: sent?.name, fault: refusal(faults?.name), autocomplete: 'organization', maxLength: MAX_NAME })}
${sideBySide(
  field(t('common.yourName'), 'full_name', {
    value: sent?.full_name,
    fault: refusal(faults?.full_name),
    autocomplete: 'name',
    maxLength: 100,
  }),
  field(t('found.email'), 'email', {
    type: 'email',
    value: sent?.email,
    fault: refusal(faults?.email),
    autocomplete: 'username',
  }),
)}
${await newPasswordField(request, faults?.password)}`;
  return show(request, {
    language,
    title: t('found.title'),
    status: faults ? 400 : 200,
    lede: t('found.lede'),
    wide: true,
    body: form(request, request.url.pathname, fields, t('found.create')),
  });
}

function alreadyFounded(request: PageRequest, name: string): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('found.exists', { name }),
    status: 404,
    lede: t('found.existsLede'),
    body: nextLink(t('common.logIn'), '/login/'),
  });
}

function noFounding(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return show(request, {
    language,
    title: t('common.linkOver'),
    status: 404,
    lede: t('found.over'),
    body: below({ text: t('common.start'), href: '/' }),
  });
}

export const organizationPages = [newPage, welcomePage];
