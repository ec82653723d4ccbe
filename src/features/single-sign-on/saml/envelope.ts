import { ProviderFault } from '../vouched.ts';
import { decoded, type Element, elementsOf, rootOf, invalid } from './strict.ts';

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Attributes of an answer's outermost element. */
interface Envelope {
  readonly destination: string | undefined;
  readonly requestId: string | undefined;
  /** The assertion, if it is encrypted. */
  readonly encrypted: string | undefined;
}

/** Parses an answer before anything is verified: it must report success and have exactly one assertion in its place. */
export function readEnvelope(response: string): Envelope {
  const elements = elementsOf(decoded(response));
  const { at, attributes } = rootOf(elements);
  if (at !== 'Response') throw invalid('root');
  const [status] = elements.filter((element) => nameOf(element) === 'StatusCode');
  if (status?.attributes['Value'] !== SUCCESS) throw new ProviderFault('refused', 'status');
  const assertions = elements.filter((element) => /^(?:Encrypted)?Assertion$/.test(nameOf(element)));
  const [assertion, ...others] = assertions;
  if (!assertion || others.length > 0 || !/^Response\/\w+$/.test(assertion.at)) throw invalid('assertions');
  return {
    destination: attributes['Destination'],
    requestId: attributes['InResponseTo'],
    encrypted: nameOf(assertion) === 'EncryptedAssertion' ? assertion.source : undefined,
  };
}

const nameOf = ({ at }: Element): string => at.slice(at.lastIndexOf('/') + 1);
