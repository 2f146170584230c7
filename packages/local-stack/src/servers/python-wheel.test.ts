import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { pythonWheel } from './python-wheel.ts';
import { unzip } from './unzip.ts';

type Entry = { path: string; content: string; mode?: number; stored?: boolean };

/** Creates a ZIP archive according to the specification (APPNOTE.TXT 4.3). */
function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, mode = 0o644, stored = false } of entries) {
    const name = Buffer.from(path);
    const packed = stored ? Buffer.from(content) : deflateRawSync(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(stored ? 0 : 8, 8);
    header.writeUInt16LE(name.length, 26);
    header.writeUInt16LE(4, 28); // The length of an extra field. The archive's directory lacks this field.
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(stored ? 0 : 8, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    files.push(header, name, Buffer.alloc(4), packed);
    directory.push(entry, name);
    offset += 30 + name.length + 4 + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

const archive = zip([
  { path: 'tool-1.0.data/purelib/tool/bin/tool', content: 'the program '.repeat(100), mode: 0o755 },
  { path: 'tool/bin/licence', content: 'a text', stored: true },
  { path: 'tool/__init__.py', content: 'import os' },
]);
const sha256 = createHash('sha256').update(archive).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'wheel-'));
let server: Server;
let indexUrl: string;
/** The archive that the fake index serves. */
let served = archive;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/files/tool.whl') response.end(served);
    else if (request.url === '/simple/tool/' && request.headers.accept === 'application/vnd.pypi.simple.v1+json')
      response.end(JSON.stringify({ files: [{ url: '../../files/tool.whl', hashes: { sha256 } }] }));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  indexUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

let count = 0;
const newFolder = (): string => join(folder, String(++count));
const unpack = (into: string, wheel = { project: 'tool', sha256 }, url = indexUrl): Promise<void> =>
  pythonWheel(newFolder(), url)(wheel, into, (path) => path.startsWith('tool/bin/'));

describe('a Python wheel', () => {
  test('is unpacked without unwanted files if it has the pinned hash', async () => {
    const into = newFolder();

    await unpack(into);

    expect(readFileSync(join(into, 'tool/bin/tool'), 'utf8')).toBe('the program '.repeat(100));
    expect(statSync(join(into, 'tool/bin/tool')).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(into, 'tool/bin/licence'), 'utf8')).toBe('a text');
    expect(readdirSync(join(into, 'tool'))).toEqual(['bin']);
  });
  test('is rejected if its hash differs from the pinned one', async () => {
    served = Buffer.from('another');
    try {
      await expect(unpack(newFolder())).rejects.toThrow(/does not match the pinned hash/);
    } finally {
      served = archive;
    }
  });
  test.each([
    [{ project: 'tool', sha256: 'f00d' }, /\/simple\/tool\/ has no file with the pinned hash f00d/],
    [{ project: 'missing', sha256 }, /\/simple\/missing\/ answers 404/],
  ])('causes an error that shows what the index lacks for %j', async (wheel, message) => {
    await expect(unpack(newFolder(), wheel)).rejects.toThrow(message);
  });
  test("causes an error that shows the index's URL if there is no network", async () => {
    await expect(unpack(newFolder(), undefined, 'http://127.0.0.1:1/simple')).rejects.toThrow(
      /http:\/\/127\.0\.0\.1:1 can't be reached/,
    );
  });
});

test.each([
  ["something that isn't an archive", Buffer.from('text'), /not a ZIP archive/],
  ['a path outside the folder', zip([{ path: '../outside', content: 'x' }]), /contains the path \.\.\/outside/],
])('unzip rejects %s', (_name, content, message) => {
  expect(() => unzip(content, newFolder(), (path) => path)).toThrow(message);
});
