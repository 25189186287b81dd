#!/bin/sh
# Makes the models and vectors beside this folder with sentence-transformers and
# InstructorEmbedding, in a virtual environment (3 GB) in a temporary folder:
#
#	sh make.sh            # in this folder
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work"
"$work/bin/pip" install -q torch==2.15.0 transformers==5.23.0 sentence-transformers==6.2.0
"$work/bin/pip" install -q --no-deps InstructorEmbedding==1.0.1
"$work/bin/python" make.py
