import { created, type Call } from '@comanda/testing/call';
import { pin } from '@comanda/testing/step-up-calls';

type Day = { number: number; previous_hash: string };

/** Counts each cash drawer, so that a manager can close the running day. */
async function dayToClose(manager: Call): Promise<Day> {
  const { number, previous_hash, cash_drawers: drawers } = (await manager('GET', '/day')).body;
  for (const { name, moved } of drawers)
    if (moved) created(await manager('POST', `/cash-drawers/${name}/counts`, { body: { counted: '0' } }));
  return { number, previous_hash };
}

/** Closes the running day as a manager with a PIN. */
async function closeDay(manager: Call): Promise<Day> {
  const day = await dayToClose(manager);
  const details = [{ type: 'day_close', ...day }];
  const request = { endpoint_key: 'day.close', transaction_password: pin, authorization_details: details };
  const { step_up_token: token } = created(await manager('POST', '/security/step-up', { body: request }));
  const headers = { 'x-step-up-token': token };
  created(await manager('POST', '/day/close', { body: { ...day, carry_over: 'all' }, headers }));
  return day;
}

/** Returns what the examples of days need. */
export const createDayNeeds = (manager: () => Call) => ({
  'a closed day': async () => ({ params: { number: (await closeDay(manager())).number } }),
  'a day to close': async () => ({ body: await dayToClose(manager()) }),
});
