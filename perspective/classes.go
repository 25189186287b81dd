package perspective

// classes are what names in capitals stand for in the patterns of the grammar, one class
// on each line: words, and after each semicolon a pattern. Some classes have more words, which
// their form tells (formed in words.go) or those of another class (readGrammar in lexicon.go).
const classes = askClasses + documentClasses + nounClasses + verbClasses + speakerClasses +
	whenClasses + analogyClasses + evidenceClasses + ordinaryClasses
