import { type Page, page, type PageRequest, type PageResponse } from '#kernel/endpoint';
import { html } from '#kernel/html';
import { readForm, withSecret } from './form-tokens.ts';
import { show as showPage } from './layout.ts';

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
      if (request.raw.request.method !== 'POST') return withSecret(request, await show(request));
      const fields = await readForm(request);
      return fields ? withSecret(request, await submit(request, fields)) : refuseForm(request);
    },
  });
}

/** Answers a form that is not ours. */
function refuseForm(request: PageRequest): PageResponse {
  return withSecret(
    request,
    showPage(request, {
      title: 'Please try again',
      status: 403,
      fault: 'This form was not sent from here, or your browser keeps no cookies.',
      body: html`<nav><a href="${request.url.pathname}">Back</a></nav>`,
    }),
  );
}
