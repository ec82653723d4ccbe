import { readFileSync } from 'node:fs';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { page } from '#kernel/endpoint';
import { ICON } from './art.ts';
import { ownIcon } from './own-icon.ts';

/** Path of the pages' style sheet. */
export const STYLE_PATH = '/assets/pages.css';

/** Path of the icon for tabs and home screens. */
export const ICON_PATH = '/assets/icon.svg';

/** Style sheets of the pages; later ones override earlier ones. The web client builds on the first two. */
const SHEETS = ['tokens.css', 'base.css', 'pages.css'];

// The files are beside this one, and beside the bundle.
const style = SHEETS.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n');

const iconFile = {
  headers: { 'content-type': 'image/svg+xml', 'cache-control': `public, max-age=${SECONDS_PER_DAY}` },
  body: String(ICON),
};

/** The manifest with which a browser installs the web client as an app. */
const manifestPage = page({
  methods: ['GET'],
  path: '/manifest.webmanifest',
  handle: async (request) => {
    const { realm } = request;
    const own = await ownIcon(request);
    return {
      headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
      body: JSON.stringify({
        name: realm?.name ?? 'Roost',
        short_name: realm?.name ?? 'Roost',
        id: '/',
        start_url: '/',
        display: 'standalone',
        background_color: '#f0efe9',
        theme_color: '#f0efe9',
        icons: [
          own === undefined
            ? { src: ICON_PATH, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }
            : { src: own, sizes: 'any', type: 'image/png', purpose: 'any' },
        ],
      }),
    };
  },
});

export const assetPages = [
  manifestPage,
  // Browsers request the second path by themselves if a page names no icon.
  ...[ICON_PATH, '/favicon.ico'].map((path) =>
    page({ methods: ['GET'], path, handle: () => Promise.resolve(iconFile) }),
  ),
  page({
    methods: ['GET'],
    path: STYLE_PATH,
    handle: () =>
      Promise.resolve({
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
        body: style,
      }),
  }),
];
