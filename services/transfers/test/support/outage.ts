import type { House, Person } from './house.ts';

type Answer = { status: number; code: string; inTime: true | number };
/** 503 within 2 s, with nothing else said. */
export const refused: Answer = { status: 503, code: 'service_unavailable', inTime: true };
export async function timed(call: Promise<{ status: number; body: { code: string } }>): Promise<Answer> {
  const begun = performance.now();
  const { status, body } = await call;
  const ms = performance.now() - begun;
  return { status, code: body.code, inTime: ms < 2000 || ms };
}
/** Ana and Rui with an account each, and money in Ana's. */
export async function twoAccounts(house: House): Promise<{ ana: Person; from: number; to: number }> {
  const [ana, rui] = [await house.customer('Ana'), await house.customer('Rui')];
  const [from, to] = [(await house.open(ana)).id, (await house.open(rui)).id];
  await house.fund(from, '1000.00');
  return { ana, from, to };
}
