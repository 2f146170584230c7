import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestUser } from '@comanda/testing/auth-stepup-process';
import { codeOf } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';

let auth: AuthStepupHarness;
let marta: TestUser;
beforeAll(async () => {
  auth = await startAuthStepupHarness();
  marta = await auth.manager();
});
afterAll(() => auth.close());

type Added = { added: { table: string; table_token: string }[]; existing: { table: string; table_token: string }[] };
const names = ({ added, existing }: Added) => ({
  added: added.map(({ table }) => table),
  existing: existing.map(({ table }) => table),
});
/** Returns names that no other test uses: `A1` to `A12`. */
const oneToTwelve = (prefix: string): string[] => Array.from({ length: 12 }, (_, index) => `${prefix}${index + 1}`);
const addTables = (tables: string[], manager = marta) => auth.as(manager)('POST', '/tables', { body: { tables } });

const scan = (token: string) => auth.call('POST', '/auth/guest', { body: { table_token: token } });

describe('several tables', () => {
  test('can be added in one call, each with a code and an audit entry', async () => {
    const tables = oneToTwelve('A');
    const { status, body } = await addTables(tables);

    expect([status, names(body)]).toEqual([201, { added: tables, existing: [] }]);
    for (const { table_token: token } of body.added as Added['added']) expect((await scan(token)).status).toBe(200);
    const { body: audit } = await auth.as(marta)('GET', '/audit?limit=12');
    expect(audit).toMatchObject(
      tables.toReversed().map((table) => ({
        type: 'table_added',
        actor: { id: marta.id, role: 'manager' },
        details: { table },
      })),
    );
  });

  test("don't replace existing tables, whether in upper or lower case", async () => {
    const { table_token: token } = (await auth.as(marta)('PUT', '/tables/B5')).body;
    await scan(token);
    const { status, body } = await addTables(oneToTwelve('b'));

    expect(status).toBe(201);
    expect(names(body)).toEqual({ added: oneToTwelve('b').filter((name) => name !== 'b5'), existing: ['B5'] });
    expect(body.existing).toMatchObject([{ table_token: token, status: 'seated' }]);
  });

  test('all exist after a repeated call, which changes nothing', async () => {
    const tables = oneToTwelve('C');
    const { body: first } = await addTables(tables);
    const again = await addTables(tables);

    expect([again.status, again.body]).toEqual([200, { added: [], existing: first.added }]);
  });

  test('are added only once by ten simultaneous calls', async () => {
    const tables = oneToTwelve('D');
    const asMarta = auth.as(marta);
    const send = () => patient(asMarta)('POST', '/tables', { body: { tables } });
    const responses = await Promise.all(Array.from({ length: 10 }, send));

    expect(responses.flatMap(({ body }) => names(body).added)).toEqual(tables);
    for (const { body } of responses) expect([...names(body).added, ...names(body).existing]).toEqual(tables);
  });

  test('can be up to 200 in one call', async () => {
    const tables = Array.from({ length: 200 }, (_, index) => `E${index}`);

    expect(names((await addTables(tables)).body).added).toEqual(tables);
    expect(codeOf(await addTables([...tables, 'E200']))).toBe('400 validation_failed');
  });

  test.each([
    ['a wrong name', ['F1', 'F 2'], '/tables/1'],
    ['a name twice', ['F1', 'F1'], '/tables/1'],
    ['no name', [], '/tables'],
  ])("aren't added if the request has %s", async (_what, tables, pointer) => {
    const response = await addTables(tables);

    expect([codeOf(response), response.body.errors[0].pointer]).toEqual(['400 validation_failed', pointer]);
    expect(await auth.connection.collection<{ _id: string }>('tables').findOne({ _id: 'F1' })).toBeNull();
  });

  test('can be added only by managers', async () => {
    expect(codeOf(await addTables(['G1'], await auth.waiter()))).toBe('403 forbidden');
    const bruno = await auth.manager();
    const asBruno = auth.as(bruno);
    await auth.connection.collection('usuarios').updateOne({ usuarioID: bruno.id }, { $set: { papel: 'waiter' } });
    expect(codeOf(await asBruno('POST', '/tables', { body: { tables: ['G1'] } }))).toBe('403 forbidden');
  });
});
