package perspective

// classes are what names in capitals stand for in the patterns of the grammar, one class
// on each line: words, and after each semicolon a pattern. NUM, YEAR and DECADE are also
// words that tests know.
const classes = askClasses + documentClasses + nounClasses + verbClasses + speakerClasses +
	whenClasses + analogyClasses + evidenceClasses + ordinaryClasses
