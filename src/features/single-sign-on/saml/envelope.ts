import { ProviderFault } from '../vouched.ts';
import { decoded, type Element, elementsOf, rootOf, untrue } from './strict.ts';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** What the outermost element of an answer says. */
interface Envelope {
  readonly destination: string | undefined;
  readonly requestId: string | undefined;
  /** The assertion, where it is encrypted. */
  readonly encrypted: string | undefined;
}

/** Reads an answer before anything is verified: one that says it went well, with one assertion in its place. */
export function readEnvelope(response: string): Envelope {
  const elements = elementsOf(decoded(response));
  const { at, attributes } = rootOf(elements);
  if (at !== 'Response') throw untrue('root');
  const [status] = elements.filter((element) => nameOf(element) === 'StatusCode');
  if (status?.attributes['Value'] !== SUCCESS) throw new ProviderFault('refused', 'status');
  const assertions = elements.filter((element) => /^(?:Encrypted)?Assertion$/.test(nameOf(element)));
  const [assertion, ...others] = assertions;
  if (!assertion || others.length > 0 || !/^Response\/\w+$/.test(assertion.at)) throw untrue('assertions');
  return {
    destination: attributes['Destination'],
    requestId: attributes['InResponseTo'],
    encrypted: nameOf(assertion) === 'EncryptedAssertion' ? assertion.source : undefined,
  };
}

const nameOf = ({ at }: Element): string => at.slice(at.lastIndexOf('/') + 1);
