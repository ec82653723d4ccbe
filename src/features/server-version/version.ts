/** Feature level of the API. See protocol/wire#versions. */
export const FEATURE_LEVEL = 491;
/** Version that clients of this API compare. See protocol/wire#versions. */
export const VERSION = '12.0';
/** Roost's own version. */
export const ROOST_VERSION = '0.1.0';
