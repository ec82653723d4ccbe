import { anyone, endpoint, raw } from '#kernel/endpoint';
import { UnknownHost } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { isAdministrator } from '#kernel/permissions';
import { bool, dict, idOf, int, list, maybe, nullable, object, str, text } from '#kernel/schema';
import { realmIcon } from '#features/pages';
import { readRealm, settingsOf } from '#features/realms';
import { FEATURE_LEVEL, ROOST_VERSION, VERSION } from '#features/server-version';
import { listUsers } from '#features/users';
import * as errors from './errors.ts';
import { directoryOf, externalMethods, isMethodOn, providersOf } from './methods.ts';
import { nextStep } from './factors/index.ts';
import { assertDevelopment, credentialsOf, recordKeyGiven, signInForDevelopment, signInForKey } from './sign-in.ts';
import { signedInAnew } from './browser-session.ts';
import { isTooOld } from './compatibility.ts';
import { descriptionOf } from './description.ts';

const credentials = { api_key: str(), email: str(), user_id: idOf<UserId>() };

const fetchApiKey = endpoint({
  id: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  source: 'protocol/authentication#sign-in',
  doc: 'Returns the API key of an account for its email address and password, or the key that belongs to an app password.',
  who: anyone,
  params: {
    username: raw(text(), 'Address of the account, or its name in the directory.'),
    password: raw(text({ max: 1000, nul: 'allowed' })),
  },
  returns: credentials,
  fails: [
    errors.EmailInvalid,
    errors.AuthenticationFailed,
    errors.PasswordAuthDisabled,
    errors.SecondFactorNeeded,
    errors.DirectoryAway,
    errors.NotAdmitted,
    UnknownHost,
  ],
  async run({ realm, params, context, request }) {
    const { client, address } = request;
    if (!realm) throw UnknownHost();
    const { user, appKey } = await signInForKey({ context, realm, address }, params);
    // An app password was made with all factors; a password alone gives no key if the account asks for more.
    if (appKey === undefined && (await context.store.in(realm).query((tx) => nextStep(tx, user))) !== 'in')
      throw errors.SecondFactorNeeded();
    const news = { userId: user.id, client, address };
    await context.store.of(user.realm_id).write(async (tx) => {
      recordKeyGiven(tx, user);
      await signedInAnew.send(tx, news, context);
    });
    const credentials = credentialsOf(context, user);
    return appKey === undefined ? credentials : { ...credentials, api_key: appKey };
  },
});

const devFetchApiKey = endpoint({
  id: 'dev-fetch-api-key',
  method: 'POST',
  path: '/dev_fetch_api_key',
  source: 'protocol/authentication#development',
  doc: 'The API key of any person, in development mode only.',
  who: anyone,
  params: { username: raw(text(), 'Address of the account.') },
  returns: credentials,
  fails: [
    errors.EmailInvalid,
    errors.AuthenticationFailed,
    errors.NotInProduction,
    errors.DevAuthDisabled,
    UnknownHost,
  ],
  async run({ realm, params, context, request }) {
    const user = await signInForDevelopment({ context, realm, address: request.address }, params.username);
    await context.store.of(user.realm_id).write(async (tx) => recordKeyGiven(tx, user));
    return credentialsOf(context, user);
  },
});

const listed = list(object({ email: str(), realm_url: str() }));

const devListUsers = endpoint({
  id: 'dev-list-users',
  method: 'GET',
  path: '/dev_list_users',
  source: 'protocol/authentication#development',
  doc: 'The accounts for which `POST /dev_fetch_api_key` gives a key, in development mode only.',
  who: anyone,
  params: {},
  returns: { direct_admins: listed, direct_users: listed },
  fails: [errors.NotInProduction, errors.DevAuthDisabled],
  async run({ realm, context }) {
    await assertDevelopment(context, realm);
    const rows = realm ? await context.store.in(realm).query((tx) => listUsers(tx)) : [];
    const people = rows.filter((row) => row.is_active && !row.is_bot);
    const toEntry = (row: (typeof rows)[number]) => ({
      email: row.email,
      realm_url: realm ? realm.url : '',
    });
    return {
      direct_admins: people.filter(isAdministrator).map(toEntry),
      direct_users: people.filter((row) => !isAdministrator(row)).map(toEntry),
    };
  },
});

