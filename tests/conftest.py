"""What every test shares: how hard the property tests try."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A busy machine is no bug: nothing here fails because it was slow.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("here", PATIENT, derandomize="CI" in os.environ)
settings.register_profile("fuzz", PATIENT, max_examples=20_000, print_blob=True)
settings.load_profile("here")
