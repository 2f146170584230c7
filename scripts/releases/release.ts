import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceName } from '@comanda/contracts/endpoint';
import { refusal } from '@comanda/local-stack/servers/refusal';
import type { JsonSchema } from '@comanda/shared/api-docs/json-schema';
import type { Components } from './compare-schemas.ts';

export const services = ['gateway', 'orders', 'auth-stepup', 'transfers', 'notifier'] as const;

/** An operation of a service. */
export type Call = {
  /** The roles or services that may call the operation, or `anyone`. */
  who: readonly string[];
  /** Further requirements: `account`, `step-up KEY`, or `authorization_details`. */
  demands: readonly string[];
  /** `Idempotency-Key`, and the response headers with their status, such as `201 Location`. */
  headers: readonly string[];
  params: JsonSchema;
  query: JsonSchema;
  body: JsonSchema | null;
  /** True if the body may be left out. */
  mayOmitBody?: boolean;
  /** The response body by status, or null if there is none. */
  answers: Record<string, JsonSchema | null>;
  problems: readonly string[];
};
export type Event = { audience: string; source: string; data: JsonSchema };
export type Collection = { documents: JsonSchema; indexes: Record<string, { key: Record<string, unknown> }> };

/**
 * Everything in a service's release that others rely on: clients, other services, operators, and the service's other releases.
 */
export type Release = {
  service: ServiceName;
  version: string;
  /** The release date in UTC. Only the files in `releases` have one. */
  released?: string;
  /** Operations by method and path. */
  calls: Record<string, Call>;
  /** The additional fields of each problem, by code. */
  problems: Record<string, { status: number; members: JsonSchema }>;
  events: Record<string, Event>;
  stored: Record<string, Collection>;
  settings: Record<string, 'required' | 'optional'>;
  /** The service's functions for other services, as sentences without a subject: `forwards GET /orders`. */
  provides: readonly string[];
  /** The functions that other services must have before this release. */
  needs: Partial<Record<ServiceName, readonly string[]>>;
  schemas: Components;
};

const read = async (path: string): Promise<Release> => JSON.parse(await readFile(path, 'utf8')) as Release;

/** Reads the last release of each service that has one, which is the file with the highest version in `folder`/SERVICE. */
export async function lastReleases(folder: string): Promise<Map<ServiceName, Release>> {
  const last = new Map<ServiceName, Release>();
  for (const service of services) {
    const files = await readdir(join(folder, service)).catch(() => []);
    const [newest] = files.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    if (newest !== undefined) last.set(service, await read(join(folder, service, newest)));
  }
  return last;
}

/**
 * Returns the services with these names.
 * @throws Refusal if one doesn't exist
 */
export function selectServices(names: readonly string[]): readonly ServiceName[] {
  const unknown = names.find((name) => !services.includes(name as ServiceName));
  if (unknown !== undefined) throw refusal(`There is no service '${unknown}'. There are: ${services.join(', ')}.`);
  return names.length === 0 ? services : (names as ServiceName[]);
}

export const steps = ['major', 'minor', 'patch'] as const;
export type Step = (typeof steps)[number];

/** Returns the version that follows `version` [Semantic Versioning 2.0]. */
export function nextVersion(version: string, step: Step): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (step === 'major') return `${major + 1}.0.0`;
  return step === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
