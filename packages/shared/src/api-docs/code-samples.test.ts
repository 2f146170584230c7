import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe as suite, expect, test } from '@jest/globals';
import { isForBrowsers } from '@comanda/contracts/endpoint';
import { endpoints } from '@comanda/contracts/registry';
import { codeSamples, exampleRequest } from './code-samples.ts';

const url = 'http://localhost:3000';
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const samplesOf = (name: string): string[] =>
  endpoints
    .filter((contract) => contract.name === name)
    .flatMap((contract) => codeSamples(contract, url).map(({ source }) => source));

suite('among the code samples', () => {
  test('each sample sends all headers and the body', () => {
    const [curl, typescript, python] = samplesOf('transferMoney');

    expect(curl).toBe(`curl -X POST http://localhost:3000/accounts/internal-transfers \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "X-Step-Up-Token: $STEP_UP_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "from_account_id": 21,
  "to_account_id": 22,
  "amount": "12.50",
  "currency": "BRL",
  "description": "Lunch"
}'`);
    expect(typescript).toContain(`const answer = await client.calls.transferMoney({
  from_account_id: 21,
  to_account_id: 22,`);
    expect(python).toContain(`    headers={
        "Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}",
        "Idempotency-Key": str(uuid.uuid4()),
        "X-Step-Up-Token": os.environ["STEP_UP_TOKEN"],
    },`);
  });

  test('each sample writes true and null as its language does', () => {
    const [, typescript, python] = samplesOf('setAvailability');

    expect(typescript).toContain('{ id: 7, available: true, portions_left: 12 }');
    expect(python).toContain('json={"available": True, "portions_left": 12},');
  });

  test.each(endpoints.filter(({ body }) => body))('the curl sample for $name sends the example body', (contract) => {
    const [curl] = codeSamples(contract, url);

    const sent = /-d '([^]*)'$/.exec(curl?.source ?? '')?.[1]?.replaceAll(String.raw`'\''`, "'");

    expect(JSON.parse(sent ?? '')).toEqual(exampleRequest(contract).body);
  });

  test('the TypeScript samples compile with the client', async () => {
    const folder = mkdtempSync(join(root, 'packages', 'client', 'test', 'readme-samples-'));
    try {
      for (const contract of endpoints.filter((each) => !isForBrowsers(each))) {
        const source = codeSamples(contract, url)[1]?.source ?? '';
        const given =
          'declare const email: string, password: string, bytes: Uint8Array<ArrayBuffer>;\ndeclare const askForPin: (call: string) => Promise<string>;\n';
        writeFileSync(join(folder, `${contract.name}.ts`), `${source.replace('\n\n', `\n\n${given}`)}\nexport {};\n`);
      }
      const config = {
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { noEmit: true, noUnusedLocals: false },
        include: ['*.ts'],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      expect(await typeErrorsIn(folder)).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function typeErrorsIn(folder: string): Promise<string> {
  try {
    await promisify(execFile)(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder, '--singleThreaded']);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
