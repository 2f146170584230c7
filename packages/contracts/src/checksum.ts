/** The part of a resource that a checksum covers: its id and version. */
export type Versioned = { id: number; version: number };

/** A checksum over a set of resources. It does not depend on their order, and each change takes constant time. */
export type Checksum = {
  add: (resource: Versioned) => void;
  remove: (resource: Versioned) => void;
  /** Returns the number of resources and a 32-bit hash over their ids and versions: `3-9f1c20ab`. */
  text: () => string;
};

export function createChecksum(): Checksum {
  let count = 0;
  let sum = 0;
  return {
    add: (resource) => {
      count++;
      sum = (sum + hashOf(resource)) >>> 0;
    },
    remove: (resource) => {
      count--;
      sum = (sum - hashOf(resource)) >>> 0;
    },
    text: () => `${count}-${sum.toString(16)}`,
  };
}

export function checksumOf(resources: Iterable<Versioned>): string {
  const checksum = createChecksum();
  for (const resource of resources) checksum.add(resource);
  return checksum.text();
}

/**
 * Hashes a resource. Mixes all bits, so that changes to several resources do not cancel each other out when their hashes are
 * added.
 */
function hashOf({ id, version }: Versioned): number {
  let hash = Math.imul(id, 0x9e37_79b1) ^ Math.imul(version, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846c_a68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
