// Plain JavaScript with types of our own beside it: those of the package bring the types of browsers into the whole project.
import xmlEncryption from 'xml-encryption';

export { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify';
export const { encrypt } = xmlEncryption;
