/**
 * Resolves with exit code 0 at the first SIGINT, SIGTERM or SIGHUP, or when the parent process that opened an IPC channel
 * (bootstrap.mjs) exits.
 */
export const shutdownSignal = (): Promise<number> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(0);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    process.once('disconnect', stop);
    process.channel?.unref();
  });
