import type { SamlProvider } from '#kernel/identity';
import { loadXmlEncryption } from './node-saml.mjs';
import { type Element, elementsOf, rootOf, untrue } from './strict.ts';

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
  if (key === undefined) throw untrue('encryption');
  const library = await loadXmlEncryption();
  const xml = await new Promise<string>((resolve, reject) => {
    library.decrypt(encrypted, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, text) => {
      if (error) reject(untrue('encryption', error));
      else resolve(text);
    });
  });
  return elementsOf(xml);
}

/** Decrypts the name in an `EncryptedID` that a signature covers (SAML core, 2.2.4). */
export async function openedNameId(provider: Pick<SamlProvider, 'private_key'>, encrypted: string): Promise<NameId> {
  const { at, text, attributes } = rootOf(await openedElements(provider, encrypted));
  if (at !== 'NameID') throw untrue('nobody');
  const { Format, NameQualifier, SPNameQualifier } = attributes;
  return { _: text, $: { Format, NameQualifier, SPNameQualifier } };
}
