package perspective

// grammar has the ways in which people word a request for a point of view, one row a line.
// Before the colon is what a query asks for if it fits the row:
//
//	for, against, both   what speaks for the root, against it, or both
//	speaker              WHO decides: a place, a political side, a time, or an audience
//	ordinary             nothing: the text only looks like a request
//	others               a perspective of this kind
//
// After the colon is the pattern. pattern.go describes patterns, and classes.go has the words
// that their names in capitals stand for. The first row that fits the whole query decides. The
// comments have examples, with brackets around the root, and the kind if the speaker decides it.
// Tests read the examples. The grammar is a string because pages load it: as Go values, it would
// be twice as long.
const grammar = ordinaryRows + sideRows + kindRows

// ordinaryRows are ordinary texts that look like requests.
const ordinaryRows = "" +
	"ordinary: X EXTRA\n" + // why should i care lyrics; the dark side of the moon tracklist
	"ordinary: TITLED X GIVEN REST\n" + // the case for mars robert zubrin; in defence of food michael pollan
	"ordinary: DET? case for DEVICE REST\n" + // the case for christ; case for iphone 15
	"ordinary: TITLED the? BOOK REST\n" + // the dark side of the moon; in defence of the realm
	"ordinary: CODE X? similar|like|equivalent|since|against REST\n" + // git log since yesterday; java string similar to substring
	"ordinary: WHATS VERY? BADADJ with this|my|these REST\n" + // what's wrong with this code; what is wrong with my boiler
	"ordinary: ADJ problem|trouble|issue with DEVICE\n" + // problems with windows update
	"ordinary: should i|you call|see|go|be|stay_or REST\n" + // should i see a doctor
	"ordinary: what is|was the reason for REST\n" + // what was the reason for the boston tea party
	"ordinary: ADJ argument for|of ADJ DET? ADJ command|function|method|constructor REST\n" + // arguments for the tar command
	"ordinary: DET? gospel|world|cite|sort|arrange X? according_to REST\n" + // the world according to garp; cite a website according to apa
	"ordinary: ADJ problems with answers|solutions REST\n" + // algebra problems with answers
	"ordinary: should i|you X with|before|after|without|for REST\n" + // should i take paracetamol with food
	"ordinary: good|great|best|better view of|from REST\n" + // good view of the eclipse
	"ordinary: ADJ PERSONS on strike|call|duty|tour|tv|benefits REST\n" + // teachers on strike
	"ordinary: men|women|kids|children on the REST\n" + // women on the verge
	"ordinary: office|bureau for|of national? statistics REST\n" + // office for national statistics
	"ordinary: X? TRAVEL in PLACE\n" + // cheap hotels in paris; things to do in rome
	"ordinary: against IDIOM REST\n" + // against all odds cast
	"ordinary: ADJ ARG|DOC against IDIOM REST\n" + // the case against humanity
	"ordinary: DET? case for the_defence|the_defense|prosecution\n" + // the case for the defence
	"ordinary: ADJ reason for ADJ CAUSED REST\n" + // reasons for the fall of rome
	"ordinary: X? NOBENEFIT benefits\n" + // texas unemployment benefits; housing benefits
	"ordinary: supporting DOC|actor|actress|role|character REST\n" + // supporting documents for visa application
	"ordinary: weather|calendar|timetable|tickets|time|days REST\n" + // weather since monday
	"ordinary: ADJ FORECAST for|on WHEN|the_weekend|tomorrow|today|tonight|monday\n" + // forecast for the weekend
	"ordinary: X? NOCRITIC criticism|cons|critics REST\n" + // film criticism
	"ordinary: ADJ critics of WHEN\n" + // literary critics of the 20th century
	"ordinary: ADJ PRODUCT for ADJ LEARNERS|PERSONS\n" + // best laptops for students

	"ordinary: ADJ SIGHT X? in PLACE\n" + // an american in paris; cheap flights to anywhere in europe
	"ordinary: opposing counsel|team|player|force|fixture|thumb REST\n" + // opposing counsel definition
	""

