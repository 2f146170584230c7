import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeClientCertificate, makeServerCertificate } from '../certificates.ts';
import { freePort } from '../servers/free-port.ts';
import { startProcess, waitUntilReady, type OnSpawn } from '../servers/server-process.ts';
import { serviceNetwork } from './addresses.ts';
import { createKubernetesApi, type KubernetesApi } from './api.ts';
import type { KubeletCredentials } from './kubelet-server.ts';

export type ControlPlane = {
  api: KubernetesApi;
  /** A file for kubectl and helm. */
  kubeconfig: string;
  /** For the kubelets, to whom the API server shows a certificate of the same authority. */
  kubelets: KubeletCredentials;
};
type Options = {
  /** As `findKubernetes` gives it. */
  program: string;
  dataDir: string;
  onSpawn: OnSpawn;
};

const address = '127.0.0.1';
const startMs = 120_000;

/** Starts etcd, the API server, the controllers and the scheduler on this machine. Whoever hears of `onSpawn` ends them. */
export async function startControlPlane({ program, dataDir, onSpawn }: Options): Promise<ControlPlane> {
  const path = (name: string): string => join(dataDir, name);
  mkdirSync(dataDir, { recursive: true });
  const ports = { api: await freePort(), etcd: await freePort(), peers: await freePort() };
  const url = `https://${address}:${ports.api}`;
  const { token, authority, server } = await writeCredentials({ path, url });
  const api = createKubernetesApi({ url, token, authority });
  async function start(
    part: string,
    flags: Record<string, string | number>,
    ready: () => Promise<unknown>,
  ): Promise<void> {
    const logFile = path(`${part}.log`);
    const args = [part, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
    const process = await startProcess({ name: part, command: program, args, env: {}, cwd: dataDir, logFile, onSpawn });
    await waitUntilReady({ name: part, process, ready, logFile, timeoutMs: startMs });
  }
  await start('etcd', etcdFlags(ports), () => fetch(`http://${address}:${ports.etcd}/health`));
  await start('apiserver', apiServerFlags(ports), () => api.call('GET', '/version'));
  const common = { kubeconfig: 'kubeconfig', 'bind-address': address, 'leader-elect': 'false' };
  await start(
    'controller-manager',
    {
      ...common,
      'secure-port': await freePort(),
      'cert-dir': 'controller-manager',
      'service-account-private-key-file': 'accounts.key',
      'horizontal-pod-autoscaler-sync-period': '5s',
    },
    () => api.call('GET', '/api/v1/namespaces/default/serviceaccounts/default'),
  );
  await start('scheduler', { ...common, 'secure-port': await freePort(), 'cert-dir': 'scheduler' }, () =>
    Promise.resolve(),
  );
  return { api, kubeconfig: path('kubeconfig'), kubelets: { ...server, ca: authority } };
}

type Ports = Record<'api' | 'etcd' | 'peers', number>;

function etcdFlags({ etcd, peers }: Ports): Record<string, string> {
  const [clientUrl, peerUrl] = [`http://${address}:${etcd}`, `http://${address}:${peers}`];
  return {
    'data-dir': 'etcd',
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'unsafe-no-fsync': 'true', // its data is thrown away
  };
}

const apiServerFlags = ({ api, etcd }: Ports): Record<string, string | number> => ({
  'etcd-servers': `http://${address}:${etcd}`,
  'bind-address': address,
  'advertise-address': address,
  'secure-port': api,
  'tls-cert-file': 'server.crt',
  'tls-private-key-file': 'server.key',
  'cert-dir': 'apiserver',
  'kubelet-certificate-authority': 'ca.crt',
  'kubelet-client-certificate': 'kubelet-client.crt',
  'kubelet-client-key': 'kubelet-client.key',
  'service-account-issuer': 'https://kubernetes.default.svc',
  'service-account-key-file': 'accounts.pub',
  'service-account-signing-key-file': 'accounts.key',
  'token-auth-file': 'tokens.csv',
  'authorization-mode': 'RBAC',
  'service-cluster-ip-range': serviceNetwork,
  'endpoint-reconciler-type': 'none', // the API server is at a loopback address, which no endpoint may have
});

/** Keys, certificates, the token of the administrator and the kubeconfig with it. */
async function writeCredentials({ path, url }: { path: (name: string) => string; url: string }) {
  const token = randomBytes(16).toString('hex');
  const authority = await makeAuthority('Comanda lab');
  const server = await makeServerCertificate([address], authority);
  const client = await makeClientCertificate(authority);
  const accounts = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const cluster = { server: url, 'certificate-authority': path('ca.crt') };
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'lab', cluster }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'admin', namespace: 'comanda' } }],
    'current-context': 'lab',
  };
  const files = {
    'ca.crt': authority.cert,
    'server.crt': server.cert,
    'server.key': server.key,
    'kubelet-client.crt': client.cert,
    'kubelet-client.key': client.key,
    'accounts.pub': accounts.publicKey,
    'accounts.key': accounts.privateKey,
    'tokens.csv': `${token},admin,admin,system:masters\n`,
    kubeconfig: JSON.stringify(kubeconfig),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text, { mode: 0o600 });
  return { token, authority: authority.cert, server };
}
