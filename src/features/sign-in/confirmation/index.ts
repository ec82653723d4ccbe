// Confirming who one is before a dangerous operation.
export { confirm } from './confirm.ts';
export { confirmationEndpoints } from './endpoints.ts';
export { confirmationPage, confirmFirst } from './page.ts';
