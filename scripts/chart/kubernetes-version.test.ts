import { expect, test } from '@jest/globals';
import { kubernetesVersion as ofTheLab } from '@comanda/local-stack/kubernetes/kubernetes-program';
import { kubernetesVersion } from './tools.ts';

test('when the charts are rendered for a version of Kubernetes, then the lab runs that version', () => {
  expect(ofTheLab).toBe(kubernetesVersion);
});
