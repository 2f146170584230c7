const reasons = {
  SIGINT: 'Ctrl-C (SIGINT)',
  SIGTERM: 'asked to stop (SIGTERM)',
  SIGHUP: 'the terminal was closed (SIGHUP)',
};

/**
 * Resolves with exit code 0 at the first SIGINT, SIGTERM or SIGHUP, or when the parent process that opened an IPC channel
 * (bootstrap.mjs) exits. Calls `onShutdown` once, with the reason.
 */
export async function shutdownSignal(onShutdown: (why: string) => void = () => undefined): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const [signal, why] of Object.entries(reasons)) process.on(signal, () => resolve(why));
  process.once('disconnect', () => resolve('the process that started this one has ended'));
  process.channel?.unref();
  onShutdown(await promise);
  return 0;
}
