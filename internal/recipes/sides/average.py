"""Averages the weights of branches that train.py made from the same start, and rounds the matrices to 4 bits.

    python average.py --out branch.safetensors run1.safetensors run2.safetensors:2 …

A file's weight follows its name after a colon; 1 by default. --unrounded leaves the rounding to the next average or run.

Source: Wortsman et al., Model soups (2022), section 3.
"""
import argparse

from safetensors.torch import load_file, save_file

from encoder import Round4


def mean(files):
    total, weights = {}, 0
    for name, _, weight in (f.partition(":") for f in files):
        weights += (weight := float(weight or 1))
        for key, value in load_file(name).items():
            total[key] = total.get(key, 0) + weight * value.float()
    return {key: value / weights for key, value in total.items()}


def main():
    arg = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arg.add_argument("files", nargs="+")
    arg.add_argument("--out", required=True)
    arg.add_argument("--unrounded", action="store_true")
    opt = arg.parse_args()
    save_file({key: (value if opt.unrounded or value.dim() != 2 else Round4.apply(value)).half() for key, value in mean(opt.files).items()}, opt.out)


if __name__ == "__main__":
    main()
