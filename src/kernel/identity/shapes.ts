import {
  bool,
  boundedDict,
  list,
  literal,
  matching,
  maybe,
  object,
  oneOf,
  refined,
  type SchemaOf,
  strictObject,
  text,
} from '#kernel/schema';

const short = () => text({ min: 1, max: 200 });
const secret = () => text({ min: 1, max: 4000 });

/** An https address, or an http address of this machine, where the connection cannot be intercepted. */
const address = () =>
  refined(text({ max: 2000 }), isSafeAddress, 'must begin with https:// (http:// only for this machine)');

/** Whether nobody between here and an address reads along. */
export function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/** Fields of every provider. */
const provider = {
  /** Part of callback addresses; must never change, because providers store these. */
  id: matching(/^[a-z0-9][a-z0-9-]*$/, { max: 32 }),
  /** Text of its button. */
  name: short(),
  /** Picture on its button. */
  icon: maybe(address()),
  /** Subdomains of the organizations that may use it (empty: the root domain); all if absent. */
  organizations: maybe(list(text({ max: 63 }), { max: 1000 })),
  /** Whether people without an account may sign up, by the organization's rules; default true. */
  sign_up: maybe(bool()),
  /** Whether Roost asks for its own second factor, too; default false. */
  second_factor: maybe(bool()),
};

/** Fields of OAuth providers. */
const common = {
  ...provider,
  client_id: short(),
  client_secret: maybe(secret()),
};

/** Roles that a provider's groups may give. Only people make owners. */
export const MAPPED_ROLES = ['administrator', 'moderator', 'member', 'guest'] as const;
export type MappedRole = (typeof MAPPED_ROLES)[number];

/** Groups of the provider by the role they give; the first role with a matching group counts. */
const roles = object({
  administrator: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  moderator: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  member: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  guest: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
});

/** Groups of the provider by the user group whose members they become. */
const groups = boundedDict(list(text({ min: 1, max: 500 }), { min: 1, max: 100 }), { max: 200, key: 100 });

