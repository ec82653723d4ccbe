import { firstFault, lenientObject, list, literal, matching, maybe, nullable, oneOf, text } from '#kernel/schema';

/** Longest answer of an authenticator that is looked at, in characters. */
const MAX_ANSWER = 20_000;

const base64url = (max: number) => matching(/^[\w-]*$/, { max });
/** WebAuthn, 5.8.4; what is not among them is left out by the browser's library. */
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

/** What a browser says of a passkey that was used; undefined for anything else. */
export function parseUse(sent: string) {
  const read = firstFault(used, 'passkey', parsed(sent));
  return 'value' in read ? read.value : undefined;
}

/** What a browser says of a passkey that was made; undefined for anything else. */
export function parseMade(sent: string) {
  const read = firstFault(made, 'passkey', parsed(sent));
  return 'value' in read ? read.value : undefined;
}

function parsed(sent: string): unknown {
  if (sent.length > MAX_ANSWER) return undefined;
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
}
