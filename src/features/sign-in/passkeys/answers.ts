import { firstFault, lenientObject, list, literal, matching, maybe, nullable, oneOf, text } from '#kernel/schema';
import { parseJson } from '#kernel/text';

/** Longest answer of an authenticator that is parsed, in characters. */
const MAX_ANSWER = 20_000;

const base64url = (max: number) => matching(/^[\w-]*$/, { max });
/** WebAuthn, 5.8.4; the browser's library leaves other transports out. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const common = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: literal('public-key'),
  authenticatorAttachment: maybe(nullable(text({ max: 50 }))),
};
const used = lenientObject({
  ...common,
  response: lenientObject({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: maybe(nullable(base64url(200))),
  }),
});
const made = lenientObject({
  ...common,
  response: lenientObject({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(MAX_ANSWER),
    transports: maybe(list(oneOf(...TRANSPORTS), { max: 10 })),
  }),
});

/** Parses a browser's answer about a passkey that was used; undefined if it is invalid. */
export function parseUse(sent: string) {
  const read = firstFault(used, 'passkey', parsed(sent));
  return 'value' in read ? read.value : undefined;
}

/** Parses a browser's answer about a passkey that was made; undefined if it is invalid. */
export function parseMade(sent: string) {
  const read = firstFault(made, 'passkey', parsed(sent));
  return 'value' in read ? read.value : undefined;
}

const parsed = (sent: string): unknown => (sent.length > MAX_ANSWER ? undefined : parseJson(sent));
