package perspective

// sideRows are the rows of the grammar for requests for both sides, or for one.
const sideRows = "" +
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
	""
