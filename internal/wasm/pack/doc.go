// Package pack reads packs: models of BERT's family as sets of small files, for
// the page and for everything else that runs the quantised encoder.
//
// A pack is a folder with a manifest, pack.json, and payload files of at most
// [MaxFile] bytes in data/. A payload file is named after its SHA-256, so that any
// host can serve it, a broken download continues with the first file that is
// missing, and a browser may keep it for good.
//
// The manifest is a JSON object:
//
//	format, version  "vantage-pack", 1
//	kind             "encoder" or "classifier"
//	id, revision     of the pack: collections pin both
//	source           {"id", "revision"} of the model that was packed
//	license, language
//	config           sizes and settings, see [Config]
//	prompts          what goes before texts of a role; default_prompt names one
//	tokenizer        a tokenizer.json without its vocabulary
//	numbers, texts   small tables by name: calibration, wordings
//	sections         what is fetched together, see below
//
// Readers pass over keys that they do not know. So a change that older readers
// would misread raises the version.
//
// A section is {"name", "files": [{"path", "bytes", "sha256"}], "tensors":
// [{"name", "shape", "encoding", "offset"}]}. Its payload is the content of its
// files one after the other. There are two sections, and one more with a branch, and with a reader:
//
//	vocabulary  text: the pieces in the order of their ids, each with a line feed
//	trunk       the tensors of the encoder and its head, or the projection of its tokens
//	branch      those of a second vector that leaves the trunk after some layers
//	reader      those of a reader of queries, which looks at the trunk's states
//
// Tensors follow each other without gaps, in rows, and little-endian. Vectors and
// the tables of positions and token types are "f16" or "f32". Matrices [out, in]
// are of one of two encodings:
//
//   - "q8": each row is a float32 scale and a value of 8 bits for each input, -127 to 127.
//   - "q4": each row consists of groups of 32 neighbours, the last one perhaps
//     shorter. A group is a half-float scale and its values, two in a byte, the
//     first one in the lower 4 bits, as value + 8. Values are from -7 to 7: the
//     grid is symmetric, so that no scale need be negative, and a model that was
//     trained on scale = largest magnitude / 7 is stored without loss.
//
// Both become int8 with one float32 scale for each row as they are read. For q8
// that is what the file says. For q4, the row's scale is the greatest of its groups'
// / 18 in float32. Each value is multiplied by its group's scale in float32, which is
// exact, and the int8 values are the quotients of that and the row's scale in
// float64, rounded half to even: at most 126. A row whose scale would be no normal
// float32 becomes zeros.
//
// If each scale of a row is an eighteenth of the greatest one times a whole number m, this
// rounds nothing: int8 values are m times the stored ones. Package packer makes such rows of
// matrices that are multiplied, and browsers with relaxed SIMD multiply by them faster.
//
// The core links this package, so it follows the rules of tests/core. Hashes are
// computed by the caller's function: pages have one, and Go's would make the core
// larger.
package pack
