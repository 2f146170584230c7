import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

export type ProxiedMember = {
  /** The proxy's port, where clients and the other members reach the member. */
  port: number;
  /** The port on which the member itself listens. */
  targetPort: number;
  pid: () => number | undefined;
};
export type MemberProxy = {
  /** Blocks traffic between this member and the others, like an unplugged cable. Clients can still reach the member. */
  cut: (member: number) => void;
  heal: (member: number) => void;
  close: () => void;
};
/**
 * A connection through the proxy. `from` is the index of the member that opened it, -1 if a client opened it, and undefined until
 * this has been checked.
 */
type Link = { from: number | undefined; readonly to: number; readonly sockets: readonly [Socket, Socket] };

/**
 * While a member is cut off: how often to check who opened the new connections, in milliseconds. A new connection waits for this
 * check.
 */
const identifyEveryMs = 50;

/**
 * Starts a proxy for the members of a replica set that can separate a member from the others. While a member is cut off, the
 * proxy looks up in /proc which member opened each connection. Doing that all the time would overload a busy machine, and clients
 * would reconnect again and again. Works only on Linux, and needs no privileges for processes of the same user.
 */
export async function startMemberProxy(members: readonly ProxiedMember[]): Promise<MemberProxy> {
  const cutOff = new Set<number>();
  const links = new Set<Link>();
  let identifying: NodeJS.Timeout | undefined;
  const isHeld = ({ from, to }: Pick<Link, 'from' | 'to'>): boolean => {
    if (cutOff.size === 0) return false;
    if (from === undefined) return true;
    return from >= 0 && from !== to && cutOff.has(from) !== cutOff.has(to);
  };
  function apply(link: Link): void {
    for (const socket of link.sockets)
      if (isHeld(link)) socket.pause();
      else socket.resume();
  }
  function applyAll(): void {
    for (const link of links) apply(link);
  }
  function identifyAll(): void {
    clearTimeout(identifying);
    identifying = undefined;
    const unknown = [...links].filter(({ from }) => from === undefined);
    if (unknown.length === 0) return;
    const inodes = connectionInodes();
    const owners = members.map(({ pid }) => socketInodes(pid()));
    for (const link of unknown) {
      const [{ remotePort = 0, localPort = 0 }] = link.sockets;
      const inode = inodes.get(connectionKey(remotePort, localPort));
      link.from = owners.findIndex((owned) => inode !== undefined && owned.has(inode));
    }
    applyAll();
  }

  const servers = await Promise.all(
    members.map(async ({ port, targetPort }, to): Promise<Server> => {
      const server = createServer({ allowHalfOpen: true }, (incoming) => {
        const outgoing = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true });
        const link: Link = { from: undefined, to, sockets: [incoming, outgoing] };
        links.add(link);
        join(link, incoming, outgoing);
        join(link, outgoing, incoming);
        apply(link);
        if (cutOff.size > 0) identifying ??= setTimeout(identifyAll, identifyEveryMs);
      });
      server.listen({ host: '127.0.0.1', port });
      await once(server, 'listening');
      return server;
    }),
  );

  function join(link: Link, source: Socket, sink: Socket): void {
    source.setNoDelay();
    source.on('data', (chunk) => {
      if (sink.write(chunk)) return;
      source.pause();
      sink.once('drain', () => {
        if (!isHeld(link)) source.resume();
      });
    });
    source.on('end', () => sink.end());
    source.on('error', () => sink.destroy()); // When this side fails, close the other side too.
    source.on('close', () => {
      links.delete(link);
      if (!isHeld(link)) sink.destroy();
    });
  }

  return {
    cut: (member) => {
      cutOff.add(member);
      identifyAll();
      applyAll();
    },
    heal: (member) => {
      cutOff.delete(member);
      applyAll();
    },
    close: () => {
      clearTimeout(identifying);
      for (const server of servers) server.close();
      for (const { sockets } of links) for (const socket of sockets) socket.destroy();
    },
  };
}

const connectionKey = (localPort: number, remotePort: number): string => `${localPort} ${remotePort}`;

/** Returns the inodes of this machine's TCP sockets, keyed by the ports of their connections (proc(5), /proc/net/tcp). */
function connectionInodes(): Map<string, string> {
  const portOf = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16);
  const inodes = new Map<string, string>();
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    const inode = fields[9];
    if (inode !== undefined) inodes.set(connectionKey(portOf(fields[1]), portOf(fields[2])), inode);
  }
  return inodes;
}

/** Returns the inodes of a process's open sockets. */
function socketInodes(pid: number | undefined): Set<string> {
  const inodes = new Set<string>();
  if (pid === undefined) return inodes;
  try {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const inode = inodeOf(`/proc/${pid}/fd/${descriptor}`);
      if (inode !== undefined) inodes.add(inode);
    }
  } catch {
    return inodes; // The process has already exited.
  }
  return inodes;
}

function inodeOf(descriptor: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(descriptor))?.[1];
  } catch {
    return undefined; // The socket has already been closed.
  }
}
