"""``rsaxcel sim``: runs vectors and checks them."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from rsaxcel import catalog
from rsaxcel.circuit import is_product
from rsaxcel.cli.options.blinding import VARIATION_OPTIONS, variation_options
from rsaxcel.cli.options.common import check_circuit, configure, design_options, refuse_system
from rsaxcel.cli.options.plain import json_option
from rsaxcel.cli.options.rules import excludes
from rsaxcel.cli.options.vectors import VECTOR_OPTIONS, VectorSource, choose_vectors, vector_options
from rsaxcel.cli.options.watch import watch_options, watched
from rsaxcel.cli.output.sim import MISMATCHES_SHOWN, JsonOutput, SimTask, TextOutput
from rsaxcel.cli.progress import progress, waiting
from rsaxcel.fl.blinded_key import Variation
from rsaxcel.sim.chunks import run_chunks, run_whole
from rsaxcel.sim.exhaustive import all_products, chosen_products, run_products
from rsaxcel.sim.operations import operation
from rsaxcel.sim.products import MOST_NBITS
from rsaxcel.sim.runners import RunnerError, engine_of, open_runner
from rsaxcel.store.errors import RunError, UserError


@click.command(
    epilog="""\b
    Examples:
      rsaxcel sim mont_r2l
      rsaxcel sim mont_r2l --nbits 64 --random 100000 --seed 7
      rsaxcel sim mulrem_r2l --level cl --param bits_per_cycle=4 --random 1000
      rsaxcel sim mont_r2l --nbits 8 --random 1 --trace --vcd mont.vcd
      rsaxcel sim mont_r2l --engine pymtl --vectors vectors.jsonl --json
      rsaxcel sim ssmm_r2l --nbits 1024 --key key.pem --random 20
      rsaxcel sim crt_window --nbits 1024 --key key.pem --swap-primes --random 20
      rsaxcel sim crt_window --nbits 1088 --key key.pem --blind-moduli 32 --random 20
      rsaxcel sim mul_rem --nbits 8 --exhaustive
      echo '{"a": "7b", "b": "1c8", "n": "315"}' | rsaxcel sim mul_rem --vectors -
    """
)
@design_options
@click.option(
    "--level",
    type=click.Choice(catalog.LEVELS),
    default="rtl",
    show_default=True,
    help="Golden model, cycle model or circuit.",
)
@click.option(
    "--engine",
    type=click.Choice(("native", "pymtl")),
    help="Engine that simulates the component of the level: compiled C++ (rtl only, and its "
    "default), or PyMTL3. Without it, fl and cl are evaluated directly in Python.",
)
@vector_options()
@variation_options
@click.option(
    "--exhaustive",
    is_flag=True,
    help=f"Run every product of a multiplier instead, at up to {MOST_NBITS} bits.",
)
@watch_options
@json_option("One JSON object per vector, nothing else.")
@excludes("--exhaustive", *VECTOR_OPTIONS, *VARIATION_OPTIONS, "--trace", "--vcd")
def command(
    design: str,
    nbits: int,
    params: dict[str, str],
    level: str,
    engine: str | None,
    source: VectorSource,
    variation: Variation,
    exhaustive: bool,
    with_trace: bool,
    vcd: Path | None,
    as_json: bool,
) -> int:
    """Run vectors on DESIGN, check each one, show results and cycles.

    Without --vectors and --random, 10 random vectors run. A vector is a JSON line with hex strings
    "base", "exp" and "n" ("base", "p", "q", "dp" and "dq" for a design by the primes), or "a", "b"
    and "n" for a multiplier. The expected status follows from the design's input rules. If it is
    ok, the result must equal Python's pow, and "expect" if the vector has it; otherwise "expect" is
    ignored, as standard error says. The "expect" value "error" means that the source of the vector
    refuses the operands; it is ignored, too. For a Montgomery multiplier, "expect" may be a*b mod n
    as well as a*b/R mod n. A multiplier's response has no status: vectors that break its rules are
    counted, not sent. Other keys are ignored, and named once on standard error, unless they stand
    beside "expect" and --json prints them.

    Random vectors have moduli (or p and q) and exponents of any bit length; one in eight is an RSA
    key, one in fifty breaks an input rule, and one in four is a corner: 0, 1, m - 1, all ones,
    moduli at both ends of the width, products that are multiples of m. A seed always gives the same
    vectors. With --key, vectors are bases: 0, the modulus less 1, and random ones. --exhaustive
    forms every product of a multiplier, some million at 8 bits: a few seconds, a minute for slow
    circuits.

    With --key and --swap-primes, a design by two primes gets the key's primes, and what belongs to
    them, in a drawn order in each vector.

    With --key and --blind-moduli, the moduli of a design by two primes are random multiples of the
    key's, other ones in each vector. Results are reduced modulo the key's n, and compared with
    those of the key. A vector of a file may have "n", too: p*q of a key, if its "p" and "q" are
    such multiples.

    Cycles are counted from the cycle in which the request is accepted to the one in which the
    response is valid, with one request in flight and no stalls. Functional models have no cycles.
    Cycles of a simulation (level rtl, or cl with --engine pymtl) have to equal those of the cycle
    model. They are compared for the first 1,000 vectors and for one in 100 of the others, because
    the model may take longer than the simulation.

    With --trace or --vcd, all vectors run one after the other in one simulation of the level's
    component. Each line of a trace is a cycle; the first cycle after reset is number 0. It shows
    the request (# if it waits, . if none would be accepted), then for each executor its state,
    its step, the product on each lane (# if a product waits for the lane) and the bits of the
    exponent that remain, then the response. Both engines give the same trace.

    The table shortens long numbers in the middle. With --json each line has design, parameters,
    level, seed (of random vectors), operands and results in full, and is a vector for --vectors
    again. With a private --key, --json and --trace thus print secrets of the key: its exponents,
    and for a design by two primes the primes. A file of --vcd has them, too, and only its owner
    can read it.

    The first simulation of a circuit translates and compiles it. Standard error says for about how
    long; vectors and cycles per second do not count this time.

    Exit status: 1 on a mismatch of results or cycles, reported with its line, or if the simulation
    hangs; 2 for a malformed line, before anything is run.
    """
    if level != "rtl" and engine == "native":
        raise UserError(f"--engine native runs rtl only, not {level}; leave it out or take pymtl")
    refuse_system(design)
    configuration = configure(catalog.find, design, nbits, params)
    check_circuit(configuration, level)
    to_do = operation(configuration)
    source = replace(source, variation=variation, reduces=True)
    watches = with_trace or vcd is not None
    products = None
    if exhaustive:
        if not is_product(configuration):
            such = ""
            if isinstance(configuration, catalog.Configuration):
                such = f", such as {configuration.multiplier.classes.name}"
            raise UserError(f"--exhaustive: {design} is a design; a multiplier is allowed{such}")
        products = all_products(configuration)
        vectors, total, origin, seed = chosen_products(products)
    else:
        vectors, total, origin, seed = choose_vectors(
            to_do, nbits, source, configuration=configuration
        )
    # A trace or waveform needs a simulation; PyMTL3 alone simulates levels other than rtl.
    engine = engine_of(level, engine or ("pymtl" if watches and level != "rtl" else None))
    run = SimTask(configuration, level, engine, origin, total, to_do, seed)
    run_all = run_whole if watches else run_chunks
    try:
        component = partial(configuration.component, level)
        with watched(with_trace, vcd, component, err=as_json, secret=source.secret) as watch:
            begun = time.monotonic()
            with waiting(f"set-up of {configuration.name}"):
                runner = open_runner(configuration, level, engine, watch.waves)
            set_up = time.monotonic() - begun
            output = JsonOutput(run) if as_json else TextOutput(run, set_up)
            with progress(f"sim {configuration.name}", total, "vectors") as advance:
                if products and engine == "native" and isinstance(output, TextOutput):
                    for block in run_products(products, MISMATCHES_SHOWN):
                        output.add_products(block)
                        advance(sum(block.cycles.values()))
                    vectors = ()
                for chunk in run_all(iter(vectors), runner):
                    output.add(chunk)
                    advance(len(chunk.vectors))
    except RunnerError as error:
        where = f"{run.place(error.vector)}: no answer; " if error.vector else ""
        raise RunError(f"{where}{error.reason}") from error
    output.finish()
    return 1 if output.mismatches else 0
