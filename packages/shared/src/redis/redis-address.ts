/** How long a Sentinel may be silent before the next one is tried, in milliseconds. */
const sentinelTimeoutMs = 500;

/**
 * Parses the address of Redis. `redis://…` or `rediss://…` is a server. With
 * `redis+sentinel://:password@host:port,host:port/name`, the Sentinels are asked for the primary `name`, and the connection
 * leaves a replaced primary immediately.
 */
export function redisAddress(url: string) {
  const found = /^redis\+sentinel:\/\/(?:([^:@/]*):([^@/]*)@)?([^/]+)\/([^/?]+)$/.exec(url);
  if (!found) return { url };
  const [, username, password, hosts = '', name = ''] = found;
  return {
    sentinels: {
      sentinels: hosts.split(',').map((host) => {
        const { hostname, port } = new URL(`redis://${host}`);
        return { host: hostname, port: Number(port || 26379) };
      }),
      name,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password !== undefined && { password: decodeURIComponent(password) }),
      sentinelCommandTimeout: sentinelTimeoutMs,
      sentinelRetryStrategy: (attempt: number) => Math.min(1_000, 50 * attempt),
      failoverDetector: true,
      disconnectTimeout: 100,
    },
  };
}
