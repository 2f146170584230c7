/** Returns the id of the session that an access token belongs to, taken from the token's `jti`. */
export const sessionIdOf = (jti: string): string => jti.split('.')[0] ?? '';