const METHODS = [
  'password',
  'dev',
  'email',
  'ldap',
  'remoteuser',
  'github',
  'azuread',
  'gitlab',
  'google',
  'apple',
  'saml',
  'openid connect',
  'discord',
];

const serverSettings = endpoint({
  id: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  source: 'protocol/authentication#server-settings',
  doc: "What a client must know before a log-in: ways to log in, versions, and the organization's name and icon.",
  who: anyone,
  params: {},
  returns: {
    authentication_methods: dict(bool()),
    external_authentication_methods: list(
      object({ name: str(), display_name: str(), display_icon: nullable(str()), login_url: str(), signup_url: str() }),
    ),
    zulip_version: str(),
    zulip_merge_base: str(),
    zulip_feature_level: int(),
    roost_version: str(),
    push_notifications_enabled: bool(),
    is_incompatible: bool(),
    email_auth_enabled: bool(),
    require_email_format_usernames: bool(),
    realm_url: maybe(str()),
    realm_uri: maybe(str()),
    realm_name: maybe(str()),
    realm_icon: maybe(str()),
    realm_description: maybe(str()),
    realm_web_public_access_enabled: maybe(bool()),
  },
  async run({ realm, context, request }) {
    const settings = realm && settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
    const email = settings ? isMethodOn(settings, 'Email') : true;
    const external = realm && settings ? externalMethods(context, realm, settings) : [];
    const kinds = new Set(realm && settings ? providersOf(context, realm, settings).map(({ kind }) => kind) : []);
    const directory = realm && settings && directoryOf(context, realm, settings);
    const dev = context.server.mode === 'development' && (settings?.authentication_methods['Dev'] ?? true);
    return {
      authentication_methods: {
        ...Object.fromEntries(METHODS.map((name) => [name, false])),
        password: email || directory !== undefined,
        email,
        ldap: directory !== undefined,
        dev,
        github: kinds.has('github'),
        saml: kinds.has('saml'),
        'openid connect': kinds.has('openid'),
        remoteuser: external.some(({ name }) => name === 'remoteuser'),
      },
      external_authentication_methods: external,
      zulip_version: VERSION,
      zulip_merge_base: VERSION,
      zulip_feature_level: FEATURE_LEVEL,
      roost_version: ROOST_VERSION,
      push_notifications_enabled: context.pushGateway !== undefined,
      is_incompatible: isTooOld(request),
      email_auth_enabled: email,
      require_email_format_usernames: directory?.hasNames !== true,
      ...(realm &&
        settings && {
          realm_url: realm.url,
          realm_uri: realm.url,
          realm_name: realm.name,
          realm_icon: realmIcon(settings.icon_version),
          realm_description: await descriptionOf(context, realm),
          realm_web_public_access_enabled: settings.enable_spectator_access && context.server.webPublicChannels,
        }),
    };
  },
});

const checkCompatibility = endpoint({
  id: 'check-compatibility',
  method: 'GET',
  path: '/compatibility',
  source: 'protocol/authentication#compatibility',
  doc: 'Tells a client by its User-Agent header whether it is too old for this server.',
  who: anyone,
  params: {},
  returns: {},
  fails: [errors.AgentMissing, errors.ClientTooOld],
  run({ request }) {
    if (request.userAgent === '') throw errors.AgentMissing();
    if (isTooOld(request)) throw errors.ClientTooOld();
    return Promise.resolve({});
  },
});

export const signInEndpoints = [fetchApiKey, devFetchApiKey, devListUsers, serverSettings, checkCompatibility];
