VERSION = "0.3.0"  # The version of the service that this package was released with.
