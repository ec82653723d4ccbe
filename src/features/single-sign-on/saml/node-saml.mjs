// Plain JavaScript with types of our own beside it: those of the packages bring the types of browsers into the whole project.
/** Loaded with the first sign-in by SAML. */
export const loadNodeSaml = () => import('@node-saml/node-saml');

/** Loaded with the first thing that is encrypted for us. */
export const loadXmlEncryption = async () => (await import('xml-encryption')).default;

/** Loaded with the first message that is signed inside. */
export const loadXmlCrypto = () => import('xml-crypto');
