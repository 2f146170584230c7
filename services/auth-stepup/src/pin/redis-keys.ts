// Keys in Redis. Those of one user share a hash slot, so that one script can use them together in a cluster.

/** Hash: wrong results, the block, and one field for each running check. */
export const attemptsKey = (userId: number): string => `attempts:{${userId}}`;
/** Step-up tokens of a lower PIN version are void. */
export const minPinVersionKey = (userId: number): string => `min-pin-version:{${userId}}`;
/** State of one step-up token: `<PIN version>`, and after its use `<PIN version>:<call that used it>`. */
export const stepUpTokenKey = (userId: number, jti: string): string => `jti:{${userId}}:${jti}`;
