import { slice } from '#kernel/slice';
import { assetPages } from './assets.ts';

export const pagesSlice = slice({ name: 'pages', pages: assetPages });

export { formPage, waitOf } from './form-page.ts';
export { below, field, form, hidden, redirect, show, sideBySide, wayOn } from './layout.ts';
export { ICON_PATH } from './assets.ts';
