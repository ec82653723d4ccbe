import type { SamlProvider } from '#kernel/identity';
import { ProviderFault } from '../vouched.ts';
import { type Element, elementsOf, rootOf, invalid } from './strict.ts';
import { verified } from './verifying-thread.ts';

/** A provider's name for somebody (SAML core, 2.2.3). */
export interface NameId {
  readonly _: string;
  readonly $: {
    readonly Format?: string | undefined;
    readonly NameQualifier?: string | undefined;
    readonly SPNameQualifier?: string | undefined;
  };
}

/** Decrypts an element and parses its contents as strictly as unencrypted ones. */
export async function openedElements(
  { private_key: key }: Pick<SamlProvider, 'private_key'>,
  encrypted: string,
): Promise<readonly Element[]> {
  if (key === undefined) throw invalid('encryption');
  try {
    const { text = '' } = await verified({ kind: 'encrypted', message: encrypted, key });
    return elementsOf(text);
  } catch (error) {
    throw error instanceof ProviderFault ? error : invalid('encryption', error);
  }
}

/**
 * Throws if an element that no verified signature covers is encrypted in a mode without authentication (CBC). Whoever
 * may change such bytes and see, or measure, whether they decrypt to well-formed XML can read what is encrypted, byte by
 * byte (XML encryption, 6.1).
 */
export function assertAuthenticated(encrypted: string): void {
  if (elementsOf(encrypted).some(({ attributes }) => attributes['Algorithm']?.endsWith('-cbc') === true))
    throw invalid('encryption');
}

/** Decrypts the name in an `EncryptedID` that a signature covers (SAML core, 2.2.4). */
export async function openedNameId(provider: Pick<SamlProvider, 'private_key'>, encrypted: string): Promise<NameId> {
  const { at, text, attributes } = rootOf(await openedElements(provider, encrypted));
  if (at !== 'NameID') throw invalid('nobody');
  const { Format, NameQualifier, SPNameQualifier } = attributes;
  return { _: text, $: { Format, NameQualifier, SPNameQualifier } };
}
