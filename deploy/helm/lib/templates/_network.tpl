{{/* Who may reach a pod, and whom it may reach: that of the service, and that of its Job. */}}
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
        - {{ include "comanda.peer" . }}
        {{- end }}
        {{- if .Values.public }}
        {{- required "global.networkPolicy.ingress is missing: the pods of the proxy in front, as a list of peers." $policy.ingress | toYaml | nindent 8 }}
        {{- end }}
    {{- end }}
    - ports: [{ port: {{ ternary "metrics" "http" (hasKey .Values "metricsPort") }} }]
      from: {{- required "global.networkPolicy.monitoring is missing: the pods of Prometheus, as a list of peers." $policy.monitoring | toYaml | nindent 8 }}
  {{- $settings := merge dict .Values.settings (.Values.global.settings | default dict) }}
  {{- $servers := ternary (append .Values.servers "collector") .Values.servers (ne (get $settings "OTEL_EXPORTER_OTLP_ENDPOINT") "") }}
  egress: {{- include "comanda.egress" (dict "root" . "servers" $servers "calls" .Values.calls) | nindent 4 }}
{{- if .Values.prepare.enabled }}
{{- include "comanda.jobNetworkPolicy" (dict "root" . "component" "prepare" "weight" "-5" "servers" .Values.prepare.servers) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "comanda.peer" -}}
{ podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }}, app.kubernetes.io/component: service, app.kubernetes.io/part-of: comanda } } }
{{- end }}
{{- define "comanda.egress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- range $name, $port := .calls }}
- ports: [{ port: {{ $port }} }]
  to: [{{ include "comanda.peer" $name }}]
{{- end }}
{{- $rules := .root.Values.global.networkPolicy.servers | default dict }}
{{- range .servers }}
- {{ required (printf "global.networkPolicy.servers.%s is missing: its ports, and where it is (to)." .) (get $rules .) | toYaml | nindent 2 | trim }}
{{- end }}
{{- end }}
