package perspective

// meaning is what a query that fits a row of the grammar asks for.
type meaning uint8

const (
	untouched meaning = iota // an ordinary text that looks like a request
	supports                 // what speaks for the root
	opposes                  // what speaks against it
	bothSides
	ofTime
	ofTopic
	ofPlace
	ofAnalogy
	ofEvidence
	ofAudience
	ofLeaning
	bySpeaker // WHO decides: a place, a political side, a time, or else an audience
)

// row is a pattern with its meaning.
type row struct {
	pattern string
	meaning meaning
}

// grammar is how people word a request for a point of view. pattern.go describes the
// patterns, classes.go has the words of their names in capitals. The first row that fits
// the whole query decides. Each row is followed by examples, in which brackets stand
// around the root; tests read them. A row of bySpeaker has the kind after its example.
var grammar = []row{
	// Ordinary texts that look like requests.
	{"against IDIOM REST", untouched},                                                 // against all odds cast
	{"ADJ ARG|DOC against IDIOM REST", untouched},                                     // the case against humanity
	{"DET? case for the_defence|the_defense|prosecution", untouched},                  // the case for the defence
	{"ADJ reason|reasons for ADJ CAUSED REST", untouched},                             // reasons for the fall of rome
	{"X NOBENEFIT benefits", untouched},                                               // texas unemployment benefits
	{"supporting DOC|actor|actress|role|character REST", untouched},                   // supporting documents for visa application
	{"weather|calendar|timetable|tickets REST", untouched},                            // weather since monday
	{"ADJ FORECAST for|on WHEN|the_weekend|tomorrow|today|tonight|monday", untouched}, // forecast for the weekend
	{"NOBENEFIT benefits", untouched},                                                 // housing benefits
	{"X? NOCRITIC criticism|criticisms|cons|critics REST", untouched},                 // film criticism
	{"ADJ critics of WHEN", untouched},                                                // literary critics of the 20th century
	{"PRODUCT for LEARNERS", untouched},                                               // best laptops for students

	// Both sides.
	{"ADJ NATION debate|discussion|controversy ON X", ofPlace},                                                       // the german debate about [speed limits]
	{"T GOODADJ or BADADJ FORWHOM?", bothSides},                                                                      // [coffee] good or bad for the heart
	{"T BADADJ or GOODADJ FORWHOM?", bothSides},                                                                      // [coffee] bad or good for you
	{"what's|what_is|whats|what_are ADJ BOTH OF X", bothSides},                                                       // what are the pros and cons of [solar panels]
	{"ADJ BOTH OF? X", bothSides},                                                                                    // pros and cons of [remote work]; advantages and disadvantages of [boarding school]; for and against [zoos]
	{"X [and|with]? DET? BOTH", bothSides},                                                                           // [solar panels] pros and cons; [zoos]: for and against
	{"ADJ BOTHSIDES of|to|on|in X [ISSUE]", bothSides},                                                               // both sides of the [abortion] debate
	{"ADJ BOTHSIDES of|to|on|in X", bothSides},                                                                       // both sides of [gene editing]
	{"ADJ ARG|views|positions in|from the X ISSUE", bothSides},                                                       // main arguments in the [abortion] debate
	{"ADJ ARG|DOC|VIEW on|from|for both|either|opposing sides of|on|in? X [ISSUE]?", bothSides},                      // arguments on both sides of [gene editing]
	{"opposing|contrasting|conflicting|competing|differing SIDES OF X", bothSides},                                   // opposing views on [abortion]
	{"DET? balanced|even-handed ADJ OF X", bothSides},                                                                // a balanced view of [fracking]
	{"DET? ADJ debate|controversy|disagreement about|on|over|around|surrounding X", bothSides},                       // the debate about [school uniforms]
	{"BE X DET? good|right|smart|wise or DET? bad|wrong|stupid|foolish REST", bothSides},                             // is [bitcoin] a good or bad investment
	{"BE X GOODADJ or not? BADADJ|harmful FORWHOM?", bothSides},                                                      // is [fracking] good or bad; is [social media] good or bad for teenagers
	{"BE X BADADJ or not? GOODADJ FORWHOM?", bothSides},                                                              // is [tourism] harmful or beneficial
	{"BE X GOODADJ|BADADJ or not FORWHOM?", bothSides},                                                               // is [a gap year] a good idea or not
	{"BE X DET? blessing|boon|friend|hero|saviour|medicine or DET? curse|blight|bane|foe|villain|poison", bothSides}, // is [ai] a blessing or a curse
	{"T DET? blessing|boon|friend|hero or DET? curse|bane|foe|villain", bothSides},                                   // [ai] blessing or curse
	{"T yes or no", bothSides},                                                                                       // [school uniforms] yes or no
	{"T for or against", bothSides},                                                                                  // [hunting] for or against
	{"ADJ FRIENDS AND CRITICS of X", bothSides},                                                                      // supporters and opponents of [fracking]
	{"ADJ CRITICS AND FRIENDS of X", bothSides},                                                                      // critics and supporters of [fracking]
	{"what MAY? ADJ FRIENDS AND CRITICS of X MAY? SAY", bothSides},                                                   // what supporters and opponents of [fracking] say
	{"should WE X or not", bothSides},                                                                                // should we [ban cars] or not
	{"who BE for and who BE against X", bothSides},                                                                   // who is for and who is against [the tunnel]

	// Against.
	{"against X", opposes},                                                                               // against [nuclear power]
	{"ADJ con|contra ARG|side OF? X", opposes},                                                           // con arguments on [fracking]
	{"ADJ ARG|DOC CON X", opposes},                                                                       // reasons against [homework]; articles critical of [amazon]
	{"ADJ ARG CON [DET] [idea|claim|notion|view|belief] [that] X", opposes},                              // an argument against the idea that [money buys happiness]
	{"ADJ DOC OPPOSING X", opposes},                                                                      // texts opposing [a wealth tax]
	{"ADJ DOC that|which|who MAY? OPPOSE X", opposes},                                                    // studies that dispute [the mozart effect]
	{"ADJ reason|reasons not to X", opposes},                                                             // reasons not to [have children]
	{"ADJ reason|reasons to avoid|oppose|reject|hate|distrust|boycott X", opposes},                       // reasons to oppose [fracking]
	{"ADJ reason|reasons why? WE SHOULDNT X", opposes},                                                   // reasons you shouldn't [eat meat]
	{"ADJ reason|reasons why? X BE VERY? BADADJ FORWHOM?", opposes},                                      // reasons why [sugar] is bad for you
	{"ADJ reason|reasons why? WE HATE X", opposes},                                                       // reasons people hate [airports]
	{"ADJ COUNTER to|of|against|about [DET] [idea|claim|notion|view|belief|argument] [that] X", opposes}, // a counter-argument to the claim that [homework helps]
	{"ADJ COUNTER to|of|against|about|on|for|towards X", opposes},                                        // criticism of [capitalism]; ethical objections to [cloning]
	{"X criticism|criticisms|counterargument|counterarguments|counter_argument|counter_arguments|counter-arguments|rebuttal|rebuttals|critique", opposes}, // [capitalism] criticism
	{"ADJ WORRY about|against|over|regarding X", opposes},                                                       // complaints about [the new bus timetable]
	{"ADJ BADS of|to|about|with X", opposes},                                                                    // the problem with [fast fashion]; dangers of [social media]
	{"DET? problem|trouble|issue with|of X", opposes},                                                           // the problem with [grades]
	{"disadvantages|drawbacks|downsides [of]? X", opposes},                                                      // disadvantages [electric cars]
	{"ADJ flaws|weaknesses|holes in X", opposes},                                                                // flaws in [utilitarianism]
	{"what makes X VERY? BADADJ FORWHOM?", opposes},                                                             // what makes [fast food] bad
	{"anything|something|nothing|stuff BADADJ about|with|in X", opposes},                                        // something bad about [cruises]
	{"what do|does|did WHO have against X", opposes},                                                            // what do people have against [wind turbines]
	{"why BE it|this BADADJ to X", opposes},                                                                     // why is it wrong to [lie]
	{"why X ISNT BADADJ REST", supports},                                                                        // why [sugar] isn't bad
	{"why X ISNT REST", opposes},                                                                                // why [gmos] aren't safe
	{"X disadvantages|drawbacks|downsides|cons|flaws|shortcomings|dangers|harms", opposes},                      // [bitcoin] disadvantages
	{"what's|what_is|whats|what_are VERY? BADADJ about|with|in X", opposes},                                     // what's wrong with [fast fashion]
	{"what's|what_is|whats|what_are DET? ADJ BADS|problem|trouble|matter|issue of|with|about X", opposes},       // what is the matter with [modern art]
	{"what's|what_is|whats not_to_like|not_good about X", opposes},                                              // what's not to like about [airbnb]
	{"what speaks|argues|is_there_to_say against X", opposes},                                                   // what speaks against [organic farming]
	{"what can|could|might|would be said against X", opposes},                                                   // what can be said against [zoos]
	{"why X BE VERY? BADADJ FORWHOM?", opposes},                                                                 // why [sugar] is bad; why [zoos] are cruel
	{"why BE X PLAINBAD FORWHOM?", opposes},                                                                     // why is [plastic] bad for the environment
	{"why X FAILS", opposes},                                                                                    // why [diets] fail; why [standardized tests] don't work
	{"why WE SHOULDNT X", opposes},                                                                              // why you shouldn't [drink cow's milk]
	{"why SHOULDNT WE X", opposes},                                                                              // why shouldn't we [eat insects]
	{"why should WE not|never|stop X", opposes},                                                                 // why should we not [go to mars]
	{"why not|never|not_to|never_to [to]? X", opposes},                                                          // why not to [buy a house]
	{"why it's|it_is|its BADADJ to X", opposes},                                                                 // why it's wrong to [eat meat]
	{"why to? avoid|oppose|quit X", opposes},                                                                    // why avoid [sugar]
	{"why VERY? ADJ WE|PEOPLE|CRITICS|PERSONS MAY? HATE X", opposes},                                            // why people hate [daylight saving]
	{"why do|does|did|would|are|is|were VERY? many? so_many? ADJ WE|PEOPLE|CRITICS|PERSONS HATE X", opposes},    // why do people oppose [wind farms]
	{"why are|is|were ADJ WE|PEOPLE|PERSONS VERY? against|opposed_to|afraid_of|critical_of X", opposes},         // why are people against [gmo food]
	{"why do|does|did|would WHO oppose|reject|object_to|disagree_with|criticize|criticise|distrust X", opposes}, // why do farmers oppose [wolves]
	{"why WHO oppose|opposes|reject|rejects|object_to|disagree_with|criticize|criticise|distrust|are_against|is_against X", opposes}, // why farmers are against [wolves]
	{"ADJ CRITICS of X", opposes},                                                                            // critics of [homeopathy]
	{"what|how MAY? ADJ CRITICS of X MAY? SAY", opposes},                                                     // what critics of [homeopathy] say
	{"what do|does|did|would|might ADJ CRITICS of X SAY", opposes},                                           // what do opponents of [the new airport] say
	{"what do|does|did ADJ CRITICS SAY ON X", opposes},                                                       // what do critics say about [brexit]
	{"what ADJ CRITICS SAY ON X", opposes},                                                                   // what critics say about [brexit]
	{"X according_to ADJ CRITICS", opposes},                                                                  // [brexit] according to its critics
	{"ADJ PEOPLE|PERSONS OPPOSING|protesting_against X", opposes},                                            // voices against [the stadium]
	{"ADJ PEOPLE|PERSONS who|that MAY? HATE X", opposes},                                                     // people who disagree with [rent control]
	{"who BE against|opposed_to|critical_of X", opposes},                                                     // who is against [the new stadium]
	{"who MAY? opposes|oppose|disagrees_with|hates|dislikes|rejects X", opposes},                             // who opposes [the new stadium]
	{"how to argue|speak|make_the_case|make_a_case against X", opposes},                                      // how to argue against [astrology]
	{"argue|arguing|speaking|arguments|argumentation|debating against X", opposes},                           // argue against [uniforms]
	{"make|making|build DET? ADJ case|argument|point against X", opposes},                                    // make the case against [tipping]
	{"DET? ADJ case against X", opposes},                                                                     // the case against [grades]
	{"NEGREVIEW REVIEW of|on|about|for|towards|against X", opposes},                                          // negative reviews of [the new library]
	{"X negative|bad reviews|feedback|press", opposes},                                                       // [the new library] negative reviews
	{"bad|negative|worst things|thing|sides|aspects|points|effects|parts|stuff of|about|in|with X", opposes}, // bad things about [living in london]
	{"anti X ARG|DOC|PEOPLE|stance|side|sentiment|campaign", opposes},                                        // anti [brexit] articles; anti-[war] poems
	{"DEBUNK|debunk [DET] [idea|claim|notion|myth|belief] [that] X", opposes},                                // debunking the myth that [carrots improve eyesight]
	{"DEBUNK X", opposes}, // debunking [astrology]
	{"X debunked|refuted|criticised|criticized", opposes},        // [astrology] debunked
	{"disagree|disagreeing|disagrees with X", opposes},           // disagree with [rent control]
	{"in opposition to X", opposes},                              // in opposition to [fracking]
	{"opposed|hostile to X", opposes},                            // opposed to [fracking]
	{"critical|sceptical|skeptical of|about|towards X", opposes}, // critical of [fracking]
	{"convince|persuade me not_to|against X", opposes},           // convince me not to [buy a house]
	{"talk me out of X", opposes},                                // talk me out of [buying a boat]
	{"devil's|devils advocate on|against|about X", opposes},      // devil's advocate on [recycling]
	{"X BE VERY? BADADJ because", opposes},                       // [homework] is bad because
	{"X ARG against", opposes},                                   // [fracking] arguments against
	{"X DET case against", opposes},                              // [fracking]: the case against

	// For.
	{"in favour|favor|support|defence|defense|praise of X", supports},                                                                           // in favour of [gun control]; in praise of [slow travel]
	{"advocating|endorsing|praising X", supports},                                                                                               // praising [zoos]
	{"supportive of X", supports},                                                                                                               // supportive of [zoos]
	{"DET ADJ defence|defense|praise|endorsement|advocacy of X", supports},                                                                      // a defense of [monarchy]
	{"DET ADJ case for X", supports},                                                                                                            // the case for [slow travel]
	{"economic|moral|ethical|legal|scientific|business|strong|environmental|practical case for X", supports},                                    // economic case for [immigration]
	{"ADJ argument|arguments|evidence|reasons|justification|justifications|talking_points FOR X", supports},                                     // reasons for [a four day week]; best arguments for [veganism]
	{"DET|good|strong ADJ reason FOR X", supports},                                                                                              // a good reason for [daylight saving]
	{"ADJ ARG|DOC in_favour_of|in_favor_of|in_support_of|in_defence_of|in_defense_of|in_praise_of|supportive_of X", supports},                   // essays in defence of [boredom]
	{"ADJ DOC DEFENDING X", supports},                                                                                                           // articles supporting [a wealth tax]
	{"ADJ DOC that|which|who MAY? DEFEND X", supports},                                                                                          // texts that defend [monarchy]
	{"ADJ ARG|articles|essays FOR [DET] [idea|claim|notion|view|belief] [that] X", supports},                                                    // arguments for the claim that [cats are smarter]
	{"ADJ reason|reasons why? WE SHOULD X", supports},                                                                                           // reasons why you should [travel alone]
	{"ADJ reason|reasons why? X BE VERY? GOODADJ FORWHOM?", supports},                                                                           // reasons why [reading] is good for you
	{"ADJ reason|reasons why? WE LIKE X", supports},                                                                                             // reasons we need [zoos]
	{"ADJ reason|reasons to support|love|like|favour|favor|back|endorse|defend X", supports},                                                    // reasons to support [rent control]
	{"ADJ reason|reasons to X", supports},                                                                                                       // reasons to [become vegetarian]
	{"ADJ reason|reasons why|that? C", supports},                                                                                                // reasons why [zoos should be closed]
	{"ADJ argument|arguments|evidence that X", supports},                                                                                        // evidence that [meditation works]
	{"ADJ studies|research|study|articles|data|papers showing|proving|suggesting|demonstrating|arguing that? X", supports},                      // studies showing that [homework is useless]
	{"ADJ studies|research|study|articles|data|papers|texts that|which show|shows|prove|proves|argue|argues|suggest|suggests that X", supports}, // studies that show that [naps help]
	{"pro ARG|side OF X", supports},                                                                                                             // pro arguments on [fracking]
	{"public|popular|political|strong|growing|scientific support for X", supports},                                                              // popular support for [rent control]
	{"ADJ GOODS of|to|about X", supports},                                                                                                       // benefits of [learning an instrument]
	{"X advantages|benefits|upsides|pros|merits", supports},                                                                                     // [bitcoin] advantages
	{"advantages|upsides [of]? X", supports},                                                                                                    // advantages [electric cars]
	{"what makes X VERY? GOODADJ FORWHOM?", supports},                                                                                           // what makes [trains] great
	{"anything|something|nothing|stuff GOODADJ about|with|in X", supports},                                                                      // is there anything good about [traffic jams]
	{"why BE it|this GOODADJ to X", supports},                                                                                                   // why is it good to [be bored]
	{"what's|what_is|whats|what_are VERY? GOODADJ about|with|in X", supports},                                                                   // what's good about [living alone]
	{"what's|what_is|whats|what_are DET? ADJ GOODS of|with|about X", supports},                                                                  // what's the upside of [getting older]
	{"what speaks|argues|is_there_to_say for|in_favour_of|in_favor_of X", supports},                                                             // what speaks in favour of [organic farming]
	{"what can|could|might|would be said for|in_favour_of|in_favor_of|in_defence_of X", supports},                                               // what can be said for [zoos]
	{"why X BE VERY? GOODADJ|important|essential|necessary|crucial|vital|valuable|needed|safe|relevant FORWHOM?", supports},                     // why [nuclear energy] is good; why [trains] are better than planes
	{"why BE X PLAINGOOD FORWHOM?", supports},                                                                                                   // why is [reading] good for you
	{"why X WORKS", supports},                                                                                                                   // why [remote work] works
	{"why WE SHOULD X", supports},                                                                                                               // why you should [learn chess]
	{"why should WE X", supports},                                                                                                               // why should we [trust science]
	{"why C", supports},                                                                                                                         // why [zoos should be banned]
	{"why to X", supports},                                                                                                                      // why to [learn latin]
	{"why it's|it_is|its GOODADJ to X", supports},                                                                                               // why it's good to [be bored]
	{"why VERY? ADJ WE|PEOPLE|FRIENDS|PERSONS MAY? LIKE X", supports},                                                                           // why people love [vinyl]; why we need [zoos]
	{"why do|does|did|would|are|is VERY? many? so_many? ADJ people|some|many|voters|others|experts|economists|politicians|FRIENDS|PERSONS LIKE X", supports}, // why do people support [brexit]
	{"why are|is|were ADJ WE|PEOPLE|PERSONS for|in_favour_of|in_favor_of|pro X", supports},                                                                   // why are some people for [rent control]
	{"why do|does|did|would WHO support|favour|favor|back|endorse|defend|advocate X", supports},                                                              // why do farmers support [wind power]
	{"why WHO support|supports|favour|favours|favor|favors|back|backs|endorse|endorses|defend|defends X", supports},                                          // why farmers support [wind power]
	{"ADJ FRIENDS of|for X", supports},                                                                        // supporters of [free trade]
	{"what|how MAY? ADJ FRIENDS of X MAY? SAY", supports},                                                     // what supporters of [free trade] say
	{"what do|does|did|would|might ADJ FRIENDS of X SAY", supports},                                           // what do advocates of [free trade] say
	{"what do|does|did ADJ FRIENDS SAY ON X", supports},                                                       // what do supporters say about [brexit]
	{"what ADJ FRIENDS SAY ON X", supports},                                                                   // what supporters say about [brexit]
	{"X according_to ADJ FRIENDS", supports},                                                                  // [brexit] according to its supporters
	{"ADJ PEOPLE|PERSONS in_favour_of|in_favor_of|defending|arguing_for X", supports},                         // people in favour of [rent control]
	{"ADJ PEOPLE|PERSONS who|that MAY? DEFEND|believe_in X", supports},                                        // people who support [rent control]
	{"who BE for|in_favour_of|in_favor_of|pro X", supports},                                                   // who is in favour of [the new stadium]
	{"how to argue|speak|make_the_case|make_a_case for|in_favour_of|in_favor_of X", supports},                 // how to argue for [a pay rise]
	{"argue|arguing for|in_favour_of|in_favor_of X", supports},                                                // arguing for [uniforms]
	{"make|making|build DET? ADJ case|argument for X", supports},                                              // make the case for [tipping]
	{"POSREVIEW REVIEW of|on|about|for|towards X", supports},                                                  // positive reviews of [the new library]
	{"good reviews|feedback|press of|on|about|for X", supports},                                               // good reviews of [the new library]
	{"X positive|good reviews|feedback|press", supports},                                                      // [the new library] positive reviews
	{"good|positive|best things|thing|sides|aspects|points|effects|parts|stuff of|about|in|with X", supports}, // good things about [living in london]
	{"pro X ARG|DOC|PEOPLE|stance|side|sentiment|campaign", supports},                                         // pro [brexit] arguments
	{"agree|agreeing|agrees with X", supports},                                                                // agree with [rent control]
	{"convince|persuade me that|to|of X", supports},                                                           // convince me that [jazz is worth listening to]
	{"talk me into X", supports},                                                                              // talk me into [buying a boat]
	{"X BE VERY? GOODADJ because", supports},                                                                  // [homework] is good because
	{"X ARG for|in_favour|in_favor|in_support", supports},                                                     // [fracking] arguments for
	{"X DET case for", supports},                                                                              // [fracking]: the case for

	// Evidence.
	{"DET? AGED ADJ DOC|STATS|thinking|research|developments|progress|findings|updates|information|ideas|attitudes on|about|regarding|to|towards X", ofTime}, // recent articles about [plastic]; latest news on [the trade war]
	{"ADJ STATS STATON X", ofEvidence},         // statistics on [knife crime]; studies on [intermittent fasting]
	{"ADJ REAL of|for|about|on X", ofEvidence}, // real life examples of [game theory]
	{"personal|first-hand|firsthand|first_hand|eyewitness|true|survivor accounts|account|stories|testimonies|testimony|reports|experiences of|from X", ofEvidence}, // first-hand accounts of [the great depression]
	{"statistics|figures|numbers for X", ofEvidence}, // figures for [road deaths]
	{"X statistics", ofEvidence},                     // [knife crime] statistics
	{"X case_studies|case_study|survey_results|research_findings|scientific_evidence|scientific_studies|in_numbers|in_figures", ofEvidence}, // [co-housing] case studies
	{"what do|does|did SCIENCE SAY ON X", ofEvidence}, // what does research say about [intermittent fasting]
	{"what SCIENCE SAY ON X", ofEvidence},             // what the data says about [crime]
	{"X according_to DET? ADJ SCIENCE", ofEvidence},   // [naps] according to research

	// Analogies.
	{"ADJ STORY HAS DET? same|similar ADJ MORAL as|to|like|with|of X", ofAnalogy},                   // story with the same moral as [the boy who cried wolf]; a parable that makes the same point as [the emperor's new clothes]
	{"ADJ STORY HAS DET? ADJ MORAL like|similar_to|resembling|as_in|comparable_to X", ofAnalogy},    // a story with a moral like [the ant and the grasshopper]
	{"ADJ STORY whose ADJ MORAL BE like|similar_to|the_same_as X", ofAnalogy},                       // a tale whose moral is like [the golden goose]
	{"DET? same|similar ADJ MORAL as|to|like X", ofAnalogy},                                         // same moral as [the lion and the mouse]
	{"ADJ TALE LIKEX X", ofAnalogy},                                                                 // stories like [cinderella]; cases similar to [the dreyfus affair]
	{"DET? same|similar|comparable|analogous|parallel ADJ STORY to|as|like X", ofAnalogy},           // a similar case to [the tulip mania]
	{"similar to X", ofAnalogy},                                                                     // similar to [the tulip mania]
	{"what BE SAME to X", ofAnalogy},                                                                // what is similar to [the tulip mania]
	{"ADJ ANALOGY for|to|of|with|about|between X", ofAnalogy},                                       // an analogy for [inflation]
	{"ADJ parallel|comparison|comparisons|equivalent|equivalents|counterpart to|with X", ofAnalogy}, // historical parallels to [the fall of rome]
	{"X analogies|metaphors|parallels", ofAnalogy},                                                  // [electric current] analogies
	{"modern|modern-day|contemporary|real-life version|equivalent|retelling of|to X", ofAnalogy},    // modern version of [the golden goose]

	// Time.
	{"ADJ DOC PUBLISHED? since|after|before|until|from|in|during|of WHEN ON X", ofTime},                           // articles from 2019 about [plastic]
	{"ADJ DOC [about|on|regarding|concerning] X PUBLISHED? since|after|before|until|from|in|during WHEN", ofTime}, // news about [syria] since 2015
	{"DET? future of X", ofTime},                                                    // the future of [work]
	{"ADJ FORECAST for|about|on|regarding|of X", ofTime},                            // predictions about [electric cars]
	{"what will happen|become to|of|with X", ofTime},                                // what will become of [printed newspapers]
	{"what lies ahead for X", ofTime},                                               // what lies ahead for [coal]
	{"what BE next for X", ofTime},                                                  // what is next for [coal]
	{"what WHO used_to SAY ON X", ofTime},                                           // what people used to think about [smoking]
	{"what did WHO SAY ON X in|during|before|after|since WHEN", ofTime},             // what did people think about [divorce] in the 1950s
	{"what WHO SAY ON X in|during|before|after|since WHEN", ofTime},                 // what people thought about [divorce] in the 1950s
	{"how did? WHO SEE X in|during|before|after|since WHEN", ofTime},                // how did people see [divorce] in the 1950s
	{"how BE X seen|viewed|perceived|regarded in|during|before|after WHEN", ofTime}, // how was [divorce] seen in the 1950s
	{"how X BE seen|viewed|perceived|regarded in|during|before|after WHEN", ofTime}, // how [divorce] was seen in the 1950s
	{"how X used to be REST", ofTime},                                               // how [schools] used to be
	{"how X has|have changed|evolved|developed REST", ofTime},                       // how [schools] have changed since the 1990s
	{"how has|have X changed|evolved|developed since|over|in|during REST", ofTime},  // how has [football] changed over the years
	{"T since WHO", ofTime},                                                         // [house prices] since brexit
	{"T nowadays|these_days|throughout_history|over_time", ofTime},                  // [schools] nowadays
	{"T through|over|across the years|ages|decades|centuries|generations", ofTime},  // [bread] through the ages
	{"T NUM years|decades ago|from_now", ofTime},                                    // [tv] thirty years ago
	{"T PUBLISHED? since|after|before|until|up_to|as_of|post|pre|prior_to|from_before|from_after|newer_than|older_than|later_than WHEN", ofTime}, // [electric cars] since 2015
	{"T between|from YEAR and|to|until|-|onwards|on YEAR?", ofTime},                                                                              // [immigration policy] between 1990 and 2005; [crime] from 1990 onwards
	{"T in|during|over|throughout|within PERIOD", ofTime},                                                                                        // [women's fashion] in the 1920s; [tourism] in the past ten years
	{"T now and then", ofTime}, // [schools] now and then
	{"T then and now", ofTime}, // [schools] then and now

	// Political sides.
	{"ADJ LEAN LEAN? DOC|LEANDOC|VIEW|ARG ON|of|to|towards X", ofLeaning}, // left-wing view of [immigration]; liberal media on [gun laws]
	{"LEANS on|about X", ofLeaning},                                       // republicans on [taxes]; the left on [taxes]
	{"T [from|by] DET? LEAN POV|DOC|LEANDOC", ofLeaning},                  // [gun laws] from a liberal perspective

	// Places.
	{"ADJ local|regional|NATION ADJ DOC|VIEW ON|of|to|towards X", ofPlace},                            // german news about [migration]
	{"ADJ DOC ON X from|in [the]? PLACE", ofPlace},                                                    // news about [migration] from germany
	{"ADJ experience|experiences|experiment|experiments|trial|trials with|of X in PLACE", ofPlace},    // experience with [congestion charges] in london
	{"PLACE DOC ON X", ofPlace},                                                                       // scotland news about [ferries]
	{"the? situation|debate|state in PLACE ON|of|with X", ofPlace},                                    // the situation in poland regarding [coal]
	{"what BE being_said|happening|people_saying|going_on|the_situation in PLACE ON|with X", ofPlace}, // what is being said in italy about [pasta prices]
	{"T in|from the? ADJ NATION ADJ DOC", ofPlace},                                                    // [heat pumps] in german newspapers
	{"T as? seen|viewed|told|reported|experienced|perceived from|in PLACE", ofPlace},                  // [brexit] seen from ireland
	{"how people|they in|from PLACE SEE X", ofPlace},                                                  // how people in japan see [whaling]
	{"how do|does|did|would PLACE|NATION handle|handles|see|view|regulate|treat|approach|deal_with|manage|tackle|perceive|think_about|feel_about X", ofPlace}, // how does sweden handle [waste]
	{"how PLACE|NATION handles|handle|sees|see|views|view|regulates|treats|approaches|deals_with|deal_with|manages|tackles X", ofPlace},                       // how sweden handles [waste]
	{"how BE X seen|viewed|perceived|regarded|handled|regulated in PLACE", ofPlace},                                                                           // how is [whaling] seen in japan
	{"how X BE seen|viewed|perceived|regarded|handled|regulated in PLACE", ofPlace},                                                                           // how [whaling] is seen in japan
	{"T in other countries", ofPlace}, // [speed limits] in other countries

	// Subtopics.
	{"ADJ FIELD ASPECT of|on|to|behind X", ofTopic}, // economic aspects of [immigration]
	{"T [from] DET? ADJ FIELD POV", ofTopic},        // [immigration] from an economic point of view
	{"T FOCUS REST", ofTopic},                       // [tourism] with a focus on the environment

	// Those who learn.
	{"explain|explaining|understanding|understand X like|as_if|as_though REST", ofAudience}, // explain [inflation] like i'm five
	{"explain|explaining X to|for WHO", ofAudience},                                         // explain [inflation] to a child
	{"explain|understanding|understand X SIMPLE", ofAudience},                               // explain [inflation] in simple terms
	{"how to explain X to|for WHO", ofAudience},                                             // how to explain [death] to a child
	{"eli5 X", ofAudience}, // eli5 [inflation]
	{"X eli5", ofAudience}, // [inflation] eli5
	{"ADJ simple|easy|basic|simplified|plain|non-technical explanation|introduction|overview|guide|description of|to|for X", ofAudience},                                                               // a simple explanation of [inflation]
	{"T [explained|described|taught]? SIMPLE", ofAudience},                                                                                                                                             // [inflation] in simple terms
	{"ADJ beginner|beginner's|beginners|beginners'|dummies|dummy's|layman's|idiot's|newbie|child's|kid's guide|guides|introduction|tutorial|tips|intro|course|overview to|on|for|about X", ofAudience}, // a beginner's guide to [beekeeping]
	{"ADJ GUIDE for ADJ PERSONS|LEARNERS about|on|regarding X", ofAudience},                                                                                                                            // advice for new parents about [sleep]
	{"ADJ GUIDE|DOC about|on|to|of X for LEARNERS", ofAudience},                                                                                                                                        // a book about [sharks] for kids
	{"T explained|simplified|made_easy|written for|to WHO", ofAudience},                                                                                                                                // [climate change] explained to children
	{"T for LEARNERS", ofAudience},   // [quantum physics] for beginners
	{"for LEARNERS , X", ofAudience}, // for beginners: [chess openings]

	// Those who speak.
	{"X according_to WHO", bySpeaker},                                                                         // [screen time] according to a parent (audience); [gun laws] according to democrats (leaning)
	{"according_to WHO , X", bySpeaker},                                                                       // according to farmers, [wolves are dangerous] (audience)
	{"what do|does|did|would|might|could|can|will MAY? WHO MAY? SAY ON|of X", bySpeaker},                      // what do teachers think about [homework] (audience)
	{"what WHO MAY? SAY ON|of X", bySpeaker},                                                                  // what teachers say about [phone bans] (audience); what the french say about [strikes] (place)
	{"how do|does|did|would|might WHO MAY? SEE X", bySpeaker},                                                 // how do nurses feel about [night shifts] (audience)
	{"how WHO MAY? SEE X", bySpeaker},                                                                         // how nurses see [night shifts] (audience)
	{"how do|does|did|would|can ADJ PERSONS MAY? COPE X", ofAudience},                                         // how do nurses cope with [night shifts]
	{"how ADJ PERSONS MAY? COPE X", ofAudience},                                                               // how nurses deal with [night shifts]
	{"how WHO report|reports|write|writes|talk|talks about|on X", bySpeaker},                                  // how the german press reports on [heat pumps] (place)
	{"what BE X like for|to WHO", bySpeaker},                                                                  // what is [school] like for refugees (audience)
	{"what X looks_like|is_like|feels_like|was_like|look_like for|to WHO", bySpeaker},                         // what [school] is like for refugees (audience)
	{"how BE X seen|viewed|perceived|regarded|experienced by WHO", bySpeaker},                                 // how is [the strike] seen by commuters (audience)
	{"how X BE seen|viewed|perceived|regarded|experienced by WHO", bySpeaker},                                 // how [the strike] is seen by commuters (audience)
	{"what do|does|did|would X mean for WHO", bySpeaker},                                                      // what does [brexit] mean for farmers (audience)
	{"what X means|mean|meant for WHO", bySpeaker},                                                            // what [brexit] means for farmers (audience)
	{"how do|does|did|will|would X affect|affects|impact|impacts|affected ADJ PERSONS", ofAudience},           // how does [brexit] affect farmers
	{"how X affect|affects|impact|impacts|affected|will_affect|would_affect|changes ADJ PERSONS", ofAudience}, // how [brexit] affects farmers
	{"ADJ impact|effect|effects|consequences|implications of X on|for ADJ PERSONS", ofAudience},               // consequences of [brexit] for farmers
	{"ADJ VIEW of|from|by|among WHO [VIEWON|,] X", bySpeaker},                                                 // opinions of teachers on [homework] (audience); the view from scotland on [independence] (place)
	{"ADJ DOC|GUIDE from|by|out_of WHO [VIEWON|,] X", bySpeaker},                                              // news from germany about [heat pumps] (place); news from the right about [the election] (leaning)
	{"ADJ DOC ON X by|from WHO", bySpeaker},                                                                   // articles about [wolves] by farmers (audience)
	{"WHO views|view|opinion|opinions|perspective|perspectives|take|takes|thoughts|viewpoint|viewpoints|stance|attitudes|attitude|point_of_view on|about|regarding|towards|toward|concerning X", bySpeaker}, // teachers opinions on [homework] (audience)
	{"WHOSE ADJ VIEW VIEWON X", bySpeaker},                                                              // a landlord's experience with [rent control] (audience)
	{"ADJ interviews|interview|conversations|conversation|talks with WHO ON X", bySpeaker},              // interviews with nurses about [night shifts] (audience)
	{"PERSONS writing|talking|speaking|complaining? about|on X", ofAudience},                            // women writing about [war]
	{"PERSONS on X", ofAudience},                                                                        // grandparents on [raising children]
	{"as DET WHO , X", bySpeaker},                                                                       // as a parent, [screen time] (audience)
	{"T [as]? seen|viewed|told|described|experienced|explained|written by|from|through WHO", bySpeaker}, // [the war] as seen by children (audience)
	{"T through|in|with the eyes|words|opinion|view|mind|voice|experience of WHO", bySpeaker},           // [the war] through the eyes of a nurse (audience)
	{"T through|in WHO eyes|words|opinion", bySpeaker},                                                  // [the war] through a nurse's eyes (audience)
	{"T [from] DET? POV of WHO", bySpeaker},                                                             // [rent control] from the perspective of tenants (audience)
	{"T [from] WHO POV", bySpeaker},                                                                     // [rent control] from a landlord's perspective (audience)
	{"T , DET? WHO POV|view|opinion", bySpeaker},                                                        // [rent control], a landlord's view (audience)
	{"from DET? POV of WHO , X", bySpeaker},                                                             // from the point of view of nurses, [night shifts] (audience)
	{"from WHO POV , X", bySpeaker},                                                                     // from a nurse's point of view: [night shifts] (audience)
}
