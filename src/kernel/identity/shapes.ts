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

/** An address that is encrypted, or of this machine, where nobody listens in between. */
const address = () =>
  refined(text({ max: 2000 }), isSafeAddress, 'must begin with https:// (http:// only for this machine)');

function isSafeAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/** What every provider has. */
const provider = {
  /** Part of addresses; never changes, because the provider knows the address it answers to. */
  id: matching(/^[a-z0-9][a-z0-9-]*$/, { max: 32 }),
  /** What the button says. */
  name: short(),
  /** Picture of the button. */
  icon: maybe(address()),
  /** Labels of the organizations that it is for (empty: the root domain); absent: all. */
  organizations: maybe(list(text({ max: 63 }), { max: 1000 })),
  /** Whether people without an account may get one, by the organization's rules; default true. */
  sign_up: maybe(bool()),
  /** Whether Roost asks for its own second factor as well; default false. */
  second_factor: maybe(bool()),
};

/** What providers have where we are a client of theirs. */
const common = {
  ...provider,
  client_id: short(),
  client_secret: maybe(secret()),
};

/** Names of roles that groups of a provider may give; owners are named by people only. */
export const MAPPED_ROLES = ['administrator', 'moderator', 'member', 'guest'] as const;
export type MappedRole = (typeof MAPPED_ROLES)[number];

/** Groups of another server that give a role; the first role that fits counts. */
const roles = object({
  administrator: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  moderator: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  member: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
  guest: maybe(list(text({ min: 1, max: 500 }), { max: 100 })),
});

/** Groups of another server whose people are in a user group here, by that group's name. */
const groups = boundedDict(list(text({ min: 1, max: 500 }), { min: 1, max: 100 }), { max: 200, key: 100 });

const openid = object({
  kind: literal('openid'),
  ...common,
  issuer: address(),
  /** How the secret is sent, where the provider holds us to one way: in a header or in the form. */
  client_authentication: maybe(oneOf('basic', 'post')),
  scopes: maybe(list(matching(/^[!#-[\]-~]+$/, { max: 100 }), { max: 20 })),
  /** Whether each address that it names is verified, though it does not say so. */
  emails_verified: maybe(bool()),
  /** Names of claims, where they are not the usual ones. */
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
  /** Whether people get the picture that the provider names; default true. */
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
  /** What the provider calls itself (its entity ID). */
  issuer: text({ min: 1, max: 1000 }),
  /** Where people sign in (HTTP-Redirect). */
  sign_in_url: address(),
  /** Where people log out, and answers to its own requests go; absent: logging out here is not told there. */
  sign_out_url: maybe(address()),
  /** How messages go there: by an address (HTTP-Redirect; the default), or by a form (HTTP-POST). */
  sign_out_binding: maybe(oneOf('redirect', 'post')),
  /** The certificates that it signs with; two while it changes from one to the other. */
  certificates: list(pem('CERTIFICATE'), { min: 1, max: 5 }),
  /** What the provider signs; default: each assertion. */
  signs: maybe(oneOf('assertions', 'responses', 'both')),
  /** Our own key, with its certificate: signs requests, and opens what is encrypted for us. */
  private_key: maybe(pem('PRIVATE KEY')),
  certificate: maybe(pem('CERTIFICATE')),
  /** Whether each address that it names is the person's own. */
  emails_verified: maybe(bool()),
  /** Names of attributes, where they are not among the usual ones. `id` takes the place of the NameID. */
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
  /** Whether people get the picture whose address it names; default true. */
  pictures: maybe(bool()),
});
export type SamlProvider = SchemaOf<typeof saml>;

export type Provider = OpenidProvider | GithubProvider | SamlProvider;

/** A proxy that signs people in and names them in a header. */
const proxy = object({
  header: matching(/^[A-Za-z][A-Za-z0-9-]*$/, { max: 100 }),
  /** Added to names that are no addresses. */
  email_domain: maybe(short()),
  sign_up: maybe(bool()),
  name: maybe(short()),
});
export type ProxySignIn = SchemaOf<typeof proxy>;

/** The signers of tokens for an organization, by label. */
const jwt = boundedDict(
  object({ algorithm: oneOf('HS256', 'HS384', 'HS512', 'RS256', 'ES256', 'EdDSA'), key: text({ min: 32, max: 8000 }) }),
  { max: 1000, key: 63 },
);
export type JwtKeys = SchemaOf<typeof jwt>;

/** Name of an attribute of a directory, or its number (RFC 4512, section 2.5). */
const attribute = () => matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$/, { max: 100 });
const dn = () => text({ min: 1, max: 1000 });

/** An LDAP directory or Active Directory that knows an organization's people. */
const ldap = strictObject({
  /** `ldaps://host[:port]`, or `ldap://` with `start_tls`. */
  url: matching(/^ldaps?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?\/?$/, { max: 300 }),
  /** Whether the connection is encrypted by StartTLS; default false. */
  start_tls: maybe(bool()),
  /** Certificate in PEM of the authority that the directory's certificate is from; default: the well-known ones. */
  authority: maybe(text({ min: 1, max: 100_000 })),
  /** Who searches; absent: nobody in particular, or the person themselves with `direct`. */
  bind_dn: maybe(dn()),
  bind_password: maybe(secret()),
  /** People log in at the directory under this name, before anything is searched. */
  direct: maybe(
    object({
      /** Attribute that names entries right below `base`, as in `uid=nora,ou=people,…`. */
      attribute: maybe(attribute()),
      /** What Active Directory adds to names, as in `nora@corp.example`. */
      domain: maybe(short()),
    }),
  ),
  /** Below which entry people are. */
  base: dn(),
  /** Which entries are people who belong here; the others are like deleted ones. */
  people: maybe(text({ min: 3, max: 2000 })),
  /** Attributes one of which is what people type; default `mail`. */
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

/** The file's one object without the providers, each of which is checked by its kind. */
export const shapeOfFile = strictObject({
  providers: maybe(list(object({ kind: oneOf('openid', 'github', 'saml') }).loose(), { max: 100 })),
  proxy: maybe(proxy),
  jwt: maybe(jwt),
  /** By the label of the organization. */
  ldap: maybe(boundedDict(ldap, { max: 1000, key: 63 })),
});

export const shapeOfProvider = { openid, github, saml } as const;
