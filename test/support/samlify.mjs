// Plain JavaScript with types of our own beside it: those of the package bring the types of browsers into the whole project.
export { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify';
