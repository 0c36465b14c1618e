#!/usr/bin/python3
"""Every command that README.md and docs/ show is run here as it stands there, in a shell.

Gates that need a cluster are planned (--dry-run is added), and builds that take minutes are looked
up: their files, options and targets must exist. A command that no line below knows is an error.
Usage: docs_commands_test.py SOURCE_DIR BINARY_DIR
"""

import gzip
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BINARIES = pathlib.Path(sys.argv[2]).resolve()
del sys.argv[1:3]

WARNING = (
    "\n[2026-11-01 10:00:0{}] a:1234:5678 [3] /build/rccl/hipify/src/misc/api_trace.cc:517 NCCL WARN "
    "Please note that ncclAllToAllv is deprecated, please use ncclAlltoAllv instead\n"
)
# The identity strings of a build, as a real librccl holds them.
LIBRARY = b"\x7fELF\0code\0" b"2.30.4\0develop:e711c9e\0"

# What a line begins with, what becomes of it, and the exit codes that it may have.
PLANNED = " --dry-run"
RUN = [
    ("abgate plan ", "", {0}),
    ("abgate run --workload", PLANNED, {0}),
    ("abgate run --from", PLANNED, {0}),
    ("abgate run … --notify-command", PLANNED, {0}),
    ("abgate run … | tee", "", {0}),
    ("abgate run --resume", "", {0, 3}),  # 3: other work on this host disturbed it
    ("abgate condense ", "", {0}),
    ("zcat node_0.out.gz | abgate condense", "", {0}),
    ("abgate history ", "", {0}),
    ("abgate report ", "", {0}),
    ("abgate score ", "", {0}),
    ("abgate selftest", "", {0}),
    ("abgate doctor ", "", {4}),  # of a cluster that is not here
    ("set -o pipefail", "", {0}),
]


def shown_commands():
    """(file, command) of every block of shell, and of every indented line that begins with abgate."""
    for path in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]:
        language, command = None, ""
        for line in path.read_text(encoding="utf-8").splitlines():
            fence = re.match(r"\s*```(\w*)", line)
            if fence:
                language = fence[1] if language is None else None
                continue
            if language != "sh" and not (language is None and line.startswith("    abgate ")):
                continue
            command += line.strip()
            if command.endswith("\\"):
                command = command[:-1]
                continue
            if command:
                yield path.name, re.sub(r"\s{2,}# .*$", "", command)
            command = ""


