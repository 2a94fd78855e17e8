# What bash reads once somebody completes `tablectl`: always that of the release in use.
eval "$(tablectl completion bash)"
