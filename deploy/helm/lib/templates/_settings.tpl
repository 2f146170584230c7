{{/* A container's settings. `comanda.known` is generated from the services' sources. */}}

{{/* A YAML number as Node reads it: 33554432, not 3.3554432e+07. A missing value gives an empty text. */}}
{{- define "comanda.text" -}}
{{- if kindIs "invalid" . -}}{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end }}

{{- define "comanda.env" -}}
{{- $service := .Chart.Name -}}
{{- $known := fromJson (include "comanda.known" .) -}}
{{- $own := get $known $service -}}
{{- $all := list -}}
{{- range $known }}{{ $all = concat $all .settings .secrets .optionalSecrets }}{{ end -}}
{{- $values := dict -}}
{{- range $name, $value := .Values.defaultSettings }}{{ $_ := set $values $name (tpl (include "comanda.text" $value) $) }}{{ end -}}
{{- range $name, $value := (.Values.global.settings | default dict) -}}
{{- if not (has $name $all) }}{{ fail (printf "global.settings.%s: no service takes this setting from a chart. docs/settings.md lists all settings." $name) }}{{ end -}}
{{- if has $name $own.settings }}{{ $_ := set $values $name (include "comanda.text" $value) }}{{ end -}}
{{- end -}}
{{- range $name, $value := .Values.settings }}{{ $_ := set $values $name (include "comanda.text" $value) }}{{ end -}}
{{- range $name, $value := $values -}}
{{- if has $name (concat $own.secrets $own.optionalSecrets) }}{{ fail (printf "settings.%s is a secret: write it into the Secret %s, key %s, and remove it here." $name (include "comanda.secretName" $) (lower $name)) }}{{ end -}}
{{- if not (has $name $own.settings) }}{{ fail (printf "settings.%s: %s takes no such setting from its chart. docs/settings.md lists them." $name $service) }}{{ end -}}
{{- end -}}
{{- range $name, $why := $own.required -}}
{{- if not (get $values $name) }}{{ fail (printf "global.settings.%s is missing: %s" $name $why) }}{{ end -}}
{{- end -}}
{{- /* A service stops within 20 s. */ -}}
{{- $drainMs := get $values "DRAIN_DELAY_MS" -}}
{{- $stopsInS := add 20 (div (add (atoi $drainMs) 999) 1000) -}}
{{- if le (int .Values.terminationGracePeriodSeconds) (int $stopsInS) }}{{ fail (printf "terminationGracePeriodSeconds is %d: with DRAIN_DELAY_MS %s, a pod needs up to %d s to stop, and a reserve." (int .Values.terminationGracePeriodSeconds) $drainMs $stopsInS) }}{{ end -}}
{{- range $name, $value := $values }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- range $own.secrets }}
- { name: {{ . }}_FILE, value: /run/secrets/comanda/{{ lower . }} }
{{- end }}
{{- range $own.optionalSecrets }}
- { name: {{ . }}_FILE, value: /run/secrets/optional/{{ lower . }} }
{{- end }}
{{- if include "comanda.authority" . }}
- { name: NODE_EXTRA_CA_CERTS, value: /run/authority/ca.pem }
{{- end }}
{{- end }}

{{- define "comanda.secretName" -}}{{ .Values.secretName | default (printf "comanda-%s" .Chart.Name) }}{{- end }}
{{- define "comanda.authority" -}}{{ (.Values.global.authority | default dict).configMap | default "" }}{{- end }}

{{- define "comanda.volumeMounts" -}}
- { name: secrets, mountPath: /run/secrets/comanda, readOnly: true }
- { name: optional-secrets, mountPath: /run/secrets/optional, readOnly: true }
{{- if include "comanda.authority" . }}
- { name: authority, mountPath: /run/authority, readOnly: true }
{{- end }}
{{- end }}
{{- define "comanda.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .secretName }}
    defaultMode: 0440
    items:
      {{- range .secrets | default (get (fromJson (include "comanda.known" .root)) .root.Chart.Name).secrets }}
      - { key: {{ lower . }}, path: {{ lower . }} }
      {{- end }}
- name: optional-secrets
  secret:
    secretName: {{ .secretName }}
    defaultMode: 0440
    optional: true
    items:
      {{- range (get (fromJson (include "comanda.known" .root)) .root.Chart.Name).optionalSecrets }}
      - { key: {{ lower . }}, path: {{ lower . }} }
      {{- end }}
{{- with include "comanda.authority" .root }}
- { name: authority, configMap: { name: {{ . }}, items: [{ key: ca.pem, path: ca.pem }] } }
{{- end }}
{{- end }}
