// Devices of older apps, registered by a plain token.
export { addToken, endTokensOfKey, forgetTokensLater, forwardTokenJob, removeToken } from './actions.ts';
export { deleteTokens, deleteTokensById, listTokens } from './queries.ts';
export { sendOpenParcels, sendToOlder } from './send.ts';
export { identityOf, KIND_NUMBER, toSentToken } from './token.ts';
