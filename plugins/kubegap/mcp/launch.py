"""Starts `kubegap mcp` for a client of the Model Context Protocol; where it cannot, says in the client what is missing.

Clients show no more than "connection closed" of a server that dies. So this one never dies silently: without a kubegap that it
can start, it serves one tool, `get_setup_help`. Only the standard library is used, of any Python from 3.8.

Read from the environment: `KUBEGAP_BIN` (the kubegap to start), `KUBEGAP_USE_UVX=1` (fetch it with uvx where there is none).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

# The folder is a client's: nothing is written there.
sys.dont_write_bytecode = True
import setup_help  # noqa: E402

# The version of the plugin; a test holds all the places equal that say it.
VERSION = "0.1.0"
# The oldest kubegap that has the tools which the skills name.
OLDEST = "0.1.0"
# It is asked twice, and the shortest wait of a client for a server is 30 s.
SECONDS = 12


def main() -> None:
    """Become `kubegap mcp`, or serve the help."""
    command, trouble = choose(os.environ)
    if command:
        become(command, os.environ)
    print("kubegap: " + setup_help.TROUBLES[trouble["kind"]]["en"].format(**trouble), file=sys.stderr)
    setup_help.serve(sys.stdin.buffer, sys.stdout.buffer, VERSION, trouble)


def choose(environment):
    """The command to become, or None with what is wrong: `kind` and the values of its sentence."""
    named = environment.get("KUBEGAP_BIN", "").strip()
    found = shutil.which(named) if named else shutil.which("kubegap", path=environment.get("PATH"))
    if found:
        trouble = what_is_wrong(found)
        return (None, trouble) if trouble else ([found, "mcp"], None)
    if named:
        return None, {"kind": "no-such-file", "path": named}
    uvx = shutil.which("uvx", path=environment.get("PATH"))
    # Never by default: it would run whatever stands under that name in the package index.
    if environment.get("KUBEGAP_USE_UVX") == "1":
        if uvx:
            return [uvx, "--from", "kubegap[mcp]==" + VERSION, "kubegap", "mcp"], None
        return None, {"kind": "no-uvx"}
    return None, {"kind": "absent"}


def what_is_wrong(path):
    """None if this kubegap can serve, else what keeps it from that."""
    said = ask(path, "--version")
    version = re.match(r"kubegap (\d+(?:\.\d+)*)", said)
    if not version:
        return {"kind": "broken", "path": path, "said": last_line(said)}
    if numbers(version[1]) < numbers(OLDEST):
        return {"kind": "too-old", "path": path, "found": version[1], "needed": OLDEST}
    # Its help names the options only where the packages of the server are installed.
    said = ask(path, "mcp", "--help")
    return None if "--kubeconfig" in said else {"kind": "no-extra", "path": path, "said": last_line(said)}


def ask(path, *arguments):
    """What a kubegap prints, on either channel, in English; nothing it does can end us."""
    environment = dict(os.environ, LC_ALL="en_US.UTF-8", PYTHONIOENCODING="utf-8")
    try:
        run = subprocess.run(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS} s"
    except OSError as error:
        return str(error)
    return run.stdout.decode("utf-8", "replace")


def numbers(version):
    """`1.10.0` as a tuple that compares; zeros at the end count nothing."""
    parts = [int(part) for part in version.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def last_line(said):
    """The line that tells what went wrong, capped, without characters that steer a terminal or hide."""
    plain = ("".join(c for c in line if c.isprintable()).strip() for line in said.splitlines())
    lines = [line for line in plain if line]
    return lines[-1][:300] if lines else "-"


def become(command, environment):
    """Turn into the server; Windows cannot, so there it runs below us with our channels."""
    # An option that the user left empty arrives as an empty variable; it means "not set".
    kept = {key: value for key, value in environment.items() if value or not key.startswith("KUBEGAP_")}
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=kept))
    os.execve(command[0], command, kept)


if __name__ == "__main__":
    main()
