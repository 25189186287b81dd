package perspective

// grammar has the ways in which people word a request for a point of view, one row a line.
// Before the colon is what a query asks for if it fits the row:
//
//	for, against, both   what speaks for the root, against it, or both
//	speaker              WHO decides: a place, a political side, a time, an audience, a subtopic or evidence
//	ordinary             nothing: the text only looks like a request
//	others               a perspective of this kind
//
// After the colon is the pattern. pattern.go describes patterns, and classes.go has the words
// that their names in capitals stand for. The first row that fits the whole query decides. The
// comments have examples, with brackets around the root, and the kind if the speaker decides it.
// Tests read the examples. The grammar is a string because pages load it: as Go values, it would
// be twice as long.
const grammar = ordinaryRows + viewpointRows + bothRows + againstRows + evidenceRows + forRows + analogyRows + timeRows + leaningRows +
	placeRows + lensRows + topicRows + learnerRows + speakerRows
