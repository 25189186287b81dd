package perspective

import "strings"

const (
	// In a claim, shoulds say what should be.
	shoulds = " should must shouldn't shouldnt mustn't ought "
	// An adverb may stand between any two parts of a request.
	adverbs = " really actually honestly truly generally usually nowadays currently even ever also still always often typically mostly mainly " +
		"probably perhaps maybe then today now sometimes normally commonly frequently personally exactly already again themselves "
	// questions begin a question, so what follows them is not a topic.
	questions = " who whom whose what when where why how which is are was were do does did can could should would will may shall " +
		"has have had what's who's where's how's isn't aren't don't doesn't "
	// function words do not stand before a noun as an adjective does, and do not begin a name.
	function = " of to in on for from with about by at as is are was were be been do does did how why what who when where which can " +
		"could should would will may if that this it not or than so because since against like into per versus vs i you we he she they " +
		"me find show give tell explain make "
	// nobody has words that do not name a speaker, and adjectives that describe none. The name of a
	// speaker does not end with a word of speechless.
	nobody = " please through i you we he she it they me us him them this that these who what which best top great beautiful scenic aerial satellite " +
		"panoramic street second different good bad about on for to of with is are "
	speechless = " eyes camera cameras plant plants animal animals cell cells computer computers robot robots dog dogs cat cats bee bees " +
		"bird birds bat bats fish horse horses snake snakes insect insects fly flies owl owls shark sharks spider spiders cow cows "
	// A root that follows other words does not begin with one of the auxiliaries. No root begins
	// with a word of notFirst, or ends with one of notLast before the end of the text.
	auxiliaries = " is are was were isn't do does did can could should would don't doesn't didn't can't couldn't won't "
	notFirst    = " there in at with about my your since ever of or and than to 's - – — | & "
	notLast     = " so too very the a an of and or to for about on in with by from through as vs versus is are was - – — | & "
)

// things end like words for people: "plumber", "sailor", "tenant".
const things = " computer paper water number letter order colour color matter offer power corner dinner summer winter weather center " +
	"cancer danger hunger finger shoulder feather leather timber copper silver rubber butter pepper ginger cucumber flower shower " +
	"border folder header footer poster newsletter charger printer scanner trailer tractor factor mirror sector vector sensor monitor " +
	"prior tumor terror horror behavior interior exterior harbor flavor chapter quarter filter character disaster theater " +
	"another rather either neither whether under never however together consider remember december september october november easter " +
	"plaster sticker locker cooker cooler heater router server browser counter adapter hamster lobster oyster monster spider " +
	"plant elephant restaurant variant implant constant remainder speaker boiler drawer toaster blender mixer dishwasher washer dryer " +
	"freezer burger sneaker trouser slipper sweater jumper razor diaper better bigger higher lower larger smaller older " +
	"younger former latter longer stronger cheaper faster easier earlier later greater further proper super inner outer upper " +
	"reactor calculator elevator escalator generator radiator indicator corridor metaphor ladder bladder wonder thunder " +
	"gender tender murder laser layer prayer answer tower rover cover discover recover soccer poker bunker tanker cluster " +
	"register transfer barrier carrier frontier glacier superior inferior junior meteor alligator anchor armor rumour humour odour " +
	"labour favour harbour vapour flavour behaviour parlour "

// formed returns the class that the form of a word tells, or "".
func formed(word string) string {
	switch {
	case number(word):
		return "NUM"
	case year(word):
		return "YEAR"
	case decade(word):
		return "DECADE"
	case len(word) > 7 && year(word[len(word)-4:]) && (strings.HasPrefix(word, "pre-") || strings.HasPrefix(word, "post-")):
		return "AGED"
	case strings.HasSuffix(word, "-century"):
		return "AGED"
	case strings.HasPrefix(word, "non-") || strings.HasSuffix(word, "-year-old") || strings.HasSuffix(word, "-year-olds"):
		return "LEARNERS"
	case strings.HasPrefix(word, "ex-") && strings.HasSuffix(word, "s"):
		return "SPEAKERS"
	case len(word) > 6 && (strings.HasSuffix(word, "ists") || strings.HasSuffix(word, "ians")):
		return "PERSONS"
	case len(word) < 6 || listed(things, singular(word)):
	case strings.HasSuffix(word, "ers") || strings.HasSuffix(word, "ors") || strings.HasSuffix(word, "ants"):
		return "SPEAKERS"
	case strings.HasSuffix(word, "er") || strings.HasSuffix(word, "or") || strings.HasSuffix(word, "ist") || strings.HasSuffix(word, "ian"):
		return "PERSON"
	}
	return ""
}

// number reports whether a word consists of one to three digits.
func number(word string) bool {
	for i := range len(word) {
		if !digit(word[i]) {
			return false
		}
	}
	return word != "" && len(word) < 4
}

// year reports whether a word is a year from 1000 to 2999.
func year(w string) bool {
	return len(w) == 4 && (w[0] == '1' || w[0] == '2') && digit(w[1]) && digit(w[2]) && digit(w[3])
}

// decade reports whether a word is a decade, such as 1960s, 60s or '60s.
func decade(w string) bool {
	n := len(w) - 1
	if n > 0 && w[0] == '\'' {
		w, n = w[1:], n-1
	}
	return n > 1 && w[n] == 's' && (n == 4 && year(w[:n]) || n == 2 && digit(w[0]) && w[1] == '0')
}
