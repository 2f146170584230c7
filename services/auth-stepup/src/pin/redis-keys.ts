// Keys in Redis. One user's keys share a hash slot, so that one script can use them together in a cluster.

/** A hash: wrong results, the block, and one field for each running check. */
export const attemptsKey = (userId: number): string => `attempts:{${userId}}`;
/** The lowest PIN version whose step-up tokens are valid. */
export const minPinVersionKey = (userId: number): string => `min-pin-version:{${userId}}`;
/** The state of one step-up token: `<PIN version>`, and after its use `<PIN version>:<call that used it>`. */
export const stepUpTokenKey = (userId: number, jti: string): string => `jti:{${userId}}:${jti}`;
