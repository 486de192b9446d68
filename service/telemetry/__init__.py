"""How the service is watched from outside: counts, logs and traces."""
