import { until } from './until.ts';

/** Waits until the service at `url` and everything that it needs are ready, for up to 60 seconds. */
export async function untilReady(url: string): Promise<void> {
  const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  await until(isReady, { what: `${url} to be ready`, timeoutMs: 60_000 });
}
