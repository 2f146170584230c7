// Finds the Node that the lockfile pins for a system, and explains what to do if it can't be started there.
import { join } from 'node:path';

/** Returns the pinned Node's path in node_modules. It exists only on systems for which there is a package. */
export function pinnedNode({ platform, arch }) {
  if (platform === 'win32') return join(`node-win-${arch}`, 'bin', 'node.exe');
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return join(`${name}-${platform}-${arch}`, 'bin', 'node');
}

/** Explains what to do about a Node that can't be started, from the system's error message. */
export function whyNodeFails(message) {
  const [, library] = /([\w.+-]+\.so[.\d]*): cannot open shared object file/.exec(message) ?? [];
  const [, symbol] = /version `(GLIBC[\w.]+)' not found/.exec(message) ?? [];
  if (library === 'libatomic.so.1')
    return 'Node 26 needs the library libatomic. Install it (apt-get install libatomic1, or dnf install libatomic) and try again.';
  if (library) return `Node 26 needs the library ${library}, which this system lacks. Install it and try again.`;
  if (symbol || /not found|no such file|ENOENT/i.test(message))
    return `Node 26 does not run on this system${symbol ? `, whose C library is older than ${symbol}` : ' (its C library is not glibc)'}. Use containers:   docker compose up --build`;
  return `Node 26 can't be started: ${message.trim()}`;
}
