/** Returns how many writes wait for the next batch of the instance at `url`. */
export const waitingAt = (url: string): Promise<number> => valueOf(url, 'comanda_orders_waiting');
/** Returns how often the instance at `url` has failed to write a batch because another write came first. */
export const conflictsAt = (url: string): Promise<number> => valueOf(url, 'comanda_orders_batch_attempts_again_total');

async function valueOf(url: string, metric: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${metric}(?:\\{.*\\})? (\\d+)$`, 'm').exec(metrics)?.[1]);
}
