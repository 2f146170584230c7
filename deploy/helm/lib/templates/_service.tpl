{{/* All objects of a service. A chart's template is one line that includes this. */}}
{{- define "comanda.service" -}}
{{- include "comanda.checkValues" . -}}
{{- if .Values.run }}{{ include "comanda.run" . }}{{ else }}{{ include "comanda.objects" . }}{{ end -}}
{{- end }}

{{- define "comanda.objects" -}}
apiVersion: v1
kind: ServiceAccount
metadata: {{- include "comanda.metadata" . | nindent 2 }}
automountServiceAccountToken: false
---
apiVersion: v1
kind: Service
metadata: {{- include "comanda.metadata" . | nindent 2 }}
spec:
  selector: {{- include "comanda.selector" . | nindent 4 }}
  ports: [{ name: http, port: {{ .Values.port }}, targetPort: http, appProtocol: http }]
---
{{ include "comanda.deployment" . }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "comanda.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "comanda.selector" . | nindent 6 }}
{{- if .Values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{- include "comanda.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .Chart.Name }} }
  minReplicas: {{ .Values.autoscaling.min }}
  maxReplicas: {{ .Values.autoscaling.max }}
  metrics:
    - { type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ .Values.autoscaling.cpu }} } } }
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: Pods, value: 1, periodSeconds: 60 }] }
{{- end }}
{{- include "comanda.networkPolicies" . }}
{{- include "comanda.route" . }}
{{- include "comanda.prepare" . }}
{{- end }}

{{/* Rejects misspelt values, which Helm would ignore silently. */}}
{{- define "comanda.checkValues" -}}
{{- if not (dig "settings" "PUBLIC_URL" "" (.Values.global | default dict)) }}{{ fail "There is no environment: copy deploy/environment.example.yaml, and add -f environment.yaml." }}{{ end -}}
{{- $known := list "global" "comanda-lib" "port" "metricsPort" "public" "callers" "calls" "servers" "image" "settings" "defaultSettings" "terminationGracePeriodSeconds" "secretName" "secretsVersion" "replicas" "autoscaling" "minReadySeconds" "maxSurge" "resources" "podAnnotations" "prepare" "run" "route" -}}
{{- range $name, $_ := .Values }}{{ if not (has $name $known) }}{{ fail (printf "%s: there is no such value. deploy/helm/lib/values.yaml lists them." $name) }}{{ end }}{{ end -}}
{{- $knownOfAll := list "images" "settings" "route" "networkPolicy" "authority" -}}
{{- range $name, $_ := .Values.global }}{{ if not (has $name $knownOfAll) }}{{ fail (printf "global.%s: there is no such value. deploy/environment.example.yaml lists them." $name) }}{{ end }}{{ end -}}
{{- $members := dict "image" "repository tag digest pullPolicy pullSecrets" "autoscaling" "enabled min max cpu" "prepare" "enabled command secretName servers deadlineSeconds" "route" "tlsSecret annotations" -}}
{{- $membersOfAll := dict "route" "kind ingress gateway" "networkPolicy" "enabled ingress monitoring servers" "authority" "configMap" -}}
{{- range $name, $known := $members }}{{ range $member, $_ := (get $.Values $name | default dict) }}{{ if not (has $member (splitList " " $known)) }}{{ fail (printf "%s.%s: there is no such value. deploy/helm/lib/values.yaml lists them." $name $member) }}{{ end }}{{ end }}{{ end -}}
{{- range $name, $known := $membersOfAll }}{{ range $member, $_ := (get $.Values.global $name | default dict) }}{{ if not (has $member (splitList " " $known)) }}{{ fail (printf "global.%s.%s: there is no such value. deploy/environment.example.yaml lists them." $name $member) }}{{ end }}{{ end }}{{ end -}}
{{- with .Values.autoscaling }}{{ if and .enabled (gt (int .min) (int .max)) }}{{ fail (printf "autoscaling.min is %d, and autoscaling.max is %d." (int .min) (int .max)) }}{{ end }}{{ end -}}
{{- end }}
