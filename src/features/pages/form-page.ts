import { type Page, page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError, RateLimited } from '#kernel/errors';
import { type Html, html } from '#kernel/html';
import { readForm, TOKEN_FIELD, withSecret } from './form-tokens.ts';
import { below, form, hidden, show as showPage, nextLink } from './layout.ts';
import { type Words, wordsFor } from './words/index.ts';

/** A page with a form: how it is shown, and how a submitted form is handled. */
interface FormPage {
  readonly path: string;
  readonly show: (request: PageRequest) => Promise<PageResponse>;
  readonly submit: (request: PageRequest, fields: ReadonlyMap<string, string>) => Promise<PageResponse>;
}

/** Declares a page with a form; only forms that this server made for this browser are accepted. Security 2, 3.5.1. */
export function formPage({ path, show, submit }: FormPage): Page {
  return page({
    methods: ['GET', 'POST'],
    path,
    handle: async (request) => {
      let fields: ReadonlyMap<string, string> | undefined;
      try {
        if (request.raw.request.method !== 'POST') return withSecret(request, await show(request));
        fields = await readForm(request);
        return fields ? withSecret(request, await submit(request, fields)) : refuseForm(request);
      } catch (error) {
        if (error instanceof ApiError && error.row === RateLimited.row) return slowDown(request, error, fields);
        throw error;
      }
    },
  });
}

/** The duration of a rate limit in words. */
export function waitOf({ t }: Words, error: ApiError): string {
  const minutes = Math.max(1, Math.ceil(Number(error.extra['retry-after']) / 60));
  return minutes > 90 ? t('wait.hours', { count: Math.ceil(minutes / 60) }) : t('wait.minutes', { count: minutes });
}

/** Answers a request that reached a rate limit, unless the page handles that itself. What was typed is sent again, without passwords. */
function slowDown(request: PageRequest, error: ApiError, fields?: ReadonlyMap<string, string>): PageResponse {
  const words = wordsFor(request);
  const { t, language } = words;
  return withSecret(
    request,
    showPage(request, {
      language,
      title: t('wait.title'),
      status: 429,
      fault: t('wait.text', { time: waitOf(words, error) }),
      headers: { 'retry-after': String(Math.ceil(Number(error.extra['retry-after']))) },
      body: fields ? sendAgain(request, fields) : nextLink(t('common.openRoost'), '/'),
    }),
  );
}

/** A button that sends a form once more: what was typed comes back in its fields, only a password is typed anew. */
function sendAgain(request: PageRequest, fields: ReadonlyMap<string, string>): Html {
  const { t } = wordsFor(request);
  const kept = [...fields].filter(([name]) => name !== TOKEN_FIELD && !name.includes('password'));
  const typed = html`${kept.map(([name, value]) => hidden(name, value))}`;
  return html`${form(request, request.url.pathname + request.url.search, typed, t('common.tryAgain'))}${below({ text: t('common.openRoost'), href: '/' })}`;
}

/** Answers a form without a valid token. */
function refuseForm(request: PageRequest): PageResponse {
  const { t, language } = wordsFor(request);
  return withSecret(
    request,
    showPage(request, {
      language,
      title: t('form.title'),
      status: 403,
      fault: t('form.text'),
      body: nextLink(t('common.tryAgain'), request.url.pathname),
    }),
  );
}
