import { serverUrls } from './environment.ts';

/** Calls the broker's management API [RabbitMQ HTTP API] and returns the response. */
export async function managementCall(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown> {
  const { username, password, origin } = new URL(serverUrls().RABBITMQ_MANAGEMENT_URL);
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const response = await fetch(`${origin}/api/${path}`, {
    method,
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`RabbitMQ's management API answered ${method} ${path} with ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
