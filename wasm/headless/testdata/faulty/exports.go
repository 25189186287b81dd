//go:build wasm

package main

// Exports that hosts look for and no fault needs.

//go:wasmexport qrels_open
func qrelsOpen(file, fileLength, name, nameLength uint32) int32 { sequence++; return 0 }

//go:wasmexport qrels_close
func qrelsClose(handle uint32) int32 { sequence++; return 0 }

//go:wasmexport run_open
func runOpen(file, fileLength, name, nameLength uint32) int32 { sequence++; return 0 }

//go:wasmexport run_close
func runClose(handle uint32) int32 { sequence++; return 0 }

//go:wasmexport run_evaluate
func runEvaluate(request, evaluation uint32) int32 { sequence++; return 0 }

//go:wasmexport runs_compare
func runsCompare(request, evaluation uint32) int32 { sequence++; return 0 }

//go:wasmexport significance_mean
func significanceMean(values, count, rounds, result uint32, seed float64) int32 { sequence++; return 0 }

//go:wasmexport significance_pair
func significancePair(a, b, count, rounds, result uint32, seed float64) int32 { sequence++; return 0 }

//go:wasmexport significance_holm
func significanceHolm(p, count uint32) int32 { sequence++; return 0 }

//go:wasmexport words_open
func wordsOpen(lengths, lengthsLength uint32) int32 { sequence++; return 0 }

//go:wasmexport words_close
func wordsClose(handle uint32) int32 { sequence++; return 0 }

//go:wasmexport words_documents
func wordsDocuments(handle uint32) int32 { sequence++; return 0 }

//go:wasmexport words_terms
func wordsTerms(text, textLength, ref uint32) int32 { sequence++; return 0 }

//go:wasmexport words_load
func wordsLoad(handle, file, fileLength uint32) int32 { sequence++; return 0 }

//go:wasmexport words_add
func wordsAdd(handle, text, textLength uint32) int32 { sequence++; return 0 }

//go:wasmexport words_remove
func wordsRemove(handle, document uint32) int32 { sequence++; return 0 }

//go:wasmexport words_search
func wordsSearch(handle, text, textLength, k, keep, keepLength, hits, capacity uint32) int32 {
	sequence++
	return 0
}

//go:wasmexport words_fuse
func wordsFuse(fusion, fusionLength uint32, weight float64, vectors, vectorCount, words, wordCount, hits, capacity uint32) int32 {
	sequence++
	return 0
}

//go:wasmexport metrics_judge
func metricsJudge(request, ranks, values uint32) int32 { sequence++; return 0 }
