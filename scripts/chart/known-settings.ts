import type { Settings } from '@comanda/shared/config/load-config';
import { serviceImage } from '@comanda/local-stack/service-image';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';

/** What the charts may give to one service, and what they must. */
export type KnownSettings = {
  /** Those that are no secrets, and that neither its image nor the chart's port decides. */
  settings: string[];
  /** Each is a file. */
  secrets: string[];
  /** Files that may be missing. */
  optionalSecrets: string[];
  /** What has no default, or one for a single machine only; with what it is. */
  required: Record<string, string>;
};

const text = 'x';
/** A stack whose values do not matter, but their names do. */
const stack = stackSettings({
  servers: { mongodbUri: text, redisUrl: text, rabbitmqUrl: text },
  secrets: { authSealingSecret: text, transfersSealingSecret: text, pinPepper: text, services: perService(() => text) },
  urls: perService(() => 'http://127.0.0.1:1'),
});

/** Reads what each service accepts from its declaration of settings. */
export async function knownSettings(): Promise<Record<ServiceName, KnownSettings>> {
  const known = await Promise.all(
    serviceNames.map(async (name) => [name, describe(name, await settingsOfService(name))]),
  );
  return Object.fromEntries(known) as Record<ServiceName, KnownSettings>;
}

function describe(service: ServiceName, declared: Settings): KnownSettings {
  const image = serviceImage(service);
  // Those of TLS name files, which a chart does not have: in Kubernetes, the proxy in front has the certificate.
  const ofChart = ['METRICS_PORT', 'TLS_CERT_FILE', 'TLS_KEY_FILE'];
  const fixed = new Set([...Object.keys({ ...image.env, ...image.ownEnv }), ...ofChart]);
  const all = Object.values(declared).toSorted((a, b) => (a.env < b.env ? -1 : 1));
  const secrets = all.filter(({ secret }) => secret);
  const open = all.filter(({ env, secret }) => !secret && !fixed.has(env));
  const mustBeSet = new Set([...Object.keys(stack[service]), 'TRUSTED_PROXIES']);
  const isRequired = ({ env, schema }: (typeof all)[number]) => mustBeSet.has(env) || schema.validate(undefined).error;
  return {
    settings: open.map(({ env }) => env),
    secrets: secrets.filter(isRequired).map(({ env }) => env),
    optionalSecrets: secrets.filter((each) => !isRequired(each)).map(({ env }) => env),
    required: Object.fromEntries(open.filter(isRequired).map(({ env, about }) => [env, `${about}.`])),
  };
}

/** The file of the library chart that has all of it, so that a chart refuses what its service does not know. */
export async function knownSettingsTemplate(): Promise<string> {
  return `{{/* Generated from services/NAME/src/config.ts by npm run docs. */}}
{{- define "comanda.known" -}}
${JSON.stringify(await knownSettings(), null, 2)}
{{- end }}`;
}
