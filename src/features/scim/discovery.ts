import { GROUP_SCHEMA, USER_SCHEMA } from './resource.ts';

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/** The features of this interface (RFC 7643, section 5). */
export function serviceProviderConfig(base: string) {
  return {
    schemas: [CONFIG],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token of the organization',
        description: 'Made by the operator: roost scim add-token',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(base: string) {
  const type = (name: 'User' | 'Group', schema: string) => ({
    schemas: [TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  });
  return [type('User', USER_SCHEMA), type('Group', GROUP_SCHEMA)];
}

type Options = Readonly<Record<string, unknown>>;

const attribute = (name: string, options: Options = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
});

const USER = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('displayName'),
  attribute('name', {
    type: 'complex',
    subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
  }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    subAttributes: [attribute('value'), attribute('type'), attribute('primary', { type: 'boolean' })],
  }),
  attribute('active', { type: 'boolean' }),
  attribute('roles', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { canonicalValues: ['administrator', 'moderator', 'member', 'guest'] }),
      attribute('primary', { type: 'boolean' }),
    ],
  }),
  attribute('externalId', { caseExact: true }),
  attribute('timezone', { mutability: 'readOnly' }),
];

const GROUP = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  attribute('externalId', { caseExact: true }),
  attribute('members', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', { mutability: 'immutable', caseExact: true }),
      attribute('display', { mutability: 'readOnly' }),
      attribute('type', { mutability: 'immutable', canonicalValues: ['User'] }),
      attribute('$ref', { type: 'reference', referenceTypes: ['User'], mutability: 'immutable' }),
    ],
  }),
];

/** The attributes of resources (RFC 7643, section 7). */
export function schemas(base: string) {
  const schema = (id: string, name: string, attributes: readonly unknown[]) => ({
    schemas: [SCHEMA],
    id,
    name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  return [schema(USER_SCHEMA, 'User', USER), schema(GROUP_SCHEMA, 'Group', GROUP)];
}
