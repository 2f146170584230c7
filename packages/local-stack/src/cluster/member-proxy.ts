import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

export type ProxiedMember = {
  /** The port that the member is known by. */
  port: number;
  /** The port on which it listens. */
  targetPort: number;
  pid: () => number | undefined;
};
export type MemberProxy = {
  /** Holds back what passes between this member and the others, as a cut cable does; clients reach it still. */
  cut: (member: number) => void;
  heal: (member: number) => void;
  close: () => void;
};
type Link = { from: number; to: number; sockets: readonly [Socket, Socket] };

/**
 * Passes connections on to the members of a replica set and can part one from the others. It finds out in /proc which member
 * has opened a connection; needs Linux, and no privilege for processes of the same user.
 */
export async function startMemberProxy(members: readonly ProxiedMember[]): Promise<MemberProxy> {
  const cutOff = new Set<number>();
  const links = new Set<Link>();
  const isHeld = ({ from, to }: Pick<Link, 'from' | 'to'>): boolean =>
    from >= 0 && from !== to && cutOff.has(from) !== cutOff.has(to);
  function apply(link: Link): void {
    for (const socket of link.sockets)
      if (isHeld(link)) socket.pause();
      else socket.resume();
  }
  function applyAll(): void {
    for (const link of links) apply(link);
  }

  const servers = await Promise.all(
    members.map(async ({ port, targetPort }, to): Promise<Server> => {
      const server = createServer({ allowHalfOpen: true }, (incoming) => {
        const inode = inodeOf(incoming.remotePort ?? 0, port);
        const from = members.findIndex((member) => inode !== undefined && ownsSocket(member.pid(), inode));
        const outgoing = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true });
        const link: Link = { from, to, sockets: [incoming, outgoing] };
        links.add(link);
        join(link, incoming, outgoing);
        join(link, outgoing, incoming);
        apply(link);
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
    source.on('error', () => sink.destroy()); // the other side learns of it by its closed connection
    source.on('close', () => {
      links.delete(link);
      if (!isHeld(link)) sink.destroy();
    });
  }

  return {
    cut: (member) => {
      cutOff.add(member);
      applyAll();
    },
    heal: (member) => {
      cutOff.delete(member);
      applyAll();
    },
    close: () => {
      for (const server of servers) server.close();
      for (const { sockets } of links) for (const socket of sockets) socket.destroy();
    },
  };
}

/** The inode of the caller's end of a connection on this machine (proc(5), /proc/net/tcp). */
function inodeOf(localPort: number, remotePort: number): string | undefined {
  const portOf = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16);
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields.length > 9 && portOf(fields[1]) === localPort && portOf(fields[2]) === remotePort) return fields[9];
  }
  return undefined;
}

function ownsSocket(pid: number | undefined, inode: string): boolean {
  if (pid === undefined) return false;
  const isIt = (descriptor: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`) === `socket:[${inode}]`;
    } catch {
      return false; // closed meanwhile
    }
  };
  try {
    return readdirSync(`/proc/${pid}/fd`).some(isIt);
  } catch {
    return false; // the process has exited meanwhile
  }
}