class Commands(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="abgate-docs-"))
        home = cls.home
        (home / "bin").mkdir()
        for name, program in [("abgate", "abgate"), ("madengine", "madengine-standin")]:
            (home / "bin" / name).symlink_to(BINARIES / program)
        for tool in ("docker", "salloc", "srun", "squeue", "scancel", "scontrol", "sinfo"):
            if shutil.which(tool) is None:  # only looked up, never run
                (home / "bin" / tool).write_text("#!/bin/sh\nexit 1\n")
                (home / "bin" / tool).chmod(0o755)
        shutil.copytree(SOURCE / "tests/data/scripts", home / "MAD/scripts")
        (home / "builds").mkdir()
        (home / "builds/librccl.so.1.0").write_bytes(LIBRARY)
        (home / "docs").symlink_to(SOURCE / "docs")
        cls.environment = {
            "PATH": f"{home}/bin:{os.environ['PATH']}",
            "HOME": str(home),
            "MAD": str(home / "MAD"),
            "IMAGE": "rocm/primus:v26.4-rccl-e711c9e",
            "RCCL_HASH": "e711c9e",
            "BUILD_ID": "7",
        }
        cls.interrupt_a_gate()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    @classmethod
    def bash(cls, command):
        return subprocess.run(
            ["bash", "-c", command], cwd=cls.home, env=cls.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, check=False)

    @classmethod
    def interrupt_a_gate(cls):
        """gates/tonight: a gate that a signal stopped in its first phase."""
        argv = ["abgate", "run", "--workload", "demo", "--cluster", "local", "--nodes", "2",
                "--engine", "madengine", "--scripts", "MAD/scripts", "--candidate-rccl", "e711c9e",
                "--candidate-image", "rocm/primus:v26.4-rccl-e711c9e", "--work-dir", "gates/tonight"]
        (cls.home / "gates").mkdir()
        gate = subprocess.Popen(argv, cwd=cls.home, env=cls.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        log = cls.home / "gates/tonight/phases/1-baseline/engine.log"
        deadline = time.monotonic() + 30
        while not log.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        gate.send_signal(signal.SIGINT)
        _, err = gate.communicate(timeout=30)
        assert gate.returncode == 128 + signal.SIGINT, err

    def prepare(self, file):
        """What the page talks about lies where it says; pages do not share it."""
        home = self.home
        for name in ("DIR", "slurm_output", "gates/tuesday", "gates/monday", "shared"):
            shutil.rmtree(home / name, ignore_errors=True)
        phases = SOURCE / "tests/data/phases"
        score = ("abgate score --workload gpt-oss-120b-training --cluster ruby "
                 f"--baseline {phases}/gptoss-baseline --candidate {phases}/gptoss-candidate-")
        for name in ("monday", "tuesday"):
            self.bash(f"mkdir -p gates/{name} && {score}ok --out gates/{name}")
            self.assertTrue((home / f"gates/{name}/gate.json").exists())
        if file == "history.md":
            self.bash(f"mkdir DIR && {score}ok --results-dir DIR; {score}slow --results-dir DIR")
            self.assertTrue((home / "DIR/history.jsonl").exists())
        else:
            shutil.copytree(home / "gates/tonight", home / "DIR")
            shutil.rmtree(home / "DIR/phases")
            for side, phase in [("1-baseline", "baseline"), ("2-candidate", "candidate-ok")]:
                shutil.copytree(phases / f"gptoss-{phase}", home / "DIR/phases" / side)
        log = "".join(WARNING.format(i % 10) for i in range(200)).encode()
        (home / "slurm_output").mkdir()
        for name in ("node_0.out", "slurm_output/node_0.out"):
            (home / name).write_bytes(log)
        (home / "node_0.out.gz").write_bytes(gzip.compress(log))

    def adapted(self, command, more):
        """The command with what only stands for something filled in."""
        command = command.replace("/shared/abgate", "shared").replace(
            "run …", "run --workload gpt-oss-120b-training --cluster ruby --scripts ~/MAD/scripts "
            "--candidate-rccl e711c9e --candidate-image rocm/primus:v26.4-rccl-e711c9e")
        if "run --workload" in command and not more:
            more = PLANNED
        if command.startswith("abgate history show"):
            runs = sorted(path.name for path in (self.home / "DIR/runs").iterdir())
            command = re.sub(r"\S+$", runs[0], command)
        if "--from" in command:  # the record is of this host, which has no other nodes
            command = re.sub(r" --nodelist \S+", "", command)
        head, pipe, tail = command.partition(" 2>&1 | tee" if "2>&1" in command else " | tee")
        return "set -o pipefail; " + head + more + pipe + tail

    def look_up(self, command):
        """A build or a benchmark: what it names exists."""
        words = command.split()
        if words[:2] == ["cmake", "--build"] or words[:2] == ["cmake", "--install"]:
            return  # packaging_test.cpp installs what was built
        listfiles = "".join(p.read_text() for p in [SOURCE / "CMakeLists.txt",
                            *SOURCE.glob("src/**/CMakeLists.txt"), *SOURCE.glob("tests/**/CMakeLists.txt")])
        if words[0] == "cmake":
            for name in re.findall(r"-D(ABGATE_\w+)=", command):
                self.assertIn(f"option({name} ", listfiles)
        elif words[0] == "ninja":
            for target in words[3:]:
                self.assertRegex(listfiles, rf"\b{target.removeprefix('fuzz_')}\b")
        elif words[0].startswith("build/"):
            self.assertRegex(listfiles, rf"\b{pathlib.Path(words[0]).name.removeprefix('fuzz_')}\b")
        else:
            script = SOURCE / (words[1] if words[0] == "bash" else words[0])
            self.assertTrue(script.is_file(), script)

    def test_every_command(self):
        seen, file_before = 0, None
        for file, command in shown_commands():
            if file != file_before:
                self.prepare(file)
                file_before = file
            seen += 1
            with self.subTest(file=file, command=command):
                known = [row for row in RUN if command.startswith(row[0])]
                if not known:
                    self.assertRegex(
                        command, r"^(bash tests/|cmake |ninja |tests/bench/|build/)",
                        "not known here: say in RUN what it should end with")
                    self.look_up(command)
                    continue
                _, more, codes = known[0]
                line = self.adapted(command, more)
                done = self.bash(line)
                self.assertIn(done.returncode, codes, f"{line}\n{done.stdout}\n{done.stderr}")
        self.assertGreater(seen, 30)


if __name__ == "__main__":
    unittest.main()
