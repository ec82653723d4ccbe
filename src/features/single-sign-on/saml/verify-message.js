// @ts-check
// Verifies and decrypts SAML messages by the libraries.
import { loadNodeSaml, loadXmlEncryption } from './node-saml.mjs';

/**
 * Verifies or decrypts a message; throws the library's error where it is not as it should be.
 * @param {import('./verifying-thread.ts').Task} task
 * @returns {Promise<import('./verifying-thread.ts').Verified>}
 */
export async function verified(task) {
  if (task.kind === 'encrypted') return { text: await decrypted(task) };
  const { SAML } = await loadNodeSaml();
  const saml = new SAML(task.options);
  if (task.kind === 'SAMLRequest') await saml.validatePostRequestAsync({ SAMLRequest: task.message });
  else if (task.kind === 'query') await saml.validateRedirectAsync(task.values, task.covered);
  else {
    const { profile, loggedOut } = await saml.validatePostResponseAsync({ SAMLResponse: task.message });
    return { assertion: profile?.getAssertion?.(), text: profile?.getAssertionXml?.(), loggedOut };
  }
  return {};
}

/**
 * @param {import('./verifying-thread.ts').Encrypted} task
 * @returns {Promise<string>}
 */
async function decrypted({ message, key }) {
  const library = await loadXmlEncryption();
  return new Promise((resolve, reject) => {
    library.decrypt(message, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, text) => {
      if (error) reject(error);
      else resolve(text);
    });
  });
}
