/** How often a Sentinel may be silent before the next one is asked, in milliseconds. */
const sentinelTimeoutMs = 500;

/**
 * Where Redis is, from `redis://…` or `rediss://…`, or from `redis+sentinel://:password@host:port,host:port/name`: then the
 * Sentinels are asked for the primary `name`, and a primary that they have replaced is left at once.
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
