"""Tests of accounts: secret keys, devices, recovery, deletion and export."""
