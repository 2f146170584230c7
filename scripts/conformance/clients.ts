import { copyFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { asCustomer, binOf, emptyFolder, here, programs, runInSequence, textOf, type Check } from './run.ts';

/** Writes the document into this folder. */
async function saveOpenApi(url: string, folder: string): Promise<string> {
  const path = join(folder, 'openapi.json');
  writeFileSync(path, await textOf(`${url}/openapi.json`));
  return path;
}

/** Generates types with openapi-typescript, type-checks a program with them and runs it: it orders and pays. */
export const openapiTypescript: Check = async (url, tools) => {
  const { nodeDir } = tools; // where the program finds what it imports
  const source = await saveOpenApi(url, nodeDir);
  const program = join(nodeDir, 'order-and-pay.ts');
  copyFileSync(join(programs, 'order-and-pay.ts.txt'), program);
  const flags = '--strict --noEmit --skipLibCheck --module nodenext --target es2023 --lib es2023,dom --types node';
  return runInSequence(
    [
      [binOf(tools, 'openapi-typescript'), source, '--output', join(nodeDir, 'api.ts')],
      [binOf(tools, 'tsc'), ...flags.split(' '), '--allowImportingTsExtensions', program],
      [process.execPath, program],
    ],
    { env: asCustomer(url) },
  );
};

/** Generates a Python client, with which a program orders and pays. */
export const openapiPythonClient: Check = async (url, { python }) => {
  const folder = emptyFolder('python-client');
  const generate = ['generate', '--path', await saveOpenApi(url, folder), '--meta', 'none', '--fail-on-warning'];
  const config = ['--config', join(here, 'openapi-python-client.yaml')];
  return runInSequence(
    [
      [python('openapi-python-client'), ...generate, ...config, '--output-path', join(folder, 'comanda_client')],
      [python('python'), join(programs, 'order_and_pay.py')],
    ],
    {
      // The generator calls its formatter, which is in the same folder.
      env: {
        ...asCustomer(url),
        PYTHONPATH: folder,
        PATH: `${dirname(python('ruff'))}${delimiter}${process.env['PATH']}`,
      },
    },
  );
};

export const oapiCodegenVersion = 'v2.8.2';
const goModule = `module comanda.test/order-and-pay

go 1.24

require github.com/oapi-codegen/runtime v1.9.0
`;

/** Generates a Go client, with which a program orders and pays. */
export const oapiCodegen: Check = async (url) => {
  const folder = emptyFolder('go-client');
  const source = await saveOpenApi(url, folder);
  writeFileSync(join(folder, 'go.mod'), goModule);
  copyFileSync(join(programs, 'order-and-pay.go'), join(folder, 'main.go'));
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${oapiCodegenVersion}`;
  return runInSequence(
    [
      [
        'go',
        'run',
        generator,
        '-generate',
        'types,client',
        '-package',
        'main',
        '-o',
        join(folder, 'client.go'),
        source,
      ],
      ['go', '-C', folder, 'mod', 'tidy'],
      ['go', '-C', folder, 'run', '.'],
    ],
    { env: { ...asCustomer(url) } },
  );
};
