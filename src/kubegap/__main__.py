"""Where the faces come together: the command line, and the servers that it starts."""

from __future__ import annotations

import os
import sys

from kubegap.cli.main import run


def main() -> None:
    """Run `kubegap` with the process's arguments."""
    sys.exit(run(sys.argv[1:], os.environ, {"serve": "kubegap.web.serve", "mcp": "kubegap.mcp.serve"}))


if __name__ == "__main__":
    main()
