{{/* Which peers may reach the pods of the service and of its Job, and which peers these pods may reach. Kubernetes treats an
empty list of peers or ports as all of them, so no list may be empty here. */}}
{{- define "comanda.networkPolicies" -}}
{{- $policy := .Values.global.networkPolicy | default dict -}}
{{- if $policy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{- include "comanda.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "comanda.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if or .Values.callers .Values.public }}
    - ports: [{ port: http }]
      from:
        {{- range .Values.callers }}
        - {{ include "comanda.caller" . }}
        {{- end }}
        {{- if .Values.public }}
        {{- required "global.networkPolicy.ingress is missing: the pods of the proxy in front, as a list of peers." ($policy.ingress | default nil) | toYaml | nindent 8 }}
        {{- end }}
    {{- end }}
    - ports: [{ port: {{ ternary "metrics" "http" (hasKey .Values "metricsPort") }} }]
      from: {{- required "global.networkPolicy.monitoring is missing: the pods of Prometheus, as a list of peers." ($policy.monitoring | default nil) | toYaml | nindent 8 }}
  {{- $own := .Values.settings | default dict }}
  {{- $endpoint := "OTEL_EXPORTER_OTLP_ENDPOINT" }}
  {{- $hasTraces := get (ternary $own .Values.global.settings (hasKey $own $endpoint)) $endpoint }}
  {{- $servers := ternary (append .Values.servers "collector") .Values.servers (not (empty $hasTraces)) }}
  {{- /* Only a service that takes this setting calls the bank. */}}
  {{- $bank := "PIX_BANK_URL" }}
  {{- $takesBank := has $bank (get (fromJson (include "comanda.known" .)) .Chart.Name).settings }}
  {{- $bankUrl := get (ternary $own (.Values.global.settings | default dict) (hasKey $own $bank)) $bank }}
  {{- $servers = ternary (append $servers "bank") $servers (and $takesBank (not (empty $bankUrl))) }}
  egress: {{- include "comanda.egress" (dict "root" . "servers" $servers "calls" .Values.calls) | nindent 4 }}
{{- if .Values.prepare.enabled }}
{{- include "comanda.jobNetworkPolicy" (dict "root" . "component" "prepare" "weight" "-5" "servers" .Values.prepare.servers) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "comanda.peer" -}}
{ podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }}, app.kubernetes.io/component: service, app.kubernetes.io/part-of: comanda } } }
{{- end }}
{{/* The pods of a calling service, including those of its operator commands: verify-ledger, for example,
fetches keys from auth-stepup. */}}
{{- define "comanda.caller" -}}
{ podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: comanda }, matchExpressions: [{ key: app.kubernetes.io/component, operator: In, values: [service, run] }] } }
{{- end }}
{{- define "comanda.egress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- range $name, $port := .calls }}
- ports: [{ port: {{ $port }} }]
  to: [{{ include "comanda.peer" $name }}]
{{- end }}
{{- $rules := .root.Values.global.networkPolicy.servers | default dict }}
{{- range .servers }}
{{- $rule := get $rules . | default dict }}
{{- if not (and $rule.ports $rule.to) }}{{ fail (printf "global.networkPolicy.servers.%s is missing: set its ports, and where it is (to)." .) }}{{ end }}
- {{ toYaml $rule | nindent 2 | trim }}
{{- end }}
{{- end }}
