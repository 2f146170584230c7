{{/* Names, labels and parts that several kinds of objects share. A service has the same name as its chart. */}}
{{- define "comanda.labelsOf" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/part-of: comanda
{{- end }}
{{- define "comanda.selector" -}}{{ include "comanda.labelsOf" (dict "root" . "component" "service") }}{{- end }}
{{- define "comanda.release" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ include "comanda.tag" . | trunc 63 | trimAll "._-" | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
{{- define "comanda.metadata" -}}
name: {{ .Chart.Name }}
labels:
  {{- include "comanda.selector" . | nindent 2 }}
  {{- include "comanda.release" . | nindent 2 }}
{{- end }}

{{- define "comanda.image" -}}
{{- $repository := .Values.image.repository | default (printf "%s/%s" (required "global.images is missing: the registry and folder of the images, such as registry.example.com/comanda." .Values.global.images) .Chart.Name) -}}
{{- if .Values.image.digest -}}{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}{{ $repository }}:{{ include "comanda.tag" . }}{{- end -}}
{{- end }}
{{- define "comanda.tag" -}}{{ include "comanda.text" (.Values.image.tag | default .Chart.AppVersion) }}{{- end }}

{{- define "comanda.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- define "comanda.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
{{- define "comanda.imagePullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}
