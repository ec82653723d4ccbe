// Plain JavaScript with types of our own beside it: those of the package bring the types of browsers into the whole project.

/** Loaded with the first sign-in by SAML. */
export const loadNodeSaml = () => import('@node-saml/node-saml');
