// Pages that ask for a second factor, and pages that set one up.
export { askPage, enterOrAsk } from './ask-page.ts';
export { challengePage, isOn } from './challenge-page.ts';
export { passkeysPage } from './passkeys-page.ts';
export { setupPage } from './setup-page.ts';
