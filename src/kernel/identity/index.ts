export { type IdentityFile, noIdentity, readIdentity } from './file.ts';
export {
  type GithubProvider,
  isSafeAddress,
  type LdapDirectory,
  type MappedRole,
  MAPPED_ROLES,
  type OpenidProvider,
  type Provider,
  type ProxySignIn,
  type SamlProvider,
} from './shapes.ts';
