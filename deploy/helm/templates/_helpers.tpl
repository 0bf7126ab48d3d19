{{- define "modelwire.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "modelwire.fullname" -}}
{{- $name := include "modelwire.name" . }}
{{- $default := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) }}
{{- .Values.fullnameOverride | default $default | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "modelwire.selectorLabels" -}}
app.kubernetes.io/name: {{ include "modelwire.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "modelwire.labels" -}}
{{ include "modelwire.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- end }}

{{- define "modelwire.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "modelwire.serviceAccountName" -}}
{{- $default := .Values.serviceAccount.create | ternary (include "modelwire.fullname" .) "default" }}
{{- .Values.serviceAccount.name | default $default }}
{{- end }}

{{/* Whether the database and the bucket store everything, so that there can be replicas: "true" or empty. */}}
{{- define "modelwire.isReplicated" -}}
{{- if and .Values.secrets.database.name .Values.config.s3 }}true{{ end }}
{{- end }}

{{/* Fails for values that the schema cannot refuse. */}}
{{- define "modelwire.validate" -}}
{{- $values := .Values }}
{{- if and (or $values.autoscaling.enabled (gt (int $values.replicas) 1)) (not (include "modelwire.isReplicated" .)) }}
{{- fail "Several replicas need secrets.database.name and config.s3: one server at a time can use a volume." }}
{{- end }}
{{- if and $values.secrets.database.name (not (or $values.secrets.apiKeys.name $values.secrets.environment.name)) }}
{{- fail "secrets.database.name needs secrets.apiKeys.name, or MODELWIRE_API_KEYS in secrets.environment: each pod would create a key of its own at each start." }}
{{- end }}
{{- range $field, $instead := dict "apiKeys" "secrets.apiKeys" "database" "secrets.database" "host" "service" "port" "service.port" "data" "persistence" }}
{{- if hasKey $values.config $field }}
{{- fail (printf "config.%s cannot be set here: use %s." $field $instead) }}
{{- end }}
{{- end }}
{{- range $field := list "upstreams" "providers" }}
{{- range index $values.config $field }}
{{- if hasKey . "apiKey" }}
{{- fail (printf "config.%s: a ConfigMap is not secret. Put the key into the Secret of secrets.environment, and name it in apiKeyEnv." $field) }}
{{- end }}
{{- range $header, $value := dig "options" "headers" (get . "headers" | default dict) . }}
{{- if regexMatch "(?i)authorization|cookie|key|token|secret" $header }}
{{- fail (printf "config.%s: the header %s looks secret, which a ConfigMap is not. Name a variable of secrets.environment in apiKeyEnv." $field $header) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
