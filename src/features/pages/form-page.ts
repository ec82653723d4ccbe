import { type Page, page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { ApiError, RateLimited } from '#kernel/errors';
import { readForm, withSecret } from './form-tokens.ts';
import { show as showPage, wayOn } from './layout.ts';

/** A page with a form: what is shown, and what is done with what was sent. */
interface FormPage {
  readonly path: string;
  readonly show: (request: PageRequest) => Promise<PageResponse>;
  readonly submit: (request: PageRequest, fields: ReadonlyMap<string, string>) => Promise<PageResponse>;
}

/** Declares a page with a form; only forms that this server made for this browser are looked at. Security 2, 3.5.1. */
export function formPage({ path, show, submit }: FormPage): Page {
  return page({
    methods: ['GET', 'POST'],
    path,
    handle: async (request) => {
      try {
        if (request.raw.request.method !== 'POST') return withSecret(request, await show(request));
        const fields = await readForm(request);
        return fields ? withSecret(request, await submit(request, fields)) : refuseForm(request);
      } catch (error) {
        if (error instanceof ApiError && error.row === RateLimited.row) return slowDown(request, error);
        throw error;
      }
    },
  });
}

/** How long a limit lasts, for people. */
export function waitOf(error: ApiError): string {
  const minutes = Math.ceil(Number(error.extra['retry-after']) / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes > 1 ? `${minutes} minutes` : 'a minute';
}

/** Answers somebody who has reached a limit that the page itself says nothing about. */
function slowDown(request: PageRequest, error: ApiError): PageResponse {
  return withSecret(
    request,
    showPage(request, {
      title: 'Too many attempts',
      status: 429,
      fault: `Wait ${waitOf(error)} and try again.`,
      headers: { 'retry-after': String(Math.ceil(Number(error.extra['retry-after']))) },
      body: wayOn('Open Roost', '/'),
    }),
  );
}

/** Answers a form that is not ours. */
function refuseForm(request: PageRequest): PageResponse {
  return withSecret(
    request,
    showPage(request, {
      title: 'Not sent',
      status: 403,
      fault: 'This form was not sent from here, or your browser keeps no cookies.',
      body: wayOn('Try again', request.url.pathname),
    }),
  );
}
