export { openApiDocument } from './document.ts';
export { apiPages } from './pages.ts';
