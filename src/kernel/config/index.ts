export { dataPaths } from './data-paths.ts';
export { bareEnvironment } from './environment.ts';
export { type Checks, type Config, ConfigError, readConfig } from './read.ts';
export { VARIABLES, type Variable } from './variables.ts';
