/**
 * Resolves with 0 (somebody asked for the end, and that is no failure) at the first signal that asks for it, or when the
 * process that started this one over an IPC channel, as bootstrap.mjs does, is gone.
 */
export const interruption = (): Promise<number> =>
  new Promise((resolve) => {
    const end = (): void => resolve(0);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
    process.once('disconnect', end);
    process.channel?.unref();
  });
