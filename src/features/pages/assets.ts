import { page } from '#kernel/endpoint';
import { STYLE } from './style.ts';

/** Where the pages' style sheet is. */
export const STYLE_PATH = '/assets/pages.css';

export const assetPages = [
  page({
    methods: ['GET'],
    path: STYLE_PATH,
    handle: () =>
      Promise.resolve({
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
        body: STYLE,
      }),
  }),
];
