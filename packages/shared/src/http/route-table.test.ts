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

describe('the exact route table', () => {
  test('when the path matches, then the endpoint and its parameters are found', () => {
    expect(match('PUT', '/orders/7/items/9?x=1')).toMatchObject({
      kind: 'endpoint',
      endpoint: { path: '/orders/{id}/items/{item_id}' },
      params: { id: '7', item_id: '9' },
      path: '/orders/7/items/9',
    });
    expect(match('GET', '/.well-known/jwks.json')).toMatchObject({ kind: 'endpoint' });
  });
  test('when a literal and a parameter both match, then the literal wins', () => {
    expect(match('POST', '/orders/seen')).toMatchObject({ endpoint: { path: '/orders/seen' } });
  });
  test('when only the parameter has the method, then the literal still wins and the method is wrong', () => {
    expect(match('GET', '/orders/seen')).toEqual({ kind: 'wrong_method', allow: 'POST' });
  });
  test('when the path begins with /v1, then the same endpoint is found and the path does not contain it', () => {
    expect(match('GET', '/v1/orders/7')).toMatchObject({ kind: 'endpoint', path: '/orders/7', params: { id: '7' } });
    expect(match('GET', '/v1/v1/orders')).toEqual({ kind: 'none' });
    expect(match('GET', '/v1')).toEqual({ kind: 'none' });
  });
  test('when the method is HEAD, then it matches GET', () => {
    expect(match('HEAD', '/orders')).toMatchObject({ endpoint: { method: 'GET' } });
    expect(match('HEAD', '/orders/seen')).toEqual({ kind: 'wrong_method', allow: 'POST' });
  });
  test('when the method is wrong, then the allowed methods are listed', () => {
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
  ])('when the target is %j, then no endpoint is found', (target) => {
    expect(match('GET', target)).toEqual({ kind: 'none' });
  });
  test('when every endpoint of the registry is looked up, then each is found and none hides another', () => {
    const all = createRouteTable(endpoints);
    for (const endpoint of endpoints) {
      const target = endpoint.path.replaceAll(/\{\w+\}/g, '7');

      expect(all(endpoint.method, target)).toMatchObject({ kind: 'endpoint', endpoint: { name: endpoint.name } });
    }
  });
});
