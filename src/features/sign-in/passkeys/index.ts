// Passkeys, by the WebAuthn library.
export { addPasskey, answeredBy, removePasskey } from './actions.ts';
export { newChallenge, type Use } from './challenge.ts';
export { passkeyForm, passkeyScript } from './form.ts';
export { registrationOptions, useOptions } from './library.ts';
export { relyingParty, type RelyingParty } from './relying-party.ts';
