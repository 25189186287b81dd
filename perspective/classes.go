package perspective

// classes are what names in capitals stand for in the patterns of the grammar, one class
// on each line: words, and after each semicolon a pattern. Some classes have more words:
// those of a certain form (formed in words.go), or derived from another class (readGrammar in
// lexicon.go).
const classes = askClasses + documentClasses + nounClasses + verbClasses + speakerClasses +
	whenClasses + analogyClasses + evidenceClasses + ordinaryClasses
