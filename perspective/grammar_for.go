package perspective

// forRows asks for what speaks for the root.
const forRows = "" +
	"for: WHY WE SHOULD say_yes|agree to X\n" + // why we should say yes to [wind power]
	"for: ADJ REASONS to say_yes|agree to X\n" + // reasons to say yes to [wind power]
	"for: ADJ REASONS for|in|of DEFENDING X\n" + // grounds for supporting [the strike]
	"for: HOW would|can|could|do|might WE|anyone|anybody|someone|they|PERSONS ever? justify|be_for|be_in_favour_of|be_in_favor_of|argue_for|advocate|endorse X\n" + // how can anybody be in favour of [hunting]; how would you justify [animal testing]
	"for: HOW would|can|could|might WE|anyone|anybody|someone|they ever? defend X\n" + // how can one defend [bullfighting]
	"for: HOW BE X VERY? PLAINGOOD FORWHOM?\n" + // how is [yoga] good for you
	"for: WHY BE X VERY? PLAINGOOD FORWHOM?\n" + // why is [sleep] so important for kids
	"for: WHY BE it VERY? GOODADJ|NEEDED to|for|that X\n" + // why is it important to [vote]
	"for: WHY X ISGOOD\n" + // why [cats] make great pets; why [sleep] matters for kids; why [trains] are the future
	"for: ADJ REASONS why|that? X ISGOOD\n" + // ten reasons [trains] are great
	"for: ADJ DOC|ARG ABOUT why|how X ISGOOD\n" + // an essay about how [reading] is good for you
	"for: what do|does|did people|they|fans|PERSONS see|find|admire in|about X\n" + // what do people see in [golf]
	"for: what good DO|can|could|might X bring|do|offer|achieve FORWHOM?\n" + // what good can [tourism] bring
	"for: what good|benefit|advantage can|could|might come of|from|out_of X\n" + // what good can come of [failure]
	"for: what can|could WE gain from|by X\n" + // what can we gain from [space travel]
	"for: what ADJ GOODS DO X HELPING|have|bring over|for|to|in REST\n" + // what advantages does [a co-op] have over a company
	"for: ADJ GOODS that|which X HELPING|has|offers|brings\n" + // advantages that [electric buses] have
	"for: ADJ ARG|ways|HOWTO to? convince|persuade|convincing|persuading DET? ADJ PERSON|PERSONS|people|someone|somebody|anyone|WE|boss|parents|family of|that|to X\n" + // how to convince my boss of [remote work]
	"for: HOWTO convince|persuade my|your|our|their|a|the WHO of|that|to X\n" + // how do i convince my mum to [buy me a phone]
	"for: ADJ proof|justification|rationale|support for DET? ADJ IDEA that|of X\n" + // support for the idea that [school should start later]
	"for: ADJ justification|rationale|endorsement|approval|advocacy for|of|behind X\n" + // rationale for [higher taxes]; endorsements of [the new bridge]
	"for: what would|could|might|can DET? ADJ FRIENDS of X say|argue|think|reply\n" + // what would a fan of [brutalism] say
	"for: what would|could|might DET? ADJ FRIENDS SAY ON|to|for X\n" + // what might a supporter say about [rent control]
	"for: ADJ ARG used|made|given|raised|put_forward? by|of|from ADJ FRIENDS of X\n" + // arguments used by supporters of [the monarchy]
	"for: ADJ ARG that? the? FRIENDS of X MAY? make|use|give|have|cite|put_forward|bring\n" + // arguments the supporters of [fracking] use
	"for: what ADJ ARG DO? WE|PERSONS|FRIENDS|WHO MAY? have|make|bring|use|give|put_forward|offer FOR X\n" + // what reasons do people give for [fasting]
	"for: DET? success|feel-good|feelgood stories of|about|with X\n" + // success stories of [microcredit]
	"for: POSREVIEW REVIEW|experience with X\n" + // positive experiences with [home schooling]
	"for: HOW X makes us|you|people|kids|children|life better|smarter|happier|healthier|stronger REST\n" + // how [reading] makes you smarter
	"for: HOW X enriches|enriched|empowers REST\n" + // how [immigration] enriches the economy
	"for: i'm|i_am|we're|we_are for|pro|in_favour_of|in_favor_of X\n" + // i am in favour of [nuclear power]
	"for: defending|justifying|promoting|championing X\n" + // justifying [animal testing]
	"for: anything|something|everything|things|stuff that? BE? GOODADJ about|with|in X\n" + // is there anything good about [traffic jams]
	"for: WHATS|what|anything|something can|could|might|to be said for|in_favour_of|in_favor_of X\n" + // what can be said for [zoos]
	"for: what ADJ ARG BE there FOR X\n" + // what arguments are there for [hs2]
	"for: X BE VERY? GOODADJ|NEEDED FORWHOM? because\n" + // [school uniforms] are a good idea because
	"for: what ADJ GOODS DO X HELPING\n" + // what benefits do [house plants] bring
	"for: what ADJ GOODS come|comes|go|goes with|from X\n" + // what benefits come with [a library card]
	"for: HOW DO X benefit you|us|me|people|society|everyone|PERSONS\n" + // how does [gardening] benefit you
	"for: T positive|good|beneficial effects|side|aspect|impact|consequences|point|thing\n" + // [yoga] positive effects
	"for: WHATS there? to like|love|enjoy about X\n" + // what's to like about [winter]
	"for: WHATS not to like|love about X\n" + // what's not to like about [trams]
	"for: ADJ praise|plea|applause for X\n" + // praise for [the new tram line]
	"for: ADJ argument why|that C\n" + // arguments why [chess should be taught in school]
	"for: what DO? people|someone|somebody|those|anyone|PERSONS who|that LIKE X MAY? SAY\n" + // what would someone who supports [rent control] say
	"for: ADJ ARG that? WE|PERSONS|FRIENDS|WHO MAY? give|have|raise|make|use|cite|bring FOR X\n" + // reasons teachers give for [smartphones]
	"for: ADJ thing WE|PERSONS love|like|enjoy about X\n" + // things people love about [group work]
	"for: WHY DO? so? many? ADJ WE|PEOPLE|FRIENDS|PERSONS think|say|believe|claim|argue|feel|find that? X BE VERY? GOODADJ|NEEDED FORWHOM?\n" + // why do people think [zoos] are important
	"for: ADJ reason to be for|pro|in_favour_of|in_favor_of|supportive_of X\n" + // reasons to be for [a wealth tax]
	"for: X , ADJ GOODS for|in REST\n" + // [bilingual kindergartens]: advantages for children
	"for: who MAY? support|favour|favor|back|endorse|defend|like|love X [and_why]\n" + // who supports [basic income] and why
	"for: talk|sell me|us|him|her into|on X\n" + // talk me into [buying a motorhome]
	"for: T and why it|they|this|that|these BE VERY? GOODADJ|NEEDED FORWHOM?\n" + // [libraries] and why they are important
	"for: help me|us to? defend|support|justify|argue_for|promote X\n" + // help me defend [animal testing]
	"for: WHY i'm|im|we're|they're|he's|she's|i_am|we_are|i_was for|in_favour_of|in_favor_of|pro X\n" + // why i'm in favour of [compulsory swimming]
	"for: X , ADJ ARG|DOC for|in_favour|in_favor|in_support|in_defense|in_defence\n" + // [zoos]: strong arguments in favour
	"for: ADJ advantage|benefit|upside|perk for|from X\n" + // benefits from [home schooling]
	"for: speak|speaking|speaks|argue|argues for|in_favour_of|in_favor_of|in_support_of X\n" + // speaking in favour of [fox hunting]
	"for: i|we want|need|have to defend|justify|promote X\n" + // i want to defend [school on saturdays]
	"for: WHY it pays|helps|makes_sense to X\n" + // why it pays to [learn a trade]
	"for: convince|persuade me|us|people|someone|parents|my_parents|my_boss|my_wife|my_husband that|of|to X\n" + // convince me that [jazz is worth listening to]
	"for: T why BE they|it|that VERY? GOODADJ FORWHOM?\n" + // [index funds] why are they good
	"for: case for X\n" + // case for [a four day week]
	"for: in favour|favor|support|defence|defense|praise of X\n" + // in favour of [gun control]; in praise of [slow travel]
	"for: advocating|endorsing|praising X\n" + // praising [zoos]
	"for: DET ADJ defence|defense|praise|endorsement|advocacy of X\n" + // a defense of [monarchy]
	"for: make|making|argue|arguing|state|present? DET ADJ case for X\n" + // the case for [slow travel]
	"for: economic|moral|ethical|legal|scientific|business|strong|strongest|environmental|practical case for X\n" + // economic case for [immigration]
	"for: ADJ argument|evidence|reasons|justification|talking_points FOR X\n" + // reasons for [a four day week]; best arguments for [veganism]
	"for: DET|good|strong ADJ reason FOR X\n" + // a good reason for [daylight saving]
	"for: ADJ DOC|ARG|STATS DEFENDING X\n" + // articles supporting [a wealth tax]
	"for: ADJ DOC|ARG|STATS that|which|who MAY? DEFEND X\n" + // texts that defend [monarchy]
	"for: ADJ reason why? WE SHOULD X\n" + // reasons why you should [travel alone]
	"for: ADJ reason why? WE MAY? LIKE X\n" + // reasons we need [zoos]
	"for: ADJ reason to support|love|like|favour|favor|back|endorse|defend X\n" + // reasons to support [rent control]
	"for: ADJ reason to X\n" + // reasons to [become vegetarian]
	"for: ADJ reason why|that? C\n" + // reasons why [voting should be compulsory]
	"for: ADJ argument|evidence|proof that X\n" + // evidence that [meditation works]
	"for: ADJ research|study|articles|data|papers showing|proving|suggesting|demonstrating|arguing that? X\n" + // studies showing that [homework is useless]
	"for: ADJ research|study|articles|data|papers|texts that|which show|prove|argue|suggest that X\n" + // studies that show that [naps help]
	"for: ADJ pro ARG|side OF X\n" + // pro arguments on [fracking]
	"for: ADJ pro ARG|side X\n" + // pro arguments [fracking]
	"for: T pro ARG|side\n" + // [fracking] pro arguments
	"for: ADJ GOODS of|to|about X\n" + // benefits of [learning an instrument]
	"for: do|does X have any|many? ADJ GOODS FORWHOM?\n" + // do [zoos] have any benefits
	"for: X DET? health? advantages|benefits|upsides|pros|merits|positives\n" + // [bitcoin] advantages; [sauna] health benefits
	"for: advantages|upsides [of]? X\n" + // advantages [electric cars]
	"for: what makes X VERY? GOODADJ|NEEDED FORWHOM?\n" + // what makes [trains] great
	"for: WHATS VERY? GOODADJ about|with|in X\n" + // what's good about [living alone]
	"for: what DO? WE|PERSONS|fans|lovers like|love|enjoy about X\n" + // what do people love about [vinyl records]
	"for: WHY WE SHOULD X\n" + // why you should [learn chess]
	"for: WHY should WE X\n" + // why should we [trust science]
	"for: WHY should A\n" + // why should [children learn an instrument]
	"for: WHY C\n" + // why [voting should be compulsory]
	"for: WHY to X\n" + // why to [learn latin]
	"for: WHY it's|it_is|its|it_was|it_would_be VERY? GOODADJ to X\n" + // why it's good to [be bored]
	"for: WHY it's|it_is|its worth X\n" + // why it's worth [learning esperanto]
	"for: WHY VERY? ADJ WE|PEOPLE|FRIENDS|PERSONS MAY? LIKE X\n" + // why people love [vinyl]; why we need [zoos]
	"for: WHY do|does|did|would|are|is VERY? many? ADJ people|some|many|anyone|voters|others|experts|economists|politicians|FRIENDS|PERSONS LIKE X\n" + // why do people support [brexit]
	"for: WHY are|is|were ADJ WE|PEOPLE|PERSONS for|in_favour_of|in_favor_of|pro X\n" + // why are some people for [rent control]
	"for: ADJ FRIENDS of|for X\n" + // supporters of [free trade]
	"for: what|HOW DO? MAY? ADJ FRIENDS of X MAY? SAY\n" + // what supporters of [free trade] say; what do advocates of [free trade] say
	"for: what DO? ADJ FRIENDS SAY ON X\n" + // what do supporters say about [brexit]; what supporters say about [brexit]
	"for: ADJ PEOPLE|PERSONS in_favour_of|in_favor_of|defending|arguing_for|campaigning_for|fighting_for|supporting X\n" + // people in favour of [rent control]
	"for: ADJ PEOPLE|PERSONS who|that MAY? DEFEND|believe_in X\n" + // people who support [rent control]
	"for: who BE for|in_favour_of|in_favor_of|pro X\n" + // who is in favour of [the new stadium]
	"for: HOWTO argue|speak|make_the_case|make_a_case for|in_favour_of|in_favor_of X\n" + // how to argue for [a pay rise]
	"for: argue|arguing for|in_favour_of|in_favor_of X\n" + // arguing for [uniforms]
	"for: DET? POSREVIEW REVIEW of|on|about|for|towards X\n" + // positive reviews of [the new library]
	"for: X positive|good reviews|feedback|press\n" + // [the new library] positive reviews
	"for: DET? good|positive|best thing|side|sides|aspects|points|effects|parts|stuff of|about|in|with X\n" + // good things about [living in london]
	"for: pro X ARG|DOC|PEOPLE|stance|side|sentiment|campaign\n" + // pro [brexit] arguments
	"for: ADJ ARG speak|speaks|argue|count|exist|are_there for|in_favour_of|in_favor_of X\n" + // which arguments speak for [organ markets]
	"for: ADJ thing|ARG|VIEW|PEOPLE|DOC speaking|arguing for|in_favour_of|in_favor_of X\n" + // things speaking for [a second home]
	"for: WHY BE WE|everyone|everybody|people|some|many|they|PERSONS so? VERY? keen_on|excited_about|enthusiastic_about|fond_of|crazy_about|positive_about|obsessed_with|happy_with|in_love_with|proud_of X\n" + // why is everyone so keen on [padel]
	"for: WHY DET? so_much|such|all_the|is_there_so_much love|praise|support|enthusiasm|excitement|hype for|of|about|around X\n" + // why so much love for [the semicolon]
	"for: ADJ ARG of|by|from those|people who|that support|defend|back|LIKE X\n" + // the arguments of those who support [the metro line]
	"for: what can|could|might|is there? to? be? said in_defence_of|in_defense_of|in_support_of|in_praise_of X\n" + // what can be said in defence of [monarchy]
	"for: DET? plus|brighter|sunny side of X\n" + // the plus side of [ageing]
	"for: WHY would|might WE want_to X\n" + // why would you want to [run a marathon]
	"for: who agrees|agree|sides|side with X\n" + // who agrees with [the gender quota]
	"for: what would|could|might|can WE say|argue for|in_favour_of|in_favor_of X\n" + // what would you say for [a four-day week]
	"for: WHY DO X do us|you|people|children good|so_much_good\n" + // why does [laughter] do us good
	"for: HOW X benefits ADJ people|PERSONS|us|you|society|everyone|the_economy|the_environment|health REST\n" + // how [swimming] benefits older people
	"for: WHY BE X VERY? praised|loved|admired|recommended|liked|popular|celebrated|valued REST\n" + // why are [audiobooks] so popular
	"for: HOW DO? WHO|FRIENDS argue|speak|fight|campaign for|in_favour_of X\n" + // how do supporters argue for [fracking]
	"for: ADJ thing to love|like|enjoy|admire about X\n" + // things to love about [winter]
	"for: who speaks|speak|argues|campaigns up|out? for|in_favour_of X\n" + // who speaks up for [the arms trade]
	"for: i? agree|agreeing with X\n" + // agree with [rent control]
	"for: X DET? ARG for|in_favour|in_favor|in_support\n" + // [fracking] arguments for
	""
