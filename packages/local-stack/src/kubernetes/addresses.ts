/**
 * Kubernetes refuses loopback addresses for pods and Services, and every process of this machine can listen at any of them. So
 * 10.A.B.C in Kubernetes is 127.A.B.C here.
 */
export const onThisMachine = (address: string): string => address.replace(/^10\./, '127.');

/** Where the API server takes the addresses of Services from. */
export const serviceNetwork = '10.96.0.0/16';

/** The addresses of pods, each for one pod. */
export function createPodAddresses(): () => string {
  let last = 0;
  return () => {
    last++;
    return `10.244.${Math.floor(last / 250)}.${(last % 250) + 1}`;
  };
}
