import { slice } from '#kernel/slice';
import { assetPages } from './assets.ts';
import { guidePages } from './guide-pages.ts';

export const pagesSlice = slice({ name: 'pages', pages: [...assetPages, ...guidePages] });

export { icon, waiting } from './art.ts';
export { formPage, waitOf } from './form-page.ts';
export { type FromBrowser, formToken } from './form-tokens.ts';
export { STYLE_PATH } from './assets.ts';
export { addressCard, APPS_PATH, HELP_PATH } from './guide-pages.ts';
export { below, field, form, hidden, iconLink, panel, redirect, show, sideBySide, nextLink } from './layout.ts';
export { missingPage, noOrganization } from './missing.ts';
export { ownIcon, realmIcon } from './own-icon.ts';
export { qrCode } from './qr.ts';
export { type Words, wordsFor } from './words/index.ts';