// kindRows are requests of all other kinds.
const kindRows = "" +
	// Evidence.
	"evidence: ADJ examples|instances of|for X\n" + // examples of [plagiarism]
	"evidence: an|any|some|one|another ADJ example|instance of X\n" + // an example of [cognitive dissonance]
	"evidence: ADJ trials|studies|surveys|case_study|meta-analysis|meta-analyses|systematic_review of X\n" + // clinical trials of [magnesium]
	"evidence: ADJ paper ON X\n" + // peer reviewed papers on [probiotics]
	"time: DET? AGED ADJ DOC|STATS|thinking|research|developments|progress|findings|updates|information|ideas|attitudes on|about|regarding|to|towards X\n" + // recent articles about [plastic]; latest news on [the trade war]
	"evidence: ADJ STATS STATON X\n" + // statistics on [knife crime]; studies on [intermittent fasting]
	"evidence: ADJ REAL of|for|about|on X\n" + // real life examples of [game theory]
	"evidence: FIRSTHAND of|from X\n" + // first-hand accounts of [the great depression]
	"evidence: statistics|figures|numbers for X\n" + // figures for [road deaths]
	"evidence: X statistics\n" + // [knife crime] statistics
	"evidence: X case_study|survey_results|scientific_studies|in_numbers\n" + // [co-housing] case studies
	"evidence: what DO? SCIENCE SAY ON X\n" + // what does research say about [intermittent fasting]; what the data says about [crime]
	"evidence: X according_to DET? ADJ SCIENCE\n" + // [naps] according to research

	// Analogies.
	"analogy: ADJ WORK LIKEX X\n" + // games like [stardew valley]
	"analogy: ADJ that's? similar|comparable|akin|analogous to X\n" + // a sport similar to [squash]; cheese that's similar to [halloumi]; is there anything comparable to [the nhs]
	"analogy: if_you like|liked|love|loved X\n" + // if you liked [gone girl]
	"analogy: ADJ STORY HAS DET? same|similar ADJ MORAL as|to|like|with|of X\n" + // story with the same moral as [the boy who cried wolf]; a parable that makes the same point as [the emperor's new clothes]
	"analogy: ADJ STORY HAS DET? ADJ MORAL like|similar_to|resembling|as_in|comparable_to X\n" + // a story with a moral like [the ant and the grasshopper]
	"analogy: DET? same|similar ADJ MORAL as|to|like X\n" + // same moral as [the lion and the mouse]
	"analogy: ADJ TALE LIKEX X\n" + // stories like [cinderella]; cases similar to [the dreyfus affair]
	"analogy: DET? same|similar|comparable|analogous|parallel ADJ STORY to|as|like X\n" + // a similar case to [the tulip mania]
	"analogy: what else? BE LIKEX X\n" + // what is similar to [the tulip mania]; what else is like [the great depression]
	"analogy: DET? modern|modern-day|historical version|equivalent|retelling of|to X\n" + // a modern version of [cinderella]
	"analogy: ADJ ANALOGY to|for explain|explaining X\n" + // an analogy to explain [entropy]
	"analogy: ADJ ANALOGY for|to|of|with|about|between X\n" + // an analogy for [inflation]
	"analogy: ADJ parallel|comparison|equivalent|counterpart to|with X\n" + // historical parallels to [the fall of rome]
	"analogy: X analogies|metaphors|parallels\n" + // [electric current] analogies

	// Time.
	"time: DET? AGED ADJ developments|progress|research|trends in X\n" + // recent developments in [battery technology]
	"time: the latest ON|from X\n" + // the latest on [the ceasefire]
	"time: ADJ DOC PUBLISHED? since|after|before|until|from|in|during|of WHEN ON X\n" + // articles from 2019 about [plastic]
	"time: ADJ DOC [about|on|regarding|concerning] X PUBLISHED? since|after|before|until|from|in|during WHEN\n" + // news about [syria] since 2015
	"time: ADJ DOC ON|of X this|last|next week|month|year\n" + // news about [ai] this year
	"time: DET? future of X\n" + // the future of [work]
	"time: ADJ FORECAST for|about|on|regarding|of X\n" + // predictions about [electric cars]
	"time: what will happen|become to|of|with X\n" + // what will become of [printed newspapers]
	"time: what WHO used_to SAY ON X\n" + // what people used to think about [smoking]
	"time: what did? WHO SAY ON|of X in|during|before|after|since WHEN\n" + // what did people think about [divorce] in the 1950s; what people thought about [divorce] in the 1950s
	"time: how did? WHO SEE X in|during|before|after|since WHEN\n" + // how did people see [divorce] in the 1950s
	"time: what BE X like in|during|before|after WHEN\n" + // what was [school] like in the 1950s
	"time: how BE? X BE? SEEN in|during|before|after WHEN\n" + // how was [divorce] seen in the 1950s; how [divorce] was seen in the 1950s
	"time: how has|have? X has|have? changed|evolved|developed REST\n" + // how [schools] have changed since the 1990s; how has [football] changed over the years
	"time: T since DET WHO\n" + // [tourism] since the pandemic
	"time: T before|after|during|since DET? ADJ EVENT\n" + // [london] before the great fire; [house prices] since brexit
	"time: T nowadays|these_days|between_the_wars|throughout_history|through_history|over_time|then_and_now\n" + // [schools] nowadays
	"time: T through|over|across the years|ages|decades|centuries|generations\n" + // [bread] through the ages
	"time: T a? NUM years|decades ago|from_now\n" + // [tv] thirty years ago
	"time: T news|articles|reports|stories since|after|before|until|from|in WHEN\n" + // [knife crime] news from last month
	"time: T PUBLISHED? since|after|before|until|up_to|post|pre|prior_to|newer_than|older_than WHEN\n" + // [electric cars] since 2015
	"time: T between|from YEAR and|to|until|onwards|on? YEAR?\n" + // [immigration policy] between 1990 and 2005; [crime] from 1990 onwards
	"time: T as? seen|viewed in|during WHEN\n" + // [the internet] as seen in 1995
	"time: what has|was been? said|written|published ON X since|before|after|in|during WHEN\n" + // what has been written about [loneliness] since the pandemic
	"time: T in|during|over|throughout|within PERIOD\n" + // [women's fashion] in the 1920s; [tourism] in the past ten years

	// Political sides.
	"leaning: ADJ LEAN LEAN? DOC|LEANDOC|VIEW|ARG ON|of|to|towards X\n" + // left-wing view of [immigration]; liberal media on [gun laws]
	"leaning: DET? LEANS on|about X\n" + // republicans on [taxes]; the left on [taxes]
	"leaning: DET? LEANS VIEW|policy|plan ON|of|to|towards|for X\n" + // the democrats' view of [fracking]; labour policy on [immigration]
	"leaning: T [from|by|through] DET? LEAN POV|DOC|LEANDOC\n" + // [gun laws] from a liberal perspective

	// Places.
	"place: ADJ DOC from|out_of PLACE [VIEWON|,] X\n" + // news from the us about [tariffs]
	"place: what DO? people|they in|from PLACE SAY ON|of X\n" + // what do people in the us say about [guns]
	"place: WHATS happening|going_on|up with|to X in PLACE\n" + // what's happening with [bike lanes] in paris
	"place: WHATS happening|going_on in PLACE with|about|regarding X\n" + // what's happening in france with [pensions]
	"place: how do|does|did they|people|you do|run|organise|teach|make|pay_for|handle X in PLACE\n" + // how do they do [school lunches] in finland
	"place: how BE? X BE? SEEN in PLACE\n" + // how is [whaling] seen in japan; how [whaling] is seen in japan
	"place: how do|does X work in PLACE\n" + // how does [parental leave] work in sweden
	"place: ADJ local|regional|NATION ADJ DOC|VIEW ON|of|to|towards X\n" + // german news about [migration]
	"place: ADJ DOC ON|of X from|in [the]? PLACE\n" + // news about [migration] from germany
	"place: ADJ experience|experiment|trial with|of X in PLACE\n" + // experience with [congestion charges] in london
	"place: what BE being_said|happening|people_saying|going_on|the_situation in PLACE ON|with X\n" + // what is being said in italy about [pasta prices]
	"place: T in|from the? ADJ NATION ADJ DOC\n" + // [heat pumps] in german newspapers
	"place: T as? seen|viewed|told|reported|experienced|perceived from|in PLACE\n" + // [brexit] seen from ireland
	"place: how DO? people|they in|from PLACE SEE X\n" + // how people in japan see [whaling]
	"place: how DO? PLACE|NATION HANDLE X\n" + // how does sweden handle [waste]; how sweden handles [waste]
	"place: T in other countries\n" + // [speed limits] in other countries

	"place: T in|across|around the? PLACE\n" + // [recycling] in japan

	// Ways to see it.
	"free: DET? LENS LENS? READING of|at|on|to|about X\n" + // a feminist reading of [jane eyre]; the funny side of [camping]

	// Subtopics.
	"topic: ADJ FIELD ASPECT of|on|to|behind X\n" + // economic aspects of [immigration]
	"topic: T [from] DET? ADJ FIELD POV\n" + // [immigration] from an economic point of view
	"topic: T FOCUS REST\n" + // [tourism] with a focus on the environment

	// Those who learn.
	"audience: explain|explaining|understanding|understand X like|as_if|as_though REST\n" + // explain [inflation] like i'm five
	"audience: eli5 X\n" + // eli5 [mortgage rates]
	"audience: explain|explaining X to|for WHO\n" + // explain [inflation] to a child
	"audience: explain|explaining X SIMPLE\n" + // explain [dna] in simple terms
	"audience: T explained|described like|as_if REST\n" + // [black holes] explained like i'm five
	"audience: HOWTO explain X to|for WHO\n" + // how to explain [death] to a child
	"audience: ADJ simple|easy|basic|simplified|plain|gentle|plain_english|non-technical explanation|introduction|overview|guide|description of|to|for X\n" + // a simple explanation of [inflation]
	"audience: T [explained|described|taught]? SIMPLE\n" + // [inflation] in simple terms
	"audience: ADJ beginner|beginners|dummy|layman|idiot|newbie|child|kid guide|introduction|tutorial|tips|intro|course|overview to|on|for|about X\n" + // a beginner's guide to [beekeeping]
	"audience: ADJ GUIDE for ADJ PERSONS|LEARNERS about|on|regarding X\n" + // advice for new parents about [sleep]
	"audience: ADJ GUIDE|DOC about|on|to|of X for LEARNERS\n" + // a book about [sharks] for kids
	"audience: T explained|simplified|made_easy|written for|to WHO\n" + // [climate change] explained to children
	"audience: T for LEARNERS\n" + // [quantum physics] for beginners

	// Those who speak.
	"speaker: X according_to WHO\n" + // [screen time] according to a parent (audience); [gun laws] according to democrats (leaning)
	"audience: X according_to people|those|someone REST\n" + // [hs2] according to people who live near it
	"speaker: according_to WHO , X\n" + // according to farmers, [wolves are dangerous] (audience)
	"speaker: what DO? MAY? WHO MAY? SAY ON|of X\n" + // what do teachers think about [homework] (audience); what teachers say about [phone bans] (audience); what the french say about [strikes] (place)
	"speaker: how DO? WHO MAY? SEE X\n" + // how do nurses feel about [night shifts] (audience); how nurses see [night shifts] (audience)
	"audience: how DO? ADJ PERSONS MAY? COPE X\n" + // how do nurses cope with [night shifts]; how nurses deal with [night shifts]
	"speaker: what BE? X like|looks_like|is_like|feels_like|was_like|look_like for|to WHO\n" + // what is [school] like for refugees (audience); what [school] is like for refugees (audience)
	"speaker: how BE? X BE? SEEN by WHO\n" + // how is [the strike] seen by commuters (audience); how [the strike] is seen by commuters (audience)
	"speaker: what DO? X mean|meant for WHO\n" + // what does [brexit] mean for farmers (audience); what [brexit] means for farmers (audience)
	"audience: how DO? X MAY? affect|impact|affected|changes ADJ PERSONS\n" + // how does [brexit] affect farmers; how [brexit] affects farmers
	"audience: ADJ impact|effect|consequences|implications of X on|for ADJ PERSONS\n" + // consequences of [brexit] for farmers
	"speaker: ADJ VIEW of|from|by|among WHO [VIEWON|,] X\n" + // opinions of teachers on [homework] (audience); the view from scotland on [independence] (place)
	"speaker: ADJ DOC|GUIDE from|by|out_of WHO [VIEWON|,] X\n" + // news from germany about [heat pumps] (place); news from the right about [the election] (leaning)
	"speaker: ADJ DOC ON X by|from WHO\n" + // articles about [wolves] by farmers (audience)
	"speaker: WHO view|opinion|perspective|take|thoughts|viewpoint|stance|attitude|point_of_view on|about|regarding|toward|concerning X\n" + // teachers opinions on [homework] (audience)
	"speaker: WHOSE ADJ VIEW VIEWON X\n" + // a landlord's experience with [rent control] (audience)
	"audience: PERSONS writing|talking|speaking|complaining? about|on X\n" + // women writing about [war]
	"audience: DET? PERSONS|police|industry|church|government view|opinion|perspective|position of X\n" + // the police view of [protests]
	"audience: PERSONS discuss|describe|remember|talk_about X\n" + // nurses discuss [night shifts]
	"audience: PERSONS on X\n" + // grandparents on [raising children]
	"speaker: as DET WHO , X\n" + // as a parent, [screen time] (audience)
	"speaker: T [as]? seen|viewed|told|described|experienced|explained|written by|from|through WHO\n" + // [the war] as seen by children (audience)
	"speaker: T through|in|with the eyes|words|opinion|view|mind|voice|experience of WHO\n" + // [the war] through the eyes of a nurse (audience)
	"speaker: T through|in WHO eyes|words|opinion\n" + // [the war] through a nurse's eyes (audience)
	"speaker: T as WHO see|experience|tell|describe it\n" + // [rewilding] as farmers see it (audience)
	"speaker: T [from] DET? POV of WHO\n" + // [rent control] from the perspective of tenants (audience)
	"speaker: T [from] WHO POV\n" + // [rent control] from a landlord's perspective (audience)
	"speaker: T , DET? WHO POV|view|opinion\n" + // [rent control], a landlord's view (audience)
	"speaker: from DET? POV of WHO , X\n" + // from the point of view of nurses, [night shifts] (audience)
	"audience: T for ADJ PERSONS\n" + // [cybersecurity] for small business owners
	""
