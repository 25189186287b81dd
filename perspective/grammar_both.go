package perspective

// viewpointRows asks for somebody's view, even if the root is a question. It comes before the sides, because
// of questions such as "is a degree worth it in the eyes of employers".
const viewpointRows = "" +
	"against: X according_to ADJ CRITICS\n" + // [brexit] according to its critics
	"for: X according_to ADJ FRIENDS\n" + // [brexit] according to its supporters
	"speaker: what BE? X like|looks_like|is_like|feels_like|was_like|look_like for|to WHO\n" + // what is [school] like for refugees (audience); what [school] is like for refugees (audience)
	"speaker: X according_to WHO\n" + // [screen time] according to a parent (audience); [gun laws] according to democrats (leaning); [is leasing smart] according to economists (audience)
	"audience: X according_to people|those|someone REST\n" + // [hs2] according to people who live near it
	"speaker: X in|through the eyes|opinion|view|words|experience of WHO\n" + // [is a degree worth it] in the eyes of employers? (audience)
	""

// bothRows asks for both sides.
const bothRows = "" +
	"both: X [and|with]? DET? BOTH essay|speech|debate|list|text|overview|summary|comparison|analysis|discussion\n" + // [nuclear energy] advantages and disadvantages essay
	"both: WHY BE X both VERY? GOODADJ|LIKES|loved|admired|popular AND BADADJ|DISLIKES|hated|feared\n" + // why is [nuclear power] both loved and hated
	"both: WHY BE X both VERY? BADADJ|DISLIKES|hated|feared AND GOODADJ|LIKES|loved|admired\n" + // why is [nuclear power] both hated and loved
	"both: what|anything can|could|might|is|to|does WE? there? be|to_be|say|said? be? said? PROCON X\n" + // what can be said for and against [tuition fees]
	"both: what speaks|argues|is|are PROCON X\n" + // what speaks for and against [tuition fees]
	"both: HOWTO? argue|speak|arguing|speaking|argument|debating PROCON X\n" + // how to argue for and against [tuition fees]
	"both: ADJ ARG|DOC|VIEW|PEOPLE|PERSONS|points|cases|views|material PROCON X\n" + // arguments in favour of and against [tuition fees]
	"both: likes|loves AND dislikes|hates about|of X\n" + // likes and dislikes about [freelancing]
	"both: best AND DET? worst thing|parts|aspects? about|of|in X\n" + // the best and worst things about [freelancing]
	"both: should X be BANNED|ALLOWED or not FORWHOM?\n" + // should [zoos] be banned or not
	"both: should people|WE|anyone|PERSONS|they|everyone be allowed|able|free|encouraged|forced|required|permitted|made to X\n" + // should people be allowed to [keep exotic pets]
	"both: ought WE to X\n" + // ought we to [eat animals]
	"both: to ban|allow|eat|buy|have|use|tax|legalise or not to ban|allow|eat|buy|have|use|tax|legalise X\n" + // to ban or not to ban [smartphones]
	"both: does|do|did|would|can the? GOODS|BADS|good|harm|bad of|from X outweigh|justify|exceed|make_up_for REST\n" + // do the benefits of [space travel] justify the costs
	"both: X BOTHSIDES OF DET? ADJ story|argument|debate|issue|question|coin|discussion\n" + // [gun control] both sides of the story
	"both: WHATS DET? BOTHSIDES of|to|on|in X [ISSUE]\n" + // what are the two sides of the [abortion] debate
	"both: WHATS DET? BOTHSIDES of|to|on|in X\n" + // what are the two sides of [globalisation]
	"both: present|discuss|show|hear|explain|argue|describe|represent|give|examine|see BOTHSIDES of|on|to|in|about|for X\n" + // argue both sides of [surrogacy]
	"both: would|could|might|will X be VERY? VERDICT FORWHOM?\n" + // would [leaving the euro] be a good idea
	"both: does|would|could|might|can it make sense|pay|be_worth_it to|if X\n" + // does it make sense to [leave the euro]
	"both: does|would|could X make sense FORWHOM?\n" + // does [leaving the euro] make sense
	"both: X FRIENDS AND|vs|versus CRITICS\n" + // [leaving the euro] supporters and opponents
	"both: X CRITICS AND|vs|versus FRIENDS\n" + // [leaving the euro] opponents and supporters
	"both: NUM? opposing|opposite|contrary|contradictory|contrasting DOC|texts ON X\n" + // two opposing texts on [leaving the euro]
	"both: who|what BE|speaks for X and who|what? is|are|speaks? against it|them|this?\n" + // who is for [hunting] and who is against it
	"both: DET? ADJ debate|discussion|argument|controversy ON|over whether to|we_should|or_not_to? X\n" + // debate on whether to [ban smoking]
	"both: help_me? decide|deciding|decision whether|if i_should|to X\n" + // help me decide whether to [buy a house]
	"both: BE there? more GOODS|good than BADS|harm|bad to|in|of|with|from X\n" + // are there more pros than cons to [zoning]
	"both: do|does|did|would WE|PEOPLE|PERSONS|WHO LIKES OR DISLIKES X\n" + // do people support or oppose [a carbon tax]
	"both: what good AND bad DO X HELPING|do|cause FORWHOM?\n" + // what good and bad does [tourism] bring
	"both: ADJ CRITICS AND FRIENDS of|on X\n" + // critics and defenders of [the royal family]
	"both: BE|would it be? GOODADJ or BADADJ to|for|if|that X\n" + // would it be good or bad to [abolish cash]
	"both: HOW good|useful|healthy|helpful|safe or|and bad|useless|harmful|unhealthy|dangerous BE X FORWHOM?\n" + // how good or bad is [palm oil]
	"both: do|does the? GOODS|good|pros|upsides outweigh|justify|exceed the? BADS|bad|costs of|in|with|to X\n" + // do the pros outweigh the cons of [braces]
	"both: do|does the? BADS|bad|costs outweigh the? GOODS|good of|in|with|to X\n" + // do the risks outweigh the benefits of [statins]
	"both: BE the? GOODS of X worth the? BADS|costs\n" + // are the benefits of [surgery] worth the risks
	"both: what DO? both|the_two|opposing|different sides|camps SAY ON X\n" + // what do both sides say about [gun control]
	"both: positive|good AND negative|bad opinions|reviews|views|feedback|articles|voices|comments|experiences ON|OF X\n" + // positive and negative opinions on [ai art]
	"both: ADJ FRIENDS|fans|lovers AND CRITICS|haters of|on X\n" + // fans and haters of [pineapple pizza]
	"both: who BE for AND who? BE? against X\n" + // who is for and who is against [fracking]
	"both: who supports|support AND who? oppose|opposes|against X\n" + // who supports and who opposes [fracking]
	"both: what speaks for|in_favour|in_favor AND what? speaks? against X\n" + // what speaks in favour and what speaks against [fracking]
	"both: what DO? ADJ FRIENDS AND DET? CRITICS of X MAY? SAY\n" + // what do proponents and opponents of [hunting] say
	"both: ADJ BALANCED|ADJ overview|look|discussion|summary|comparison|analysis|list at|of DET? ADJ BOTH OF? X\n" + // balanced overview of the arguments for and against [sanctions]
	"both: ADJ BALANCED DOC|VIEW|ARG|overview|look|discussion|assessment|summary|take|account ON|of|at X\n" + // a balanced view of [genetic testing]
	"both: ADJ ARG|VIEW|DOC of|from|by ADJ FRIENDS|fans|lovers AND DET? CRITICS|haters of|on X\n" + // arguments of supporters and opponents of [a lower drinking age]
	"both: ADJ ARG|VIEW|DOC of|from|by ADJ CRITICS|haters AND DET? FRIENDS|fans|lovers of|on X\n" + // views of critics and supporters of [homework]
	"both: ADJ ARG|VIEW|DOC|points from|by|of|on both|either|opposing sides|side|camps ON|of|in X\n" + // arguments from both sides about [gun control]
	"both: what DO? ADJ FRIENDS|fans|lovers AND DET? CRITICS|haters SAY ON|of X\n" + // what do supporters and critics say about [bitcoin]
	"both: what DO? ADJ CRITICS|haters AND DET? FRIENDS|fans|lovers SAY ON|of X\n" + // what do critics and supporters say about [bitcoin]
	"both: what DO? WE|PERSONS LIKES AND DISLIKES about X\n" + // what do people like and dislike about [open plan offices]
	"both: WHY DO? so? WE|PEOPLE|PERSONS LIKES OR DISLIKES X\n" + // why do people love or hate [brutalism]
	"both: BE X DET? TWOSIDED FORWHOM?\n" + // is [ai] a blessing or a curse
	"both: T TWOSIDED FORWHOM?\n" + // [ai] blessing or curse
	"both: BE|would it be? VERY? VERDICT|right to|for|that? X\n" + // is it a good idea to [pay off your mortgage early]
	"both: do|does X do more harm|good than good|harm\n" + // do [zoos] do more harm than good
	"both: BE it VERY? worth X\n" + // is it worth [learning latin]
	"both: should X be BANNED|ALLOWED FORWHOM?\n" + // should [zoos] be banned; should [cannabis] be legal
	"place: ADJ NATION debate|discussion|controversy ON X\n" + // the german debate about [speed limits]
	"both: T BADADJ or GOODADJ|NEEDED FORWHOM?\n" + // [coffee] bad or good for you
	"both: WHATS ADJ BOTH OF X\n" + // what are the pros and cons of [solar panels]
	"both: list_of? ADJ BOTH argument|list|table|overview|essay? OF? X\n" + // pros and cons of [remote work]; advantages and disadvantages of [boarding school]; for and against [zoos]
	"both: X ISSUE? both_sides\n" + // [assisted dying] debate both sides
	"both: ADJ BOTHSIDES of|to|on|in X [ISSUE]\n" + // both sides of the [abortion] debate
	"both: ADJ BOTHSIDES of|to|on|in X\n" + // both sides of [gene editing]
	"both: ADJ ARG|DOC|VIEW on|from|for both|either|opposing sides of|on|in? X [ISSUE]?\n" + // arguments on both sides of [gene editing]
	"against: opposing argument|view|viewpoint|position|case to X\n" + // opposing arguments to [veganism]
	"both: ADJ opposing|contrasting|conflicting|competing|differing SIDES OF X\n" + // opposing views on [abortion]
	"both: different|differing|diverging|various SIDES about|on X\n" + // different views on [immigration]
	"both: DET? good DET? bad and DET? ugly of|about|in X\n" + // the good, the bad and the ugly of [remote work]
	"both: DET? ADJ debate|controversy|disagreement about|on|over|around|surrounding X\n" + // the debate about [school uniforms]
	"both: BE X DET? good|right or DET? bad|wrong REST\n" + // is [bitcoin] a good or bad investment
	"both: BE X GOODADJ or not? BADADJ|harmful FORWHOM?\n" + // is [fracking] good or bad; is [social media] good or bad for teenagers
	"both: BE X BADADJ or not? GOODADJ FORWHOM?\n" + // is [tourism] harmful or beneficial
	"both: BE X GOODADJ|BADADJ or not FORWHOM?\n" + // is [a gap year] a good idea or not
	"both: should i|we|you|one|they X or not\n" + // should we [ban cars] or not
	"both: BE X VERY? worth REST\n" + // is [a degree] worth the debt
	"both: BE X VERY? VERDICT FORWHOM?\n" + // is [keto] a good idea; is [a gap year] worth it
	"both: T good|bad|great idea|investment|choice or_not?\n" + // [gap year] good idea or not
	"both: T worth_it|worth_the_money or_not?\n" + // [solar panels] worth it
	"both: X [and|with]? DET? BOTH\n" + // [solar panels] pros and cons; [zoos]: for and against
	"both: should i|we|you|one|they all? X\n" + // should we [ban cars]; should i [get a dog]
	"both: should A\n" + // should [the uk rejoin the eu]; should [teachers be armed]
	""
