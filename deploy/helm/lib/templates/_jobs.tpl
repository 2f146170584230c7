{{/* The Job `prepare` runs before a release's pods are created. If it fails, no pods are created.
Its only secret is its database account. */}}
{{- define "comanda.prepare" -}}
{{- if .Values.prepare.enabled }}
---
apiVersion: batch/v1
kind: Job
metadata: {{- include "comanda.jobMetadata" (dict "root" . "component" "prepare" "weight" "0") | nindent 2 }}
spec: {{- include "comanda.jobSpec" (dict "root" . "component" "prepare" "command" .Values.prepare.command "secretName" .Values.prepare.secretName "secrets" (list "MONGODB_URI") "attempts" 3) | nindent 2 }}
{{- end }}
{{- end }}

{{/* With `run`, the chart creates only a Job for an operator's command, with the service's image, settings and secrets.
A command that prepares the database gets the account for that, as above. */}}
{{- define "comanda.run" -}}
apiVersion: batch/v1
kind: Job
metadata: {{- include "comanda.jobMetadata" (dict "root" . "component" "run") | nindent 2 }}
{{- $account := ternary (dict "secretName" .Values.prepare.secretName "secrets" (list "MONGODB_URI")) (dict "secretName" "") (deepEqual .Values.run .Values.prepare.command) }}
spec: {{- include "comanda.jobSpec" (merge $account (dict "root" . "component" "run" "command" .Values.run "attempts" 0)) | nindent 2 }}
{{- include "comanda.jobNetworkPolicy" (dict "root" . "component" "run" "servers" .Values.servers "calls" .Values.calls) }}
{{- end }}

{{- define "comanda.jobMetadata" -}}
name: {{ .root.Chart.Name }}-{{ .component }}
labels:
  {{- include "comanda.labelsOf" . | nindent 2 }}
  {{- include "comanda.release" .root | nindent 2 }}
{{- with .weight }}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ . | quote }}
  helm.sh/hook-delete-policy: before-hook-creation{{ if eq . "0" }},hook-succeeded{{ end }}
{{- end }}
{{- end }}

{{- define "comanda.jobSpec" -}}
backoffLimit: {{ .attempts }}
activeDeadlineSeconds: {{ .root.Values.prepare.deadlineSeconds }}
ttlSecondsAfterFinished: 86400
template:
  metadata:
    labels:
      {{- include "comanda.labelsOf" . | nindent 6 }}
      {{- include "comanda.release" .root | nindent 6 }}
  spec:
    restartPolicy: Never
    automountServiceAccountToken: false
    enableServiceLinks: false
    securityContext: {{- include "comanda.podSecurity" .root | nindent 6 }}
    {{- include "comanda.imagePullSecrets" .root | nindent 4 }}
    containers:
      - name: {{ .component }}
        image: {{ include "comanda.image" .root }}
        imagePullPolicy: {{ .root.Values.image.pullPolicy }}
        securityContext: {{- include "comanda.containerSecurity" .root | nindent 10 }}
        command: {{ toJson .command }}
        env: {{- include "comanda.env" .root | nindent 10 }}
        resources:
          requests: { cpu: 100m, memory: 128Mi, ephemeral-storage: 64Mi }
          limits: { memory: 512Mi, ephemeral-storage: 256Mi }
        volumeMounts: {{- include "comanda.volumeMounts" .root | nindent 10 }}
    volumes: {{- include "comanda.volumes" (dict "root" .root "secrets" .secrets "secretName" (.secretName | default (include "comanda.secretName" .root))) | nindent 6 }}
{{- end }}

{{- define "comanda.jobNetworkPolicy" -}}
{{- if (.root.Values.global.networkPolicy | default dict).enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{- include "comanda.jobMetadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "comanda.labelsOf" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress: {{- include "comanda.egress" . | nindent 4 }}
{{- end }}
{{- end }}
