import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@comanda/contracts/registry';
import { createRouteTable } from './route-table.ts';

const match = createRouteTable([
  { method: 'GET', path: '/orders' },
  { method: 'POST', path: '/orders' },
  { method: 'POST', path: '/orders/seen' },
  { method: 'GET', path: '/orders/{id}' },
  { method: 'PUT', path: '/orders/{id}/items/{item_id}' },
  { method: 'GET', path: '/.well-known/jwks.json' },
]);

describe('the route table', () => {
  test('finds the endpoint and its parameters for a path', () => {
    expect(match('PUT', '/orders/7/items/9?x=1')).toMatchObject({
      kind: 'endpoint',
      endpoint: { path: '/orders/{id}/items/{item_id}' },
      params: { id: '7', item_id: '9' },
      path: '/orders/7/items/9',
    });
    expect(match('GET', '/.well-known/jwks.json')).toMatchObject({ kind: 'endpoint' });
  });
  test('prefers a literal segment over a parameter', () => {
    expect(match('POST', '/orders/seen')).toMatchObject({ endpoint: { path: '/orders/seen' } });
  });
  test('reports a wrong method for a literal segment, even if the route with a parameter allows the method', () => {
    expect(match('GET', '/orders/seen')).toEqual({ kind: 'wrong_method', allow: 'POST' });
  });
  test('finds the same endpoint for a path with /v1, and leaves /v1 out of the result', () => {
    expect(match('GET', '/v1/orders/7')).toMatchObject({ kind: 'endpoint', path: '/orders/7', params: { id: '7' } });
    expect(match('GET', '/v1/v1/orders')).toEqual({ kind: 'none' });
    expect(match('GET', '/v1')).toEqual({ kind: 'none' });
  });
  test('treats HEAD like GET', () => {
    expect(match('HEAD', '/orders')).toMatchObject({ endpoint: { method: 'GET' } });
    expect(match('HEAD', '/orders/seen')).toEqual({ kind: 'wrong_method', allow: 'POST' });
  });
  test('lists the allowed methods when the method is wrong', () => {
    expect(match('PATCH', '/orders')).toEqual({ kind: 'wrong_method', allow: 'GET, HEAD, POST' });
    expect(match('constructor', '/orders')).toEqual({ kind: 'wrong_method', allow: 'GET, HEAD, POST' });
  });
  test.each([
    '',
    '/',
    '*',
    'orders',
    '//orders',
    '/orders/',
    '/orders//7',
    '/orders/../orders',
    '/orders/./7',
    '/orders/7/..',
    '/orders/%37',
    '/orders%2f7',
    '/%6frders',
    '/orders/7%00',
    '/orders;a=1',
    '/orders/7#x',
    '/ORDERS',
    '/orders\\7',
    '/orders/7/items',
    '/orders/é',
    'http://other.example/orders',
    '/constructor',
    '/__proto__',
  ])('finds no endpoint for the target %j', (target) => {
    expect(match('GET', target)).toEqual({ kind: 'none' });
  });
  test('finds every endpoint in the registry, so that none hides another', () => {
    const all = createRouteTable(endpoints);
    for (const endpoint of endpoints) {
      const target = endpoint.path.replaceAll(/\{\w+\}/g, '7');

      expect(all(endpoint.method, target)).toMatchObject({ kind: 'endpoint', endpoint: { name: endpoint.name } });
    }
  });
});
