export { apiPages } from './pages.ts';
