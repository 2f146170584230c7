import { parentPort, workerData } from 'node:worker_threads';
import { endpoints } from '@comanda/contracts/registry';
import { asyncApi } from '@comanda/shared/api-docs/asyncapi';
import { openApi } from '@comanda/shared/api-docs/openapi';
import type { Addresses, ApiDocuments } from './api-documents.ts';
import { jsonFile } from './static-file.ts';

const { publicUrl, notifierPublicUrl } = workerData as Addresses;
const documents: ApiDocuments = {
  openApi: jsonFile(openApi(endpoints, publicUrl)),
  asyncApi: jsonFile(asyncApi({ gatewayUrl: publicUrl, notifierUrl: notifierPublicUrl })),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
parentPort?.postMessage(documents);
