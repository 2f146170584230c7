{{/* Runs before the pods of a release are made; they are not, unless it ends well. */}}
{{- define "comanda.prepare" -}}
{{- if .Values.prepare.enabled }}
---
apiVersion: batch/v1
kind: Job
metadata: {{- include "comanda.prepareMetadata" (dict "root" . "weight" "0") | nindent 2 }}
spec:
  backoffLimit: 3
  activeDeadlineSeconds: {{ .Values.prepare.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels:
        {{- include "comanda.labelsOf" (dict "root" . "component" "prepare") | nindent 8 }}
        {{- include "comanda.release" . | nindent 8 }}
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext: {{- include "comanda.podSecurity" . | nindent 8 }}
      {{- include "comanda.imagePullSecrets" . | nindent 6 }}
      containers:
        - name: prepare
          image: {{ include "comanda.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext: {{- include "comanda.containerSecurity" . | nindent 12 }}
          command: {{ toJson .Values.prepare.command }}
          env: {{- include "comanda.env" . | nindent 12 }}
          resources:
            requests: { cpu: 100m, memory: 128Mi, ephemeral-storage: 64Mi }
            limits: { memory: 512Mi, ephemeral-storage: 256Mi }
          volumeMounts: {{- include "comanda.volumeMounts" . | nindent 12 }}
      volumes: {{- include "comanda.volumes" (dict "root" . "secretName" (.Values.prepare.secretName | default (include "comanda.secretName" .))) | nindent 8 }}
{{- end }}
{{- end }}

{{- define "comanda.prepareMetadata" -}}
name: {{ .root.Chart.Name }}-prepare
labels:
  {{- include "comanda.labelsOf" (dict "root" .root "component" "prepare") | nindent 2 }}
  {{- include "comanda.release" .root | nindent 2 }}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation{{ if eq .weight "0" }},hook-succeeded{{ end }}
{{- end }}
