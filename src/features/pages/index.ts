import { slice } from '#kernel/slice';
import { assetPages } from './assets.ts';

export const pagesSlice = slice({ name: 'pages', pages: assetPages });

export { formPage } from './form-page.ts';
export { field, form, hidden, redirect, show } from './layout.ts';