const openid = object({
  kind: literal('openid'),
  ...common,
  issuer: address(),
  /** How the client secret is sent if the provider accepts only one way: in a header or in the form. */
  client_authentication: maybe(oneOf('basic', 'post')),
  scopes: maybe(list(matching(/^[!#-[\]-~]+$/, { max: 100 }), { max: 20 })),
  /** Whether each address counts as verified, even without `email_verified`. */
  emails_verified: maybe(bool()),
  /** Names of claims, if they are not the standard ones. */
  claims: maybe(
    object({
      name: maybe(short()),
      email: maybe(short()),
      email_verified: maybe(short()),
      groups: maybe(short()),
      picture: maybe(short()),
    }),
  ),
  roles: maybe(roles),
  groups: maybe(groups),
  /** Whether people get the provider's picture; default true. */
  pictures: maybe(bool()),
});
export type OpenidProvider = SchemaOf<typeof openid>;

const github = object({
  kind: literal('github'),
  ...common,
  /** Address of a GitHub Enterprise server. */
  url: maybe(address()),
});
export type GithubProvider = SchemaOf<typeof github>;

/** Keys and certificates, in PEM. */
const pem = (what: string) => matching(new RegExp(`^\\s*-----BEGIN (?:[A-Z]+ )?${what}-----`), { max: 20_000 });
const attributeNames = () => maybe(text({ min: 1, max: 500 }));

const saml = object({
  kind: literal('saml'),
  ...provider,
  /** The provider's entity ID. */
  issuer: text({ min: 1, max: 1000 }),
  /** Address for sign-in requests (HTTP-Redirect). */
  sign_in_url: address(),
  /** Address for log-out requests and replies; if absent, the provider is not told of log-outs. */
  sign_out_url: maybe(address()),
  /** Binding of messages to that address: HTTP-Redirect (the default) or HTTP-POST. */
  sign_out_binding: maybe(oneOf('redirect', 'post')),
  /** The provider's signing certificates; two while it changes from one to the other. */
  certificates: list(pem('CERTIFICATE'), { min: 1, max: 5 }),
  /** What the provider signs; by default each assertion. */
  signs: maybe(oneOf('assertions', 'responses', 'both')),
  /** This server's key and certificate: sign requests, and decrypt assertions. */
  private_key: maybe(pem('PRIVATE KEY')),
  certificate: maybe(pem('CERTIFICATE')),
  /** Whether each address counts as verified. */
  emails_verified: maybe(bool()),
  /** Names of attributes, if they are not standard ones. `id` replaces the NameID. */
  attributes: maybe(
    object({
      id: attributeNames(),
      name: attributeNames(),
      email: attributeNames(),
      groups: attributeNames(),
      picture: attributeNames(),
    }),
  ),
  roles: maybe(roles),
  groups: maybe(groups),
  /** Whether people get the picture at the address in the attribute; default true. */
  pictures: maybe(bool()),
});
export type SamlProvider = SchemaOf<typeof saml>;

export type Provider = OpenidProvider | GithubProvider | SamlProvider;

/** A proxy that authenticates people and sends their name in a header. */
const proxy = object({
  header: matching(/^[A-Za-z][A-Za-z0-9-]*$/, { max: 100 }),
  /** Appended to names that are not email addresses. */
  email_domain: maybe(short()),
  sign_up: maybe(bool()),
  name: maybe(short()),
});
export type ProxySignIn = SchemaOf<typeof proxy>;

/** Keys of JWT issuers, by the organization's subdomain. */
const jwt = boundedDict(
  object({ algorithm: oneOf('HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'), key: text({ min: 32, max: 8000 }) }),
  { max: 1000, key: 63 },
);
export type JwtKeys = SchemaOf<typeof jwt>;

/** Name of a directory attribute, or its OID (RFC 4512, section 2.5). */
const attribute = () => matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, { max: 100 });
const dn = () => text({ min: 1, max: 1000 });

/** An LDAP directory or Active Directory with an organization's people. */
const ldap = strictObject({
  /** `ldaps://host[:port]`, or `ldap://` with `start_tls`. */
  url: matching(/^ldaps?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?\/?$/, { max: 300 }),
  /** Whether the connection is encrypted by StartTLS; default false. */
  start_tls: maybe(bool()),
  /**
   * PEM certificate of the authority that signed the directory's certificate; by default the well-known authorities.
   */
  authority: maybe(text({ min: 1, max: 100_000 })),
  /** Account for searching; if absent, an anonymous bind, or with `direct` the person's own. */
  bind_dn: maybe(dn()),
  bind_password: maybe(secret()),
  /** How people bind with their own name, before anything is searched. */
  direct: maybe(
    object({
      /** Attribute of entries directly below `base`, as in `uid=nora,ou=people,…`. */
      attribute: maybe(attribute()),
      /** Domain that Active Directory appends to names, as in `nora@corp.example`. */
      domain: maybe(short()),
    }),
  ),
  /** Entry below which people are searched. */
  base: dn(),
  /** Filter for people of the organization; all others count as deleted. */
  people: maybe(text({ min: 3, max: 2000 })),
  /** Attributes that the entered name is compared with; by default `mail`. */
  login: maybe(list(attribute(), { min: 1, max: 5 })),
  attributes: maybe(
    object({
      id: maybe(attribute()),
      name: maybe(attribute()),
      email: maybe(attribute()),
      picture: maybe(attribute()),
      groups: maybe(attribute()),
    }),
  ),
  sign_up: maybe(bool()),
  roles: maybe(roles),
  groups: maybe(groups),
});
export type LdapDirectory = SchemaOf<typeof ldap>;

/** The file without the details of providers, which are checked by kind. */
export const shapeOfFile = strictObject({
  providers: maybe(list(object({ kind: oneOf('openid', 'github', 'saml') }).loose(), { max: 100 })),
  proxy: maybe(proxy),
  jwt: maybe(jwt),
  /** By the subdomain of the organization. */
  ldap: maybe(boundedDict(ldap, { max: 1000, key: 63 })),
});

export const shapeOfProvider = { openid, github, saml } as const;
