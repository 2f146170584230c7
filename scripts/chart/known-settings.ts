import type { Settings } from '@comanda/shared/config/load-config';
import { serviceImage } from '@comanda/local-stack/service-image';
import { settingsOfService } from '@comanda/local-stack/settings-of-service';
import { perService, serviceNames, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';

/** The settings that a chart may or must contain for a service. */
export type KnownSettings = {
  /** Settings other than secrets, without those from the image or the chart's port. */
  settings: string[];
  /** The secrets, each in its own file. */
  secrets: string[];
  /** The secrets whose file may be missing. */
  optionalSecrets: string[];
  /** Settings without a default, or with one that fits only a single machine, with their descriptions. */
  required: Record<string, string>;
};

const text = 'x';
/** A stack in which only the names of the settings matter. */
const stack = stackSettings({
  servers: { mongodbUri: text, redisUrl: text, rabbitmqUrl: text },
  secrets: { authSealingSecret: text, transfersSealingSecret: text, pinPepper: text, services: perService(() => text) },
  urls: perService(() => 'http://127.0.0.1:1'),
});

/** Returns the settings that each service accepts, according to its declaration. */
export async function knownSettings(): Promise<Record<ServiceName, KnownSettings>> {
  const known = await Promise.all(
    serviceNames.map(async (name) => [name, describe(name, await settingsOfService(name))]),
  );
  return Object.fromEntries(known) as Record<ServiceName, KnownSettings>;
}

function describe(service: ServiceName, declared: Settings): KnownSettings {
  const image = serviceImage(service);
  // TLS settings name files that a chart doesn't have. In Kubernetes, the proxy in front has the certificate.
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

/** Generates the library chart's list of settings, with which a chart rejects settings that its service doesn't have. */
export async function knownSettingsTemplate(): Promise<string> {
  return `{{/* Generated from services/NAME/src/config.ts by npm run docs. */}}
{{- define "comanda.known" -}}
${JSON.stringify(await knownSettings(), null, 2)}
{{- end }}`;
}
