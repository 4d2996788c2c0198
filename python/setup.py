# SPDX-License-Identifier: Apache-2.0
"""Builds the extension with CMake, which finds the library where longshot_ROOT or
CMAKE_PREFIX_PATH says (a build folder or an installed one), and builds it otherwise."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent


def version() -> str:
    lists = (HERE.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(longshot VERSION ([0-9.]+)", lists).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, ext: Extension) -> None:
        out = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        work = Path(self.build_temp).resolve()
        configure = ["cmake", "-G", "Ninja", "-S", HERE, "-B", work, "-DCMAKE_BUILD_TYPE=Release"]
        configure += [f"-DLONGSHOT_PYTHON_OUT={out}", f"-DPython_EXECUTABLE={sys.executable}"]
        # A distribution that has the library as a package of its own sets this to OFF.
        configure += [f"-DLONGSHOT_PYTHON_BUNDLE={os.environ.get('LONGSHOT_PYTHON_BUNDLE', 'ON')}"]
        subprocess.run(configure, check=True)
        jobs = str(self.parallel or len(os.sched_getaffinity(0)))
        subprocess.run(
            ["cmake", "--build", work, "--target", "_longshot", "--parallel", jobs], check=True
        )


setup(
    version=version(),
    ext_modules=[Extension("longshot._longshot", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
