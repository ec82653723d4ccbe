// Passkeys, based on the WebAuthn library.
export { addPasskey, answeredBy, removePasskey } from './actions.ts';
export { newChallenge, type Use } from './challenge.ts';
export { passkeyForm, passkeyScript, relyingParty, type RelyingParty } from './form.ts';
export { registrationOptions, useOptions } from './library.ts';
