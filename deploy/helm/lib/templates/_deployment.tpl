{{- define "comanda.deployment" -}}
{{- $probed := ternary "metrics" "http" (hasKey .Values "metricsPort") -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "comanda.metadata" . | nindent 2 }}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  progressDeadlineSeconds: 300
  minReadySeconds: {{ .Values.minReadySeconds }}
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: {{ .Values.maxSurge }} } }
  selector:
    matchLabels: {{- include "comanda.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "comanda.selector" . | nindent 8 }}
        {{- include "comanda.release" . | nindent 8 }}
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/path: /metrics
        prometheus.io/port: {{ .Values.metricsPort | default .Values.port | quote }}
        {{- with .Values.secretsVersion }}
        comanda/secrets: {{ include "comanda.text" . | quote }}
        {{- end }}
        {{- with .Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ .Chart.Name }}
      automountServiceAccountToken: false
      enableServiceLinks: false # otherwise, Kubernetes would set ORDERS_PORT and similar variables
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      securityContext: {{- include "comanda.podSecurity" . | nindent 8 }}
      {{- include "comanda.imagePullSecrets" . | nindent 6 }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "comanda.selector" $ | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "comanda.image" . }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext: {{- include "comanda.containerSecurity" . | nindent 12 }}
          ports:
            - { name: http, containerPort: {{ .Values.port }} }
            {{- with .Values.metricsPort }}
            - { name: metrics, containerPort: {{ . }} }
            {{- end }}
          env: {{- include "comanda.env" . | nindent 12 }}
          # Checks only that the process responds: if MongoDB, Redis or RabbitMQ is down, restarting a pod would not help.
          livenessProbe: { httpGet: { path: /livez, port: {{ $probed }} }, periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 6 }
          readinessProbe: { httpGet: { path: /readyz, port: {{ $probed }} }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 }
          startupProbe: { httpGet: { path: /livez, port: {{ $probed }} }, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 60 }
          resources: {{- toYaml .Values.resources | nindent 12 }}
          volumeMounts: {{- include "comanda.volumeMounts" . | nindent 12 }}
      volumes: {{- include "comanda.volumes" (dict "root" . "secretName" (include "comanda.secretName" .)) | nindent 8 }}
{{- end }}
