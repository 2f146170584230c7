// Keys in Redis. All keys for one user share a hash slot, so that one script can use all of them in a cluster.

/** Returns the key of a hash with the wrong results, the block, and one field for each running check. */
export const attemptsKey = (userId: number): string => `attempts:{${userId}}`;
/** Returns the key for the lowest PIN version whose step-up tokens are valid. */
export const minPinVersionKey = (userId: number): string => `min-pin-version:{${userId}}`;
/**
 * Returns the key for the state of one step-up token: `<PIN version>`, or `<PIN version>:<call that used it>` after the token was
 * spent.
 */
export const stepUpTokenKey = (userId: number, jti: string): string => `jti:{${userId}}:${jti}`;
