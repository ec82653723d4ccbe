import type { Defence } from './list.ts';

const PASSKEYS = 'src/features/sign-in/passkeys/passkeys.test.ts';
const SAML = 'src/features/single-sign-on/saml/saml.test.ts';
const ANSWERS = 'src/features/single-sign-on/saml/answers.ts';
const ASSERTION = 'src/features/single-sign-on/saml/assertion.ts';

/** What passkeys and SAML are held to. */
export const SIGNING_IN: readonly Defence[] = [
  {
    keeps: 'the answer of a passkey from counting twice',
    file: 'src/features/sign-in/passkeys/actions.ts',
    from: `if (!(await spendChallenge(tx, challenge))) return 'used before';`,
    to: ``,
    test: PASSKEYS,
    named: 'of one that does not count its uses',
  },
  {
    keeps: 'a challenge from being answered in another browser',
    file: 'src/features/sign-in/passkeys/challenge.ts',
    from: `value.browser === formToken(request) && `,
    to: ``,
    test: PASSKEYS,
    named: 'twice, after five minutes',
  },
  {
    keeps: 'a found security key from standing in for a password',
    file: 'src/features/sign-in/passkeys/library.ts',
    from: `requireUserVerification: standsInForPassword`,
    to: `requireUserVerification: false`,
    test: PASSKEYS,
    named: 'without a finger, face or PIN',
  },
  {
    keeps: "somebody's passkey from being the second factor of another",
    file: 'src/features/sign-in/passkeys/actions.ts',
    from: `if (!found || (owner && owner.id !== found.user.id))`,
    to: `if (!found)`,
    test: PASSKEYS,
    named: 'as the second factor of somebody else',
  },
  {
    keeps: 'parsers from disagreeing about names',
    file: 'src/features/single-sign-on/saml/strict.ts',
    from: `throw untrue('markup');`,
    to: `void 0;`,
    test: SAML,
    named: 'with a comment inside a name',
  },
  {
    keeps: 'thousands of assertions within one another from keeping everybody waiting',
    file: 'src/features/single-sign-on/saml/strict.ts',
    from: `if (open.length > MAX_DEPTH) throw untrue('depth');`,
    to: ``,
    test: 'src/features/single-sign-on/saml/envelope.test.ts',
    named: 'refuses thousands of elements',
  },
  {
    keeps: 'an assertion from counting twice',
    file: ANSWERS,
    from: `if (!(await spend(tx, \`saml \${said.id}\`, REMEMBERED_SECONDS)))`,
    to: `if (said.id === '')`,
    test: SAML,
    named: 'counts once, whoever brings it',
  },
  {
    keeps: 'another browser from being signed in as somebody else',
    file: ANSWERS,
    from: ` || row.request_id !== requestIdOf(secrets)`,
    to: ``,
    test: SAML,
    named: 'is for the browser that asked',
  },
  {
    keeps: 'assertions for another recipient out',
    file: ASSERTION,
    from: `if (Recipient !== answer) throw untrue('recipient');`,
    to: ``,
    test: SAML,
    named: 'for another recipient',
  },
  {
    keeps: 'assertions of another issuer out',
    file: ASSERTION,
    from: `if (issuer !== peer.provider.issuer) throw untrue('issuer');`,
    to: ``,
    test: SAML,
    named: 'of another issuer',
  },
  {
    keeps: 'a name from standing beside one that is encrypted',
    file: 'src/features/single-sign-on/saml/library.ts',
    from: `if (others.length > 0 || elements.some(({ at }) => at === 'Assertion/Subject/NameID')) throw untrue('nobody');`,
    to: ``,
    test: SAML,
    named: 'with an open name beside the one that is encrypted',
  },
  {
    keeps: 'what is inside an encrypted assertion from being looked at less strictly',
    file: 'src/features/single-sign-on/saml/library.ts',
    from: `if (encrypted !== undefined && rootOf`,
    to: `if (encrypted === '' && rootOf`,
    test: SAML,
    named: 'with a comment inside an encrypted assertion',
  },
  {
    keeps: 'the last owner with a way in from giving it up',
    file: 'src/features/sign-in/owners.ts',
    from: `if (gotIn && !(await ownersGetIn(context, tx, settings))) throw OwnersLockedOut();`,
    to: ``,
    test: 'src/features/single-sign-on/last-way-in.test.ts',
    named: 'is kept where there is one owner',
  },
];
