{{/* How clients reach a service with `public`: an Ingress or an HTTPRoute at the hosts of its URLs. */}}
{{- define "comanda.route" -}}
{{- $settings := .Values.global.settings -}}
{{- $route := .Values.global.route | default dict -}}
{{- $kind := $route.kind | default "none" -}}
{{- if not (has $kind (list "ingress" "gateway" "none")) }}{{ fail (printf "global.route.kind is %s: use ingress, gateway (Gateway API) or none." $kind) }}{{ end -}}
{{- with .Values.public }}
{{- $url := urlParse (required (printf "global.settings.%s is missing: where clients reach %s." .url $.Chart.Name) (get $settings .url)) -}}
{{- $hosts := list ((splitList ":" $url.host) | first) -}}
{{- with get $settings (.staffUrl | default "") }}
{{- if eq (urlParse .).host $url.host }}{{ fail (printf "global.settings.STAFF_URL has the host of PUBLIC_URL (%s): use another host, or remove the setting." $url.host) }}{{ end -}}
{{- $hosts = append $hosts ((splitList ":" (urlParse .).host) | first) | uniq -}}
{{- end -}}
{{- /* If the gateway and the notifier have the same host, live feeds go through the gateway. */ -}}
{{- $ofGateway := list (urlParse $settings.PUBLIC_URL).host (urlParse ($settings.STAFF_URL | default "")).host -}}
{{- $throughGateway := and (ne .url "PUBLIC_URL") (has $url.host $ofGateway) -}}
{{- if and (eq $kind "ingress") (not $throughGateway) }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "comanda.metadata" $ | nindent 2 }}
  {{- with merge (dict) $.Values.route.annotations (dig "ingress" "annotations" dict $route) }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with dig "ingress" "className" "" $route }}
  ingressClassName: {{ . }}
  {{- end }}
  tls: [{ hosts: {{ toJson $hosts }}, secretName: {{ $.Values.route.tlsSecret | default (printf "%s-tls" $.Chart.Name) }} }]
  rules:
    {{- range $hosts }}
    - host: {{ . }}
      http:
        paths: [{ path: /, pathType: Prefix, backend: { service: { name: {{ $.Chart.Name }}, port: { name: http } } } }]
    {{- end }}
{{- else if and (eq $kind "gateway") (not $throughGateway) }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "comanda.metadata" $ | nindent 2 }}
  {{- with $.Values.route.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs: {{- required "global.route.gateway.parentRefs is missing: the Gateway whose listeners have the certificates." ((dig "gateway" "parentRefs" list $route) | default nil) | toYaml | nindent 4 }}
  hostnames: {{ toJson $hosts }}
  rules: [{ backendRefs: [{ name: {{ $.Chart.Name }}, port: {{ $.Values.port }} }] }]
{{- end }}
{{- end }}
{{- end }}
