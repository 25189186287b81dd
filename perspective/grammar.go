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
const grammar = "" +
	// Ordinary texts that look like requests.
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

	// Both sides.
	"both: BE|would it be? VERY? VERDICT|right to|for|that? X\n" + // is it a good idea to [pay off your mortgage early]
	"both: do|does X do more harm|good than good|harm\n" + // do [zoos] do more harm than good
	"both: BE it worth it to X\n" + // is it worth it to [refinance]
	"both: BE it VERY? worth X\n" + // is it worth [learning latin]
	"both: should X be BANNED|ALLOWED FORWHOM?\n" + // should [zoos] be banned; should [cannabis] be legal
	"both: do|does the? GOODS|BADS of X outweigh REST\n" + // do the benefits of [screens] outweigh the risks
	"place: ADJ NATION debate|discussion|controversy ON X\n" + // the german debate about [speed limits]
	"both: T GOODADJ or BADADJ FORWHOM?\n" + // [coffee] good or bad for the heart
	"both: T BADADJ or GOODADJ|NEEDED FORWHOM?\n" + // [coffee] bad or good for you
	"both: WHATS ADJ BOTH OF X\n" + // what are the pros and cons of [solar panels]
	"both: list_of? ADJ BOTH argument? OF? X\n" + // pros and cons of [remote work]; advantages and disadvantages of [boarding school]; for and against [zoos]
	"both: ADJ BOTHSIDES of|to|on|in the ISSUE ON X\n" + // both sides of the argument about [cycle lanes]
	"both: X ISSUE? both_sides\n" + // [assisted dying] debate both sides
	"both: ADJ BOTHSIDES of|to|on|in X [ISSUE]\n" + // both sides of the [abortion] debate
	"both: ADJ BOTHSIDES of|to|on|in X\n" + // both sides of [gene editing]
	"both: ADJ ARG|DOC|VIEW on|from|for both|either|opposing sides of|on|in? X [ISSUE]?\n" + // arguments on both sides of [gene editing]
	"against: opposing argument|view|viewpoint|position|case to X\n" + // opposing arguments to [veganism]
	"both: opposing|contrasting|conflicting|competing|differing SIDES OF X\n" + // opposing views on [abortion]
	"both: different|differing|diverging|various SIDES on|about X\n" + // different views on [immigration]
	"both: DET? good DET? bad and DET? ugly of|about|in X\n" + // the good, the bad and the ugly of [remote work]
	"both: DET? ADJ debate|controversy|disagreement about|on|over|around|surrounding X\n" + // the debate about [school uniforms]
	"both: BE X DET? good|right or DET? bad|wrong REST\n" + // is [bitcoin] a good or bad investment
	"both: BE X GOODADJ or not? BADADJ|harmful FORWHOM?\n" + // is [fracking] good or bad; is [social media] good or bad for teenagers
	"both: BE X BADADJ or not? GOODADJ FORWHOM?\n" + // is [tourism] harmful or beneficial
	"both: BE X GOODADJ|BADADJ or not FORWHOM?\n" + // is [a gap year] a good idea or not
	"both: T yes or no\n" + // [school uniforms] yes or no
	"both: T for or against\n" + // [hunting] for or against
	"both: ADJ FRIENDS AND CRITICS of X\n" + // supporters and opponents of [fracking]
	"both: should i|we|you|one|they X or not\n" + // should we [ban cars] or not
	"both: BE X VERY? VERDICT FORWHOM?\n" + // is [keto] a good idea; is [a gap year] worth it
	"both: T good|bad|great idea|thing|investment|choice or_not?\n" + // [gap year] good idea or not
	"both: T worth_it|worth_the_money or_not?\n" + // [solar panels] worth it
	"both: X [and|with]? DET? BOTH\n" + // [solar panels] pros and cons; [zoos]: for and against
	"both: should i|we|you|one|they all? X\n" + // should we [ban cars]; should i [get a dog]
	"both: should A\n" + // should [the uk rejoin the eu]; should [teachers be armed]

	// Against.
	"against: T why BE they|it|that VERY? BADADJ FORWHOM?\n" + // [payday loans] why are they bad
	"against: ADJ reason why|that? X should|must|ought_to be BANNED FORWHOM?\n" + // reasons why [zoos] should be closed
	"against: why X should|must|ought_to be BANNED FORWHOM?\n" + // why [bullfighting] should be banned
	"against: why should|must|ought X be|to_be BANNED FORWHOM?\n" + // why should [fireworks] be outlawed
	"against: do|does X have any|many? ADJ BADS FORWHOM?\n" + // do [meal kits] have any downsides
	"against: against X\n" + // against [nuclear power]
	"against: opposing X\n" + // opposing [a wealth tax]
	"against: ADJ con|contra ARG|side OF? X\n" + // con arguments on [fracking]
	"against: ADJ ARG|DOC CON X\n" + // reasons against [homework]; articles critical of [amazon]
	"against: ADJ ARG CON X\n" + // an argument against the idea that [money buys happiness]
	"against: ADJ DOC OPPOSING X\n" + // texts opposing [a wealth tax]
	"against: ADJ DOC that|which|who MAY? OPPOSE X\n" + // studies that dispute [the mozart effect]
	"against: ADJ reason not to X\n" + // reasons not to [have children]
	"against: ADJ reason to avoid|oppose|reject|hate|distrust|boycott|quit|be_against X\n" + // reasons to oppose [fracking]
	"against: ADJ reason|why nobody|no_one should|need|want|like X\n" + // why nobody needs [a smart fridge]
	"against: ADJ reason why? WE SHOULDNT X\n" + // reasons you shouldn't [eat meat]
	"against: ADJ reason why X FAILS\n" + // reasons why [diets] fail
	"against: ADJ reason why? X BE VERY? BADADJ FORWHOM?\n" + // reasons why [sugar] is bad for you
	"against: ADJ reason why? WE HATE X\n" + // reasons people hate [airports]
	"against: ADJ COUNTER to|of|against|about X\n" + // a counter-argument to the claim that [homework helps]
	"against: ADJ COUNTER to|of|against|about|on|for|towards X\n" + // criticism of [capitalism]; ethical objections to [cloning]
	"against: X criticism|counterargument|counter_argument|counter-arguments|rebuttal|critique\n" + // [capitalism] criticism
	"against: ADJ WORRY about|against|over|regarding X\n" + // complaints about [the new bus timetable]
	"against: ADJ BADS of|to|about|with X\n" + // the problem with [fast fashion]; dangers of [social media]
	"against: ADJ problems of X\n" + // the problems of [mass tourism]
	"against: ADJ problem|trouble|issue with X\n" + // the problem with [grades]
	"against: disadvantages|drawbacks|downsides [of]? X\n" + // disadvantages [electric cars]
	"against: ADJ flaws|weaknesses|holes in X\n" + // flaws in [utilitarianism]
	"against: what makes X VERY? BADADJ FORWHOM?\n" + // what makes [fast food] bad
	"against: why BE so? many? WHO VERY? against|opposed_to|afraid_of|critical_of|angry_about|worried_about|unhappy_with X\n" + // why are so many locals opposed to [airbnb]
	"against: what do|does|did WHO have against X\n" + // what do people have against [wind turbines]
	"against: what DO? WE|PERSONS hate|dislike about X\n" + // what do people dislike about [remote work]
	"against: why BE it|this BADADJ to X\n" + // why is it wrong to [lie]
	"against: why X ISNT REST\n" + // why [gmos] aren't safe
	"against: X DET? disadvantages|drawbacks|downsides|cons|flaws|shortcomings|dangers|harms|negatives\n" + // [bitcoin] disadvantages
	"against: WHATS VERY? BADADJ about|with|in X\n" + // what's wrong with [fast fashion]
	"against: WHATS DET? ADJ BADS|problem|trouble|matter|issue of|with|about X\n" + // what is the matter with [modern art]
	"against: what speaks|argues|is_there_to_say against X\n" + // what speaks against [organic farming]
	"against: why X BE VERY? BADADJ FORWHOM?\n" + // why [sugar] is bad; why [zoos] are cruel
	"against: why BE X PLAINBAD FORWHOM?\n" + // why is [plastic] bad for the environment
	"against: why X FAILS\n" + // why [diets] fail; why [standardized tests] don't work
	"against: why WE SHOULDNT X\n" + // why you shouldn't [drink cow's milk]
	"against: why SHOULDNT WE X\n" + // why shouldn't we [eat insects]
	"against: why don't|doesn't|won't ADJ WE|PERSONS LIKE X\n" + // why don't people like [brutalism]
	"against: why should WE not|never|stop X\n" + // why should we not [go to mars]
	"against: why not|never|not_to|never_to [to]? X\n" + // why not to [buy a house]
	"against: why it's|it_is|its BADADJ to X\n" + // why it's wrong to [eat meat]
	"against: why to? avoid|oppose|quit X\n" + // why avoid [sugar]
	"against: why VERY? ADJ WE|PEOPLE|CRITICS|PERSONS MAY? HATE X\n" + // why people hate [daylight saving]
	"against: why do|does|did|would|are|is|were VERY? many? ADJ WE|PEOPLE|CRITICS|PERSONS HATE X\n" + // why do people oppose [wind farms]
	"against: why DO? so? many? WHO oppose|reject|object_to|disagree_with|criticize|criticise|distrust|are_against|is_against X\n" + // why do farmers oppose [wolves]; why farmers are against [wolves]
	"against: ADJ CRITICS of|on X\n" + // critics of [homeopathy]
	"against: what|how DO? MAY? ADJ CRITICS of X MAY? SAY\n" + // what critics of [homeopathy] say; what do opponents of [the new airport] say
	"against: what DO? ADJ CRITICS SAY ON X\n" + // what do critics say about [brexit]; what critics say about [brexit]
	"against: X according_to ADJ CRITICS\n" + // [brexit] according to its critics
	"against: ADJ PEOPLE|PERSONS OPPOSING|protesting_against X\n" + // voices against [the stadium]
	"against: ADJ PEOPLE|PERSONS who|that MAY? HATE X\n" + // people who disagree with [rent control]
	"against: who BE against|opposed_to|critical_of X\n" + // who is against [the new stadium]
	"against: who MAY? oppose|objects_to|disagrees_with|hates|dislikes|rejects X\n" + // who opposes [the new stadium]
	"against: HOWTO argue|speak|make_the_case|make_a_case against X\n" + // how to argue against [astrology]
	"against: HOWTO refute|rebut|criticise|criticize|debunk|disprove X\n" + // how to refute [solipsism]
	"against: X debunked|refuted|disproved\n" + // [detox teas] debunked
	"against: argue|arguing|speaking|arguments|argumentation|debating against X\n" + // argue against [uniforms]
	"against: DET? ADJ case against X\n" + // the case against [grades]
	"against: DET? NEGREVIEW REVIEW of|on|about|for|to|towards|against|at X\n" + // negative reviews of [the new library]
	"against: X negative|bad reviews|feedback|press\n" + // [the new library] negative reviews
	"against: DET? bad|negative|worst thing|side|sides|aspects|points|effects|parts|stuff of|about|in|with X\n" + // bad things about [living in london]
	"against: anti X ARG|DOC|PEOPLE|stance|side|sentiment|campaign\n" + // anti [brexit] articles; anti-[war] poems
	"against: DEBUNK|debunk X\n" + // debunking the myth that [carrots improve eyesight]
	"against: DEBUNK X\n" + // debunking [astrology]
	"against: i? disagree|disagreeing with X\n" + // disagree with [rent control]
	"against: ADJ campaign|movement|petition|speak_out|speaking_out against X\n" + // speaking out against [bullfighting]
	"against: opposed|hostile to X\n" + // opposed to [fracking]
	"against: critical|sceptical|skeptical of|about|towards X\n" + // critical of [fracking]
	"against: X DET? ARG against\n" + // [fracking] arguments against
	"against: anything|something BADADJ about|with|in X\n" + // something bad about [cruises]
	"against: what can|could|might be said against X\n" + // what can be said against [zoos]
	"against: what DO WE|PERSONS say|argue against X\n" + // what would you say against [recycling]
	"against: what ADJ ARG BE there CON X\n" + // what arguments are there against [hs2]

	// For.
	"for: anything|something GOODADJ about|with|in X\n" + // is there anything good about [traffic jams]
	"for: what can|could|might be said for|in_favour_of|in_favor_of X\n" + // what can be said for [zoos]
	"for: what ADJ ARG BE there FOR X\n" + // what arguments are there for [hs2]
	"for: convince|persuade me that|of|to X\n" + // convince me that [jazz is worth listening to]
	"for: T why BE they|it|that VERY? GOODADJ FORWHOM?\n" + // [index funds] why are they good
	"for: case for X\n" + // case for [a four day week]
	"for: in favour|favor|support|defence|defense|praise of X\n" + // in favour of [gun control]; in praise of [slow travel]
	"for: advocating|endorsing|praising X\n" + // praising [zoos]
	"for: DET ADJ defence|defense|praise|endorsement|advocacy of X\n" + // a defense of [monarchy]
	"for: make|making? DET ADJ case for X\n" + // the case for [slow travel]
	"for: economic|moral|ethical|legal|scientific|business|strong|environmental|practical case for X\n" + // economic case for [immigration]
	"for: ADJ argument|evidence|reasons|justification|talking_points FOR X\n" + // reasons for [a four day week]; best arguments for [veganism]
	"for: DET|good|strong ADJ reason FOR X\n" + // a good reason for [daylight saving]
	"for: ADJ ARG|DOC in_favour_of|in_favor_of|in_support_of|in_defence_of|in_defense_of|in_praise_of|supportive_of X\n" + // essays in defence of [boredom]
	"for: ADJ DOC DEFENDING X\n" + // articles supporting [a wealth tax]
	"for: ADJ DOC that|which|who MAY? DEFEND X\n" + // texts that defend [monarchy]
	"for: ADJ reason why? WE SHOULD X\n" + // reasons why you should [travel alone]
	"for: ADJ reason why? X BE VERY? GOODADJ|NEEDED FORWHOM?\n" + // reasons why [reading] is good for you
	"for: ADJ reason why? WE LIKE X\n" + // reasons we need [zoos]
	"for: ADJ reason why X VERY? WORKS\n" + // reasons why [phonics] works
	"for: ADJ reason to support|love|like|favour|favor|back|endorse|defend X\n" + // reasons to support [rent control]
	"for: ADJ reason to X\n" + // reasons to [become vegetarian]
	"for: ADJ reason why|that? C\n" + // reasons why [voting should be compulsory]
	"for: ADJ argument|evidence|proof that X\n" + // evidence that [meditation works]
	"for: ADJ research|study|articles|data|papers showing|proving|suggesting|demonstrating|arguing that? X\n" + // studies showing that [homework is useless]
	"for: ADJ research|study|articles|data|papers|texts that|which show|prove|argue|suggest that X\n" + // studies that show that [naps help]
	"for: pro ARG|side OF X\n" + // pro arguments on [fracking]
	"for: ADJ GOODS of|to|about X\n" + // benefits of [learning an instrument]
	"for: do|does X have any|many? ADJ GOODS FORWHOM?\n" + // do [zoos] have any benefits
	"for: X DET? health? advantages|benefits|upsides|pros|merits|positives\n" + // [bitcoin] advantages; [sauna] health benefits
	"for: advantages|upsides [of]? X\n" + // advantages [electric cars]
	"for: what makes X VERY? GOODADJ FORWHOM?\n" + // what makes [trains] great
	"for: why BE it|this GOODADJ to X\n" + // why is it good to [be bored]
	"for: WHATS VERY? GOODADJ about|with|in X\n" + // what's good about [living alone]
	"for: what DO? WE|PERSONS like|love|enjoy about X\n" + // what do people love about [vinyl records]
	"for: WHATS DET? ADJ GOODS of|with|about X\n" + // what's the upside of [getting older]
	"for: what speaks|argues|is_there_to_say for|in_favour_of|in_favor_of X\n" + // what speaks in favour of [organic farming]
	"for: why X BE VERY? GOODADJ|NEEDED FORWHOM?\n" + // why [nuclear energy] is good; why [trains] are better than planes
	"for: why BE X PLAINGOOD FORWHOM?\n" + // why is [reading] good for you
	"for: why X VERY? WORKS\n" + // why [remote work] works
	"for: why WE SHOULD X\n" + // why you should [learn chess]
	"for: why should WE X\n" + // why should we [trust science]
	"for: why should A\n" + // why should [children learn an instrument]
	"for: why C\n" + // why [voting should be compulsory]
	"for: why to X\n" + // why to [learn latin]
	"for: why it's|it_is|its GOODADJ to X\n" + // why it's good to [be bored]
	"for: why it's|it_is|its worth X\n" + // why it's worth [learning esperanto]
	"for: why VERY? ADJ WE|PEOPLE|FRIENDS|PERSONS MAY? LIKE X\n" + // why people love [vinyl]; why we need [zoos]
	"for: why do|does|did|would|are|is VERY? many? ADJ people|some|many|anyone|voters|others|experts|economists|politicians|FRIENDS|PERSONS LIKE X\n" + // why do people support [brexit]
	"for: why are|is|were ADJ WE|PEOPLE|PERSONS for|in_favour_of|in_favor_of|pro X\n" + // why are some people for [rent control]
	"for: why DO? so? many? WHO support|favour|favor|back|endorse|defend|advocate X\n" + // why do farmers support [wind power]; why farmers support [wind power]
	"for: ADJ FRIENDS of|for X\n" + // supporters of [free trade]
	"for: what|how DO? MAY? ADJ FRIENDS of X MAY? SAY\n" + // what supporters of [free trade] say; what do advocates of [free trade] say
	"for: what DO? ADJ FRIENDS SAY ON X\n" + // what do supporters say about [brexit]; what supporters say about [brexit]
	"for: X according_to ADJ FRIENDS\n" + // [brexit] according to its supporters
	"for: ADJ PEOPLE|PERSONS in_favour_of|in_favor_of|defending|arguing_for X\n" + // people in favour of [rent control]
	"for: ADJ PEOPLE|PERSONS who|that MAY? DEFEND|believe_in X\n" + // people who support [rent control]
	"for: who BE for|in_favour_of|in_favor_of|pro X\n" + // who is in favour of [the new stadium]
	"for: HOWTO argue|speak|make_the_case|make_a_case for|in_favour_of|in_favor_of X\n" + // how to argue for [a pay rise]
	"for: argue|arguing for|in_favour_of|in_favor_of X\n" + // arguing for [uniforms]
	"for: POSREVIEW REVIEW of|on|about|for|towards X\n" + // positive reviews of [the new library]
	"for: X positive|good reviews|feedback|press\n" + // [the new library] positive reviews
	"for: DET? good|positive|best thing|side|sides|aspects|points|effects|parts|stuff of|about|in|with X\n" + // good things about [living in london]
	"for: pro X ARG|DOC|PEOPLE|stance|side|sentiment|campaign\n" + // pro [brexit] arguments
	"for: i? agree|agreeing with X\n" + // agree with [rent control]
	"for: X DET? ARG for|in_favour|in_favor|in_support\n" + // [fracking] arguments for

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
