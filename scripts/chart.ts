// npm run chart: renders each service's chart with helm, and rejects whatever a service or Kubernetes would reject. The first run
// needs Go to build the tools. npm run check uses `--if-built`, which skips the checks with a message if the tools are missing.
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { checkChart } from './chart/check-charts.ts';
import { exampleEnvironment } from './chart/render.ts';
import { findTools, installTools, kubernetesVersion } from './chart/tools.ts';
import { defineCommand, readCommandLine } from './command-line.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run chart',
    script: 'chart',
    about:
      'Renders the charts in deploy/helm, and checks them: settings by those of the services, objects by the schemas\nof Kubernetes (kubeconform), practice by kube-score. The first run builds these tools, which takes some minutes.',
    options: {
      environment: { value: 'FILE', help: 'values of your environment (deploy/environment.example.yaml)' },
      'if-built': { help: 'without the tools, say so and check nothing' },
    },
  }),
);

async function checkCharts(): Promise<number> {
  const tools = values['if-built'] ? findTools() : await installTools((line) => console.error(line));
  if (!tools) {
    console.log(
      'The charts were NOT checked: their tools are not built here. npm run chart builds them (it needs Go).',
    );
    return 0;
  }
  const environment = values.environment ?? exampleEnvironment;
  const results = await Promise.allSettled(serviceNames.map((service) => checkChart({ tools, service, environment })));
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled')
      console.log(
        `${serviceNames[index]}: ${result.value.objects} objects are right for Kubernetes ${kubernetesVersion}.`,
      );
    else if (isRefusal(result.reason)) console.error(result.reason.message);
    else throw result.reason;
  }
  return results.every(({ status }) => status === 'fulfilled') ? 0 : 1;
}

process.exitCode = await checkCharts().catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
