# word vectors and first training of static-open, without any publisher news; called by pipeline.sh
set -e
S=$(cd "$(dirname "$0")" && pwd)
(
	cd enc-train
	nice -n 10 ./sgns $(wc -l < v15/vocab.txt) 256 4 4 1 1e-4 1 sg15o.f32 tok15/books.u16:.3 tok15/debates.u16:1 tok15/dictionaries.u16:1 tok15/factbook.u16:1 tok15/medquad.u16:.8 tok15/openstax.u16:1 tok15/peps.u16:.7 tok15/qa.u16:1 tok15/techdocs.u16:1 tok15/wiki_articles.u16:1 tok15/wiki_movies.u16:1 > sgns4.log 2>&1
	mkdir -p tok15o/pairs
	for f in books debates dictionaries factbook medquad openstax peps qa techdocs wiki_articles wiki_movies; do ln -sf ../tok15/$f.u16 tok15o/; done
	for f in tok15/pairs/*; do case $f in *news_*|*fnc_*) ;; *) ln -sf ../../$f tok15o/pairs/;; esac; done
)
OMP_NUM_THREADS=1 nice -n 10 "${PYTHON:-python3}" "$S"/train.py enc-train/tok15o enc-train/v15/vocab.txt enc-train/sg15o.f32 256 enc-train/r4_2600.npy 2600 threads=1 lr=1.5e-2 mrl=0 evalevery=650 > enc-train/r4.log 2>&1
