#!/bin/sh
# Makes the models and reference ids beside this folder: SentencePiece's trainer
# (Debian's package sentencepiece and python3-sentencepiece) on this project's own
# debates, and the Rust tokenizers library (its npm package, of the version in
# scripts/npm/tokenizers).
#
#	sh make.sh            # in this folder
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 texts.py "$work"
for layout in t5 xlmr; do
	mkdir -p ../$layout
	case $layout in
	t5) name=spiece ids='--pad_id=0 --eos_id=1 --unk_id=2 --bos_id=-1' ;;
	xlmr) name=sentencepiece.bpe ids='' ;;
	esac
	# in that folder, because the model keeps the names it was given
	(cd "$work" && spm_train --input=corpus.txt --model_prefix=$layout --vocab_size=600 --model_type=unigram \
		--normalization_rule_tsv=rules.tsv --num_threads=1 $ids)
	cp "$work/$layout.model" ../$layout/$name.model
	python3 convert.py $layout ../$layout/$name.model >../$layout/tokenizer.json
done
python3 cases.py "$work"
ln -s "$(../../../../../../scripts/npm.sh tokenizers)/node_modules" "$work/node_modules"
node golden.cjs "$work" ..
/usr/bin/python3 sentencepiece_ids.py ..
