import { readObjects, type KubernetesObject } from './render.ts';

type Variable = { name: string; value: string };
export type Container = {
  name: string;
  command?: string[];
  env: Variable[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  securityContext: Record<string, unknown>;
  readinessProbe?: { httpGet: { path: string; port: string } };
};
export type PodTemplate = {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    terminationGracePeriodSeconds?: number;
    securityContext: Record<string, unknown>;
    volumes: {
      name: string;
      secret?: { secretName: string; optional?: boolean; items: { key: string; path: string }[] };
    }[];
  };
};

const templateOf = ({ spec }: KubernetesObject): PodTemplate | undefined =>
  spec?.['template'] as PodTemplate | undefined;

/** Returns a release's pods, each with the kind of the object that creates it. */
export const podsOf = (yaml: string): { kind: string; pod: PodTemplate }[] =>
  readObjects(yaml).flatMap((object) => {
    const pod = templateOf(object);
    return pod ? [{ kind: object.kind, pod }] : [];
  });

/** Returns a container's environment. Each `NAME_FILE` becomes `NAME`, with the content that `readFile` returns. */
export function environmentOf({ env }: Container, readFile: (path: string) => string): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value }) => {
      const isFile = name.endsWith('_FILE') && value.startsWith('/run/secrets/');
      return isFile ? [name.replace(/_FILE$/, ''), readFile(value)] : [name, value];
    }),
  );
}
