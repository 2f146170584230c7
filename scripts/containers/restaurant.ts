import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { refusal } from '@comanda/local-stack/servers/refusal';

type Who = { url: string; email: string; password: string };
type HttpResponse = { status: number; body: Record<string, unknown> };

export type Restaurant = {
  token: string;
  addDish: () => Promise<void>;
  order: () => Promise<HttpResponse>;
};

const dish = { name: 'Feijoada', price: '62.00' };

/** Signs in as a manager. All calls reach the gateway as if through a TLS proxy. */
export async function signInAsManager({ url, email, password }: Who): Promise<Restaurant> {
  async function call(path: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const { status, body } = await call('/auth/login', { email, password });
  if (status !== 200) throw refusal(`The sign-in is answered with ${status}: ${JSON.stringify(body)}`);
  const token = String(body['access_token']);
  const authorization = `Bearer ${token}`;
  const created = async (path: string, sent: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> => {
    const response = await call(path, sent, { authorization, ...headers });
    if (response.status !== 201)
      throw refusal(`POST ${path} is answered with ${response.status}: ${JSON.stringify(response.body)}`);
    return response;
  };
  return {
    token,
    addDish: async () => void (await created('/menu', dish)),
    order: () => created('/orders', { items: [{ name: dish.name, quantity: 1 }] }, { 'idempotency-key': randomUUID() }),
  };
}

/** Places one order after another until `stop` is called. `result` resolves to the number of placed orders and the failures. */
export function orderAllTheTime({ order }: Restaurant) {
  let isStopped = false;
  const failed: string[] = [];
  let placed = 0;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await order().then(
        () => placed++,
        (error: unknown) => failed.push(error instanceof Error ? error.message : String(error)),
      );
      await delay(50);
    }
  };
  const running = run();
  return {
    stop: (): void => void (isStopped = true),
    result: async (): Promise<{ placed: number; failed: string[] }> => {
      await running;
      return { placed, failed };
    },
  };
}
