// SAML 2.0, based on node-saml.
export { receiveAnswer, samlSignInUrl, takeAnswer } from './answers.ts';
export { samlMetadata, samlPeer } from './library.ts';
export { type LogoutProvider, logsOut, receiveLogout, receiveSoapLogout, signOut } from './logout.ts';
export type { Outgoing } from './outgoing.ts';
