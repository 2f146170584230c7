import { expect, test } from '@jest/globals';
import { CallFailure } from '../call-failure.ts';
import type { CallName } from './call-types.ts';
import { routes } from './calls.ts';
import { buildRequest, sendRequest } from './send-request.ts';

type HttpResponse = { status: number; type?: string; text?: string };
const json = 'application/json; charset=utf-8';

/** Makes a call that gets this response. Returns the body, or the code and outcome of the failure. */
async function resultOf(call: CallName, { status, type, text }: HttpResponse, headers = {}): Promise<unknown> {
  const response = new Response(text ?? null, { status, ...(type && { headers: { 'content-type': type } }) });
  const request = buildRequest('http://localhost:3000', routes[call], { id: 1 });
  const sending = { ...request, headers, signal: undefined, fetch: () => Promise.resolve(response) };
  try {
    return (await sendRequest(sending)).body;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    return [error.code, error.outcome];
  }
}

test.each<[CallName, HttpResponse]>([
  ['placeOrder', { status: 200 }],
  ['placeOrder', { status: 204 }],
  ['placeOrder', { status: 302 }],
  ['placeOrder', { status: 304 }],
  ['placeOrder', { status: 200, type: 'text/html', text: '<title>Sign in to the Wi-Fi</title>' }],
  ['placeOrder', { status: 200, type: 'text/plain', text: '{"id":1}' }],
  ['placeOrder', { status: 201, type: json, text: '{"id":' }],
  ['placeOrder', { status: 201, type: json, text: 'null' }],
  ['placeOrder', { status: 201, type: json, text: '"ok"' }],
  ['changePassword', { status: 200 }],
  ['changePassword', { status: 200, type: json, text: '{}' }],
])('the outcome of %s is unknown after the response %j', async (call, response) => {
  expect(await resultOf(call, response)).toEqual(['unreachable', 'unknown']);
});

test("a response that matches the contract is the call's result", async () => {
  expect(await resultOf('placeOrder', { status: 201, type: json, text: '{"id":1}' })).toEqual({ id: 1 });
  expect(await resultOf('listMenu', { status: 200, type: json, text: '[]' })).toEqual([]);
  expect(await resultOf('changePassword', { status: 204 })).toBeUndefined();
  expect(await resultOf('getOrder', { status: 304 }, { 'if-none-match': '"1-1-1"' })).toBeUndefined();
});
