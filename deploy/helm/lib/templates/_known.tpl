{{/* Generated from services/NAME/src/config.ts by npm run docs. */}}
{{- define "comanda.known" -}}
{
  "auth-stepup": {
    "settings": [
      "DRAIN_DELAY_MS",
      "HASH_QUEUE",
      "HASH_WAIT_MS",
      "HASH_WORKERS",
      "KEY_ROTATION_DAYS",
      "LOG_LEVEL",
      "MANAGER_SESSION_HOURS",
      "MONGODB_DATABASE",
      "ORDERS_URL",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "PASSWORD_MAX_FAILURES",
      "PIN_HASH_QUEUE",
      "PIN_HASH_WAIT_MS",
      "PIN_HASH_WORKERS",
      "PIN_LIFETIME_FAILURES",
      "PIN_SIGN_IN_AFTER_BLOCK",
      "PUBLIC_URL",
      "RATE_LIMIT_GUEST",
      "RATE_LIMIT_REFRESH",
      "RATE_LIMIT_REFRESH_FORGED",
      "RATE_LIMIT_REGISTRATION",
      "RATE_LIMIT_SIGN_IN",
      "RATE_LIMIT_SIGN_IN_ADDRESS",
      "RATE_LIMIT_SIGN_IN_FAILURES",
      "REDIS_PREFIX",
      "SEATING_OPENED_BY",
      "SESSION_DAYS",
      "STAFF_URL",
      "STEP_UP_DETAILS_REQUIRED",
      "TABLE_CLEANING",
      "TOKEN_AUDIENCE",
      "TOKEN_ISSUER",
      "TRANSFERS_URL",
      "TRUSTED_PROXIES"
    ],
    "secrets": [
      "CALLER_SECRETS",
      "KEY_SEALING_SECRET",
      "MONGODB_URI",
      "PIN_PEPPER",
      "RABBITMQ_URL",
      "REDIS_URL",
      "SERVICE_SECRET"
    ],
    "optionalSecrets": [
      "OTEL_EXPORTER_OTLP_HEADERS"
    ],
    "required": {
      "ORDERS_URL": "URL of orders.",
      "PUBLIC_URL": "URL at which guests reach the gateway. It is part of the QR codes of tables.",
      "TRANSFERS_URL": "URL of transfers.",
      "TRUSTED_PROXIES": "Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal` or `uniquelocal`."
    }
  },
  "orders": {
    "settings": [
      "ARCHIVE_AFTER_DAYS",
      "AUTH_STEPUP_URL",
      "CURRENCY",
      "CUSTOMER_OPEN_ITEMS",
      "CUSTOMER_OPEN_ORDERS",
      "CUSTOMER_ORDERS",
      "CUSTOMER_PORTION_PERCENT",
      "DAY_STARTS_AT",
      "DRAIN_DELAY_MS",
      "JWKS_URL",
      "LOG_LEVEL",
      "MENU_STEP_UP",
      "MONGODB_DATABASE",
      "ORDER_QUEUE_LIMIT",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "TIME_ZONE",
      "TOKEN_AUDIENCE",
      "TOKEN_ISSUER"
    ],
    "secrets": [
      "CALLER_SECRETS",
      "MONGODB_URI",
      "RABBITMQ_URL",
      "SERVICE_SECRET"
    ],
    "optionalSecrets": [
      "OTEL_EXPORTER_OTLP_HEADERS"
    ],
    "required": {
      "AUTH_STEPUP_URL": "URL of auth-stepup.",
      "JWKS_URL": "URL of the public keys that verify access tokens."
    }
  },
  "transfers": {
    "settings": [
      "AUTH_STEPUP_URL",
      "CHECKPOINT_EVERY_S",
      "CURRENCY",
      "DRAIN_DELAY_MS",
      "JWKS_URL",
      "LOG_LEVEL",
      "MAX_ACCOUNTS_PER_OWNER",
      "MONGODB_DATABASE",
      "ORDERS_URL",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "PIX_ASK_EVERY_S",
      "PIX_BANK_CLIENT_ID",
      "PIX_BANK_TOKEN_AUTH",
      "PIX_BANK_TOKEN_URL",
      "PIX_BANK_URL",
      "PIX_CITY",
      "PIX_KEY",
      "PIX_MODE",
      "PIX_NAME",
      "TOKEN_AUDIENCE",
      "TOKEN_ISSUER"
    ],
    "secrets": [
      "CALLER_SECRETS",
      "KEY_SEALING_SECRET",
      "MONGODB_URI",
      "RABBITMQ_URL",
      "SERVICE_SECRET"
    ],
    "optionalSecrets": [
      "OTEL_EXPORTER_OTLP_HEADERS",
      "PIX_BANK_CA",
      "PIX_BANK_CERT",
      "PIX_BANK_CERT_KEY",
      "PIX_BANK_CLIENT_SECRET"
    ],
    "required": {
      "AUTH_STEPUP_URL": "URL of auth-stepup.",
      "JWKS_URL": "URL of the public keys that verify access tokens.",
      "ORDERS_URL": "URL of orders."
    }
  },
  "notifier": {
    "settings": [
      "ALLOWED_ORIGINS",
      "DRAIN_DELAY_MS",
      "DRAIN_WINDOW_MS",
      "FEED_LIMIT_ADDRESS",
      "FEED_PENDING_LIMIT",
      "FEED_PENDING_LIMIT_ADDRESS",
      "FEED_READERS",
      "FEED_RING_BYTES",
      "FEED_RING_EVENTS",
      "JWKS_URL",
      "LOG_LEVEL",
      "METRICS_AGE_MS",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "PROXY_HOPS",
      "RATE_LIMIT_FEED",
      "SOCKETS_PER_USER",
      "TOKEN_AUDIENCE",
      "TOKEN_ISSUER",
      "TRUSTED_PROXIES"
    ],
    "secrets": [
      "RABBITMQ_URL",
      "SERVICE_SECRET"
    ],
    "optionalSecrets": [
      "OTEL_EXPORTER_OTLP_HEADERS"
    ],
    "required": {
      "ALLOWED_ORIGINS": "Other origins whose pages may call the API, such as `https://menu.example.com`.",
      "JWKS_URL": "URL of the public keys that verify access tokens.",
      "TRUSTED_PROXIES": "Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal` or `uniquelocal`."
    }
  },
  "gateway": {
    "settings": [
      "ALLOWED_ORIGINS",
      "AUTH_STEPUP_URL",
      "CONNECTION_LIMIT_ADDRESS",
      "DRAIN_DELAY_MS",
      "DRAIN_WINDOW_MS",
      "FEED_LIMIT",
      "FEED_LIMIT_ADDRESS",
      "FEED_PENDING_LIMIT",
      "FEED_PENDING_LIMIT_ADDRESS",
      "JWKS_URL",
      "LOG_LEVEL",
      "METRICS_AGE_MS",
      "NOTIFIER_PUBLIC_URL",
      "NOTIFIER_URL",
      "ORDERS_URL",
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "OTEL_TRACES_SAMPLER_ARG",
      "PROXY_HOPS",
      "PUBLIC_URL",
      "RATE_LIMIT_ADDRESS",
      "RATE_LIMIT_ADDRESS_USERS",
      "RATE_LIMIT_FEED",
      "RATE_LIMIT_FILES",
      "RATE_LIMIT_REFUSED",
      "RATE_LIMIT_STAFF",
      "RATE_LIMIT_STEP_UP",
      "RATE_LIMIT_USER",
      "REDIS_PREFIX",
      "STAFF_URL",
      "TOKEN_AUDIENCE",
      "TOKEN_ISSUER",
      "TRANSFERS_URL",
      "TRUSTED_PROXIES",
      "UNFINISHED_LIMIT_ADDRESS",
      "UPSTREAM_LIMIT",
      "UPSTREAM_TIMEOUT_MS"
    ],
    "secrets": [
      "REDIS_URL",
      "SERVICE_SECRET"
    ],
    "optionalSecrets": [
      "OTEL_EXPORTER_OTLP_HEADERS"
    ],
    "required": {
      "AUTH_STEPUP_URL": "URL of auth-stepup.",
      "JWKS_URL": "URL of the public keys that verify access tokens.",
      "NOTIFIER_PUBLIC_URL": "URL at which the staff's browsers reach the notifier.",
      "NOTIFIER_URL": "URL of the notifier.",
      "ORDERS_URL": "URL of orders.",
      "PUBLIC_URL": "URL at which guests reach the gateway. It is part of the QR codes of tables.",
      "TRANSFERS_URL": "URL of transfers.",
      "TRUSTED_PROXIES": "Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: addresses, networks such as `10.0.0.0/8`, `loopback`, `linklocal` or `uniquelocal`."
    }
  }
}
{{- end }}
