// Plain JavaScript with types of our own beside it: the package has none.
export { Provider } from 'oidc-provider';
