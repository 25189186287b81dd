package perspective

// againstRows asks for what speaks against the root.
const againstRows = "" +
	"against: WHY WE would|will be VERY? FOLLY to X\n" + // why you'd be mad to [run a marathon]
	"for: WHY WE would|will be VERY? WISDOM to X\n" + // why you'd be wise to [learn typing]
	"against: HOW DO? WHO|CRITICS argue|speak|fight|protest|campaign against X\n" + // how do critics argue against [fracking]
	"against: WHY it isn't|it's_not|it_is_not|its_not|it_wasn't|isn't_it worth|wise|good|smart|right|ok|okay|healthy to? X\n" + // why it isn't worth [owning a car]
	"against: ADJ thing to hate|dislike|fear|regret about X\n" + // things to hate about [winter]
	"against: who speaks|speak|argues|campaigns|protests out? against X\n" + // who speaks out against [the arms trade]
	"against: convince|persuade|show|tell|explain_to me|us|people|someone that|why|how? X ISBAD\n" + // convince me that [basic income] is a bad idea
	"against: WHY WE SHOULD|have_to|need_to|want_to|will|would REFUSE X\n" + // why we should say no to [a new motorway]
	"against: ADJ REASONS to REFUSE X\n" + // reasons to say no to [a new motorway]; grounds to reject [the deal]
	"against: ADJ REASONS for|of REFUSING X\n" + // grounds for opposing [the merger]; reasons for not [marrying]
	"against: WHY BE X VERY? PLAINBAD FORWHOM?\n" + // why is [fast fashion] so terrible
	"against: WHY X ISBAD\n" + // why [grades] ought to be scrapped; how come [diets] fail
	"against: ADJ REASONS why|that? X ISBAD\n" + // ten reasons [group projects] suck; reasons that [coal] is dangerous
	"against: ADJ DOC|ARG ABOUT why|how X ISBAD\n" + // essay on why [zoos] should be shut down
	"against: HOW|why DO X harm|hurt|ruin|undermine|endanger|exploit|worsen REST\n" + // how does [gambling] harm families
	"against: HOW BE X VERY? PLAINBAD FORWHOM?\n" + // how is [fast food] bad for you
	"against: what ADJ HARMS DO X HARMING|do|cause FORWHOM?\n" + // what damage does [mass tourism] do to cities
	"against: what ADJ COUNTER BE there|raised|made|voiced to|against|of|about|for X\n" + // what objections are there to [animal testing]
	"against: what ADJ COUNTER has|have been raised|made|voiced|levelled|brought to|against|of|about|at X\n" + // what criticisms have been made of [the monarchy]
	"against: ADJ COUNTER|ARG that? WE|PERSONS|CRITICS|WHO MAY? have|raise|make|voice|bring|bring_up|bring_forward|put_forward|give|offer|express CON|to|of|about X\n" + // objections people raise against [zoos]
	"against: what ADJ ARG|COUNTER DO? WE|PERSONS|CRITICS|WHO MAY? have|raise|make|bring|use|give|put_forward|offer CON|to X\n" + // what arguments do people have against [zoos]
	"against: ADJ ARG that? the? CRITICS of X MAY? make|use|give|have|raise|cite|put_forward|bring\n" + // arguments the opponents of [fracking] use
	"against: ADJ ARG|COUNTER|WORRY used|made|given|raised|voiced|put_forward? by|of|from ADJ CRITICS of|to|on X\n" + // arguments made by opponents of [fracking]
	"against: horror|scare|cautionary stories|tales about|of|from|with X\n" + // horror stories about [house shares]
	"against: what DO? WE|PERSONS|WHO complain|worry|moan|hate|dislike|criticise|criticize|fear about? with|in|about X\n" + // what do people complain about with [smart tvs]
	"against: WHATS there? to criticise|criticize|fear|regret|complain_about about|in|with? X\n" + // what is there to criticise about [the eu]
	"against: what would|could|might|can DET? ADJ CRITICS of X say|argue|object|think|reply\n" + // what would an opponent of [nuclear power] say
	"against: what would|could|might DET? ADJ CRITICS SAY ON|to|against X\n" + // what might a sceptic say about [astrology]
	"against: HOWTO counter|answer|challenge|dispute|question DET? ADJ IDEA that|of X\n" + // how do i counter the claim that [vaccines are dangerous]
	"against: HOW X ruins|hurts|harms|undermines|endangers|exploits|worsens REST\n" + // how [social media] ruins friendships
	"against: DET? NEGREVIEW REVIEW|experience with|in X\n" + // bad experiences with [online dating]
	"against: i'm|i_am|we're|we_are against|opposed_to|critical_of|sceptical_of X\n" + // i am against [fur]
	"against: T why BE they|it|that VERY? BADADJ FORWHOM?\n" + // [payday loans] why are they bad
	"against: WHY should|must|ought X be|to_be BANNED FORWHOM?\n" + // why should [fireworks] be outlawed
	"against: do|does X have any|many? ADJ BADS FORWHOM?\n" + // do [meal kits] have any downsides
	"against: X BE VERY? BADADJ FORWHOM? because\n" + // [leaf blowers] are terrible because
	"against: HOW CAN WE|anyone|anybody|someone|PERSONS ADJ argue_against|be_against|oppose|object_to|hate|dislike|criticize|criticise X\n" + // how could anyone argue against [free museum entry]
	"against: what DO WE have against X\n" + // what do you have against [board games]
	"against: what can|could|might|will go wrong with|when|if X\n" + // what can go wrong with [a home birth]
	"against: WHATS there? not? to hate|dislike about X\n" + // what's to hate about [christmas]
	"against: what ADJ HARMS come|comes|go|goes|arise|arises|result|results with|from X\n" + // what risks come with [home births]
	"against: what ADJ HARMS BE caused|created|posed by X\n" + // what problems are caused by [cruise ships]
	"against: ADJ BADS when|if X\n" + // drawbacks when [renting furniture]
	"against: ADJ problem|harm|trouble|hassle caused|done|created|posed by X\n" + // harm done by [cruise ships]
	"against: T negative|bad|harmful|adverse|ugly|dark effects|side|aspect|impact|consequences|point|thing\n" + // [fireworks] negative effects
	"against: DET? ugly|dark|uncomfortable|inconvenient truth about|behind X\n" + // the ugly truth about [fast fashion]
	"against: HOWTO? refute|rebut|disprove|debunk|contradict|criticise|criticize that X\n" + // disprove that [sugar makes kids hyper]
	"against: what DO? people|someone|somebody|those|anyone|PERSONS who|that HATE X MAY? SAY\n" + // what would someone who opposes [rent control] say
	"against: ADJ ARG of|by|from ADJ PEOPLE|PERSONS OPPOSING|who_are_against|who_oppose X\n" + // arguments of people opposed to [fracking]
	"against: ADJ ARG that? WE|PERSONS|CRITICS|WHO MAY? give|have|raise|make|use|cite|bring CON X\n" + // reasons teachers give against [smartphones]
	"against: ADJ COUNTER made|raised|levelled|leveled|voiced|brought|aimed of|against|about|to|at X\n" + // criticisms made of [freud]
	"against: ADJ thing WE|PERSONS hate|dislike|complain_about about? X\n" + // things people hate about [group work]
	"against: WHY DO? so? many? ADJ WE|PEOPLE|CRITICS|PERSONS think|say|believe|claim|argue|feel|find that? X BE VERY? BADADJ FORWHOM?\n" + // why do people think [zoos] are cruel
	"against: WHY DO? so? many? ADJ WE|PEOPLE|CRITICS|PERSONS call|find|consider|deem X VERY? BADADJ\n" + // why do critics call [carbon offsets] useless
	"against: WHY it's|it_is|its|it_isn't|it_was not worth|worth_it|smart|wise|good|a_good_idea to? X\n" + // why it's not worth [upgrading your phone]
	"against: prove_me_wrong|change_my_mind|tell_me_why_im_wrong|play_devils_advocate|devils_advocate , X\n" + // prove me wrong: [cats are smarter than dogs]
	"against: X under|facing criticism|fire\n" + // [intelligence tests] under criticism
	"against: X , ADJ BADS|problems for|in REST\n" + // [e-books]: drawbacks for libraries
	"against: talk me|us|him|her out_of X\n" + // talk me out of [buying a motorhome]
	"against: T and why it|they|this|that|these BE VERY? BADADJ FORWHOM?\n" + // [mass tourism] and why it is harmful
	"against: help me|us to? argue_against|attack|refute|criticise|criticize|debunk|counter|oppose X\n" + // help me argue against [animal testing]
	"against: WHY i'm|im|we're|they're|he's|she's|i_am|we_are|i_was against|opposed_to|critical_of|not_a_fan_of|not_keen_on|tired_of|done_with|sceptical_of|skeptical_of|worried_about|afraid_of|wary_of|sick_of X\n" + // why i'm against [compulsory swimming]
	"against: T should|must|ought_to be BANNED because\n" + // [zoos] should be banned because
	"against: convince|persuade|warn|dissuade me|us|people|someone not|against|about|of|from|off to? X\n" + // convince me not to [dye my hair]
	"against: ADJ drawback|disadvantage|downside|weakness|minus in|for|from X\n" + // disadvantages in [home schooling]
	"against: T considered harmful|bad|dangerous|useless|unethical\n" + // [lawns] considered harmful
	"against: ADJ cons for X\n" + // cons for [home schooling]
	"against: what could|might|would be VERY? BADADJ about|with|in X\n" + // what could be bad about [free wifi]
	"against: against X\n" + // against [nuclear power]
	"against: opposing X\n" + // opposing [a wealth tax]
	"against: ADJ con|contra ARG|side OF? X\n" + // con arguments on [fracking]
	"against: T con|contra|counter ARG|side\n" + // [fracking] contra arguments
	"against: ADJ ARG|DOC CON X\n" + // reasons against [homework]; articles critical of [amazon]
	"against: ADJ DOC|STATS OPPOSING X\n" + // texts opposing [a wealth tax]
	"against: ADJ reason not to X\n" + // reasons not to [have children]
	"against: ADJ reason to avoid|oppose|reject|hate|distrust|boycott|quit|be_against X\n" + // reasons to oppose [fracking]
	"against: ADJ reason|why nobody|no_one should|need|want|like X\n" + // why nobody needs [a smart fridge]
	"against: ADJ reason why? WE SHOULDNT X\n" + // reasons you shouldn't [eat meat]
	"against: ADJ reason why? WE MAY? HATE X\n" + // reasons people hate [airports]
	"against: ADJ COUNTER to|of|against|about|on|for|towards X\n" + // criticism of [capitalism]; ethical objections to [cloning]
	"against: X criticism|complaints|objections|concerns|counterargument|counter_argument|counter-arguments|rebuttal|critique\n" + // [capitalism] criticism
	"against: ADJ WORRY against|about|over|regarding X\n" + // complaints about [the new bus timetable]
	"against: ADJ BADS of|to|about|with X\n" + // the problem with [fast fashion]; dangers of [social media]
	"against: ADJ problems of X\n" + // the problems of [mass tourism]
	"against: ADJ problem|trouble|issue with X\n" + // the problem with [grades]
	"against: disadvantages|drawbacks|downsides [of]? X\n" + // disadvantages [electric cars]
	"against: ADJ flaws|weaknesses in X\n" + // flaws in [utilitarianism]
	"against: what makes X VERY? BADADJ FORWHOM?\n" + // what makes [fast food] bad
	"against: WHY BE so? many? WHO VERY? against|opposed_to|afraid_of|critical_of|angry_about|worried_about|unhappy_with X\n" + // why are so many locals opposed to [airbnb]
	"against: what do|does|did WHO have against X\n" + // what do people have against [wind turbines]
	"against: WHY BE it|this BADADJ to X\n" + // why is it wrong to [lie]
	"against: X DET? disadvantages|risks|health_risks|drawbacks|downsides|cons|flaws|shortcomings|dangers|harms|negatives\n" + // [bitcoin] disadvantages
	"against: WHATS VERY? BADADJ about|with|in X\n" + // what's wrong with [fast fashion]
	"against: WHATS DET? ADJ BADS|problem|trouble|matter|issue of|with|about X\n" + // what is the matter with [modern art]
	"against: what speaks|argues|is_there_to_say against X\n" + // what speaks against [organic farming]
	"against: WHY WE SHOULDNT X\n" + // why you shouldn't [drink cow's milk]
	"against: WHY SHOULDNT WE X\n" + // why shouldn't we [eat insects]
	"against: WHY don't|doesn't|won't ADJ WE|PERSONS LIKE X\n" + // why don't people like [brutalism]
	"against: WHY should WE not|never|stop X\n" + // why should we not [go to mars]
	"against: WHY not|never|not_to|never_to [to]? X\n" + // why not to [buy a house]
	"against: WHY it's|it_is|its|it_was|it_would_be VERY? BADADJ to X\n" + // why it's wrong to [eat meat]
	"against: WHY to? avoid|oppose|quit X\n" + // why avoid [sugar]
	"against: WHY VERY? ADJ WE|PEOPLE|CRITICS|PERSONS MAY? HATE X\n" + // why people hate [daylight saving]
	"against: WHY do|does|did|would|are|is|were VERY? many? ADJ WE|PEOPLE|CRITICS|PERSONS HATE X\n" + // why do people oppose [wind farms]
	"against: ADJ CRITICS of|on X\n" + // critics of [homeopathy]
	"against: what|HOW DO? MAY? ADJ CRITICS of X MAY? SAY\n" + // what critics of [homeopathy] say; what do opponents of [the new airport] say
	"against: what DO? ADJ CRITICS SAY ON X\n" + // what do critics say about [brexit]; what critics say about [brexit]
	"against: ADJ PEOPLE|PERSONS OPPOSING|protesting_against|campaigning_against|fighting_against|fighting X\n" + // voices against [the stadium]
	"against: ADJ PEOPLE|PERSONS who|that MAY? HATE X\n" + // people who disagree with [rent control]
	"against: who BE against|opposed_to|critical_of X [and_why]?\n" + // who is against [the new stadium]
	"against: who MAY? oppose|objects_to|disagrees_with|hates|dislikes|rejects|criticise|criticize X [and_why]?\n" + // who opposes [the new stadium]
	"against: HOWTO argue|speak|make_the_case|make_a_case against X\n" + // how to argue against [astrology]
	"against: HOWTO refute|rebut|criticise|criticize|debunk|disprove X\n" + // how to refute [solipsism]
	"against: X debunked|refuted|disproved\n" + // [detox teas] debunked
	"against: argue|arguing|speaking|arguments|argumentation|debating against X\n" + // argue against [uniforms]
	"against: DET? NEGREVIEW REVIEW of|on|about|for|to|towards|against|at X\n" + // negative reviews of [the new library]
	"against: X negative|bad reviews|feedback|press\n" + // [the new library] negative reviews
	"against: DET? bad|negative|worst thing|side|sides|aspects|points|effects|parts|stuff of|about|in|with X\n" + // bad things about [living in london]
	"against: anti X ARG|DOC|PEOPLE|stance|side|sentiment|campaign\n" + // anti [brexit] articles; anti-[war] poems
	"against: DEBUNK|disproving|rebutting|denouncing|decrying|slamming|bashing|attacking|challenging|questioning X\n" + // attacking [unpaid internships]
	"against: ADJ ARG speak|speaks|argue|count|exist|are_there against X\n" + // which arguments speak against [organ markets]
	"against: ADJ thing|ARG|opinion|view|PEOPLE|DOC OPPOSING X\n" + // things speaking against [a second home]
	"against: HOW would|could|can|might WHO|WE|CRITICS attack|criticise|criticize|refute|rebut|challenge|debunk|demolish X\n" + // how would a critic attack [behavioural economics]
	"against: WHY BE WE|everyone|everybody|people|some|many|they|PERSONS so? VERY? negative|sceptical|skeptical|worried|upset|angry|unhappy|concerned|mad|pessimistic about|with X\n" + // why is everyone so negative about [smart meters]
	"against: WHY DET? so_much|such|all_the|is_there_so_much|is_there hate|hatred|COUNTER|WORRY for|of|about|to|towards|against|over X\n" + // why so much hate for [pineapple pizza]
	"against: ADJ dangers|risks|drawbacks|downsides|disadvantages|pitfalls in X\n" + // are there any dangers in [using melatonin]
	"against: ADJ ARG of|by|from those|people who|that oppose|reject|HATE X\n" + // the arguments of those who oppose [the metro line]
	"against: what don't|doesn't|dont WE|PERSONS|PEOPLE like|love|enjoy|appreciate about X\n" + // what don't people like about [self-driving taxis]
	"against: what DO WE|PERSONS|PEOPLE not like|love|enjoy about X\n" + // what do people not like about [skiing]
	"against: WHY would|should|might|do WE not|never want_to? X\n" + // why would you not [buy an electric car]
	"against: pick|poke|find holes|flaws|faults|fault in|with X\n" + // poke holes in [the idea of karma]
	"against: who DO? not? disagrees|disagree|sides|side|argues|argue|speaks|speak|protests|fights|campaigns with|against X\n" + // who disagrees with [the gender quota]
	"against: ADJ reason why? WE MAY? not LIKE X\n" + // reasons you might not want [a swimming pool]
	"against: argue|arguing|state|present|making DET? ADJ case against X\n" + // arguing the case against [e-cigarettes]
	"against: counter|challenge|dispute|contest|attack|rebut DET IDEA that|of X\n" + // counter the view that [games cause crime]
	"against: WHY BE X VERY? criticised|criticized|hated|disliked|opposed|rejected|feared|attacked|condemned|frowned_upon REST\n" + // why is [palm oil] criticised so much
	"against: i? disagree|disagreeing with X\n" + // disagree with [rent control]
	"against: ADJ campaign|movement|petition|speak_out|speaking_out against X\n" + // speaking out against [bullfighting]
	"against: opposed|hostile to X\n" + // opposed to [fracking]
	"against: critical|sceptical|skeptical of|about|towards X\n" + // critical of [fracking]
	"against: X DET? ARG against\n" + // [fracking] arguments against
	"against: anything|something|everything|things|stuff that? BE? BADADJ about|with|in X\n" + // something bad about [cruises]
	"against: WHATS|what|anything|something can|could|might|to be said against X\n" + // what can be said against [zoos]
	"against: what DO WE|PERSONS say|argue against X\n" + // what would you say against [recycling]
	"against: what ADJ ARG BE there CON X\n" + // what arguments are there against [hs2]
	""
