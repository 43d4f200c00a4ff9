"""Reports as one HTML file that opens from disk: no network, charts, tables that sort, entries in full."""
