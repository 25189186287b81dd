package perspective

// class is what a name in capitals stands for in the patterns of the grammar. A word
// belongs to it if it is listed, or if the test says so; forms are patterns themselves.
type class struct {
	words string // with a space around each
	forms []string
	test  func(word string) bool
}

// Words that bound the items ADJ, WHO, X and T.
const (
	// questions begin a question. What follows is no topic. A claim says what should be.
	shoulds   = " should must shouldn't shouldnt mustn't ought "
	questions = " who whom whose what when where why how which is are was were do does did can could should would will may shall " +
		"has have had what's who's where's how's isn't aren't don't doesn't "
	// function words stand neither before a noun like an adjective nor first in a name.
	function = " of to in on for from with about by at as is are was were be been do does did how why what who when where which can " +
		"could should would will may if that this it not or than so because since against like into per versus vs i you we he she they " +
		"me find show give tell explain make "
	// nobody is no speaker, and neither is what these words describe.
	nobody = " i you we he she it they me us him them this that these who what which eyes camera cameras plant plants animal animals cell cells computer computers robot robots dog dogs cat cats bee bees bird birds bat bats " +
		"fish horse horses snake snakes insect insects fly flies owl owls shark sharks spider spiders cow cows best top great " +
		"beautiful scenic aerial satellite panoramic street second different good bad about on for to of with is are "
	// notFirst are words that no root begins with, and notLast that none ends with.
	// auxiliaries begin no root after other words.
	auxiliaries = " do does did can could should would don't doesn't didn't can't couldn't won't "
	notFirst    = " my your of or and than to is are was were isn't 's - – — | & "
	notLast     = " so too very the a an of and or to for about on in with is are was - – — | & "
)

var classes = map[string]class{
	// Who asks, and for what.
	"BE":      {words: " is are was were be "},
	"DET":     {words: " the a an some any its their "},
	"ON":      {words: " about on regarding concerning over "},
	"OF":      {words: " of about on regarding concerning to with in for against towards toward around behind "},
	"FOR":     {words: " for supporting defending favoring favouring pro ", forms: []string{"in favour|favor|support|defence|defense of", "that|which support|supports|favour|favor|favours|favors|defend|defends"}},
	"CON":     {words: " against opposing contra anti ", forms: []string{"in opposition to", "opposed|contrary to", "critical of", "that|which oppose|opposes|contradict|contradicts|attack|attacks"}},
	"NUM":     {words: " two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty hundred few couple several ", forms: []string{"couple|few of"}, test: number},
	"VERY":    {words: " so really very actually always often such just also too generally inherently fundamentally morally "},
	"FORWHOM": {forms: []string{"for|to REST", "in|at|as REST"}},

	// Things that take a side by a word after them.
	"ARG": {words: " argument arguments reason reasons point points case evidence proof proofs opinion opinions voice voices claim claims " +
		"statement statements view views thought thoughts consideration considerations grounds facts material materials " +
		"argumentation position positions stance stances speech speeches plea pleas something anything things ", forms: []string{"talking points"}},
	"DOC": {words: " article articles text texts paper papers editorial editorials essay essays post posts blog blogs book books report " +
		"reports story stories news passage passages document documents column columns letter letters comment comments review " +
		"reviews source sources study studies research piece pieces op-ed op-eds oped opeds commentary commentaries coverage interview " +
		"interviews quote quotes poem poems writing writings analysis analyses press media newspapers headlines reporting " +
		"journalism literature novels novel documents publications opinion opinions views view accounts something anything " +
		"perspectives perspective reactions discussion discussions debate ", forms: []string{"blog|news|newspaper|magazine|press|media|opinion articles|article|posts|post|reports|report|stories|story|coverage|pieces|piece|sources|clippings|releases", "op ed|eds", "points of view"}},
	"PEOPLE": {words: " people someone somebody anyone anybody voices groups politicians parties experts scientists parents those protesters " +
		"campaigners activists citizens residents economists writers authors thinkers philosophers teachers doctors celebrities states countries others many most some everyone folks "},
	"SAY": {words: " say says said think thinks thought believe believes feel feels argue argues claim claims write writes wrote report reports " +
		"tell tells teach teaches suggest suggests show shows recommend recommends advise have has know ", forms: []string{"have|has to say", "tell|tells us", "have|has said|written"}},
	"SEE": {words: " see sees saw view views viewed perceive perceives experience experiences experienced regard regards ", forms: []string{"feel|feels|felt|think|thinks|thought|talk|talks about", "look|looks at|on"}},
	"MAY": {words: " would might could will can may really actually typically usually generally should must do did all ", forms: []string{"used to", "have|has to", "tend to", "is|are likely to"}},

	// Sides, by nouns.
	"GOODS": {words: " pros advantages advantage benefits benefit upsides upside merits merit strengths positives virtues pluses rewards " +
		"perks ", forms: []string{"good points|sides|things|aspects|parts", "positive aspects|sides|effects|points|impact|impacts|things|consequences", "bright side", "plus points", "selling points"}},
	"BADS": {words: " cons disadvantages disadvantage drawbacks drawback downsides downside shortcomings weaknesses negatives harms dangers " +
		"hazards risks pitfalls flaws faults problems limitations minuses demerits perils evils failings threats issues ",
		forms: []string{"bad points|sides|things|aspects|parts|effects", "negative aspects|sides|effects|points|impact|impacts|things|consequences|side",
			"harmful|adverse effects|aspects|sides|consequences", "dark side|sides", "hidden costs|dangers", "weak points|spots"}},
	"AND":       {words: " and & or / vs versus + n "},
	"NOBENEFIT": {words: " membership card loyalty account housing employee unemployment state child disability tax retirement veterans death maternity fringe welfare social "},
	"NOCRITIC":  {words: " literary film new textual biblical art music food social higher comic "},
	"BOTH": {words: " pros/cons pros&cons pro/con pro/contra ", forms: []string{
		"pros|pro|pro's AND? DET? cons|con|contra|contras|con's", "cons|con AND? DET? pros|pro", "GOODS AND DET? ADJ BADS", "BADS AND DET? GOODS",
		"ARG? for AND? against", "ARG? against AND for", "ARG pro AND contra|con", "DET? good AND DET? bad sides|aspects|points|things|parts?",
		"strengths AND limitations|weaknesses", "weaknesses AND strengths", "promise|promises|opportunities|rewards AND DET? perils|peril|pitfalls|risks|dangers|threats",
	}},
	"BOTHSIDES": {forms: []string{"both|two sides|viewpoints|views|perspectives|camps", "both|two|different sides", "either side", "two opposing sides|views", "sides"}},
	"SIDES":     {words: " views viewpoints opinions sides arguments perspectives positions "},
	"ISSUE":     {words: " debate argument issue question controversy discussion story dispute "},
	"COUNTER": {words: " counterargument counterarguments counter-argument counter-arguments counterpoint counterpoints counter-point " +
		"counterevidence counter-evidence objection objections rebuttal rebuttals refutation refutations criticism criticisms " +
		"critique critiques opposition disagreement disagreements skepticism scepticism counterclaim counterclaims counter-claim " +
		"hostility ", forms: []string{
		"counter argument|arguments|evidence|claim|claims|point|points|position", "contra argument|arguments"}},
	"WORRY": {words: " complaints doubts doubt worries fears concerns misgivings anger outrage backlash protest protests warnings warning " +
		"criticisms gripes "},
	"CRITICS": {words: " opponents opponent critics critic skeptics sceptics detractors haters adversaries doubters opposers naysayers "},
	"FRIENDS": {words: " supporters supporter advocates advocate proponents proponent defenders defender backers admirers "},

	// Sides, by adjectives and verbs.
	"GOODADJ": {words: " good great beneficial useful helpful better best right fair effective justified worthwhile awesome healthy positive amazing " +
		"wonderful excellent fantastic brilliant overdue underrated desirable sensible smart worth ", forms: []string{
		"worth it", "worth REST", "DET good|great|smart|wise|right|better|best|positive|wonderful idea|thing|choice|decision|investment|way|option|move|solution|policy|step|habit|deal|model", "better than REST", "good news", "the future", "here to stay"}},
	"PLAINGOOD": {words: " good great better right beneficial ", forms: []string{"DET good|great idea|thing|choice", "better than REST", "so|really good|great", "worth it"}},
	"BADADJ": {words: " bad wrong harmful cruel unfair evil dangerous overrated useless terrible unethical immoral unjust pointless toxic stupid awful " +
		"unhealthy broken flawed inhumane outdated unnecessary unsustainable ineffective misguided counterproductive unconstitutional horrible " +
		"undemocratic racist sexist boring worse worst ridiculous inefficient problematic risky destructive ", forms: []string{
		"DET bad|terrible|stupid|awful|poor|horrible|wrong idea|thing|choice|decision|investment|way|option|move|deal|policy|habit", "DET disaster|mistake|scam|failure|waste|myth|problem|threat|fraud|danger|lie|joke|trap", "DET waste of REST", "not a_good|good|the_right idea|answer|solution|enough|thing", "not GOODADJ", "worse than REST", "bad news", "doomed to fail", "killing|hurting|ruining|destroying|harming REST", "not the answer|solution"}},
	"PLAINBAD": {words: " bad wrong harmful evil unfair overrated cruel unethical immoral worse ", forms: []string{"DET bad|terrible idea|thing|choice", "worse than REST", "so|really bad|harmful", "considered harmful|bad|unethical|wrong"}},
	"FAILS": {words: " fail fails failed sucks suck fails backfires backfire ", forms: []string{
		"doesn't|don't|didn't|won't|can't|cannot|will_not|does_not|do_not|can_not|never|doesnt|dont|wont|cant work|works|help|helps|make_sense|pay|pay_off|matter|deliver REST",
		"harm|harms|hurt|hurts|destroy|destroys|ruin|ruins|damage|damages|kill|kills|threaten|threatens|endanger|endangers|undermine|undermines|hinder|hinders|weaken|weakens REST", "makes|make no sense", "makes|make REST worse", "does|do more harm than good"}},
	"WORKS": {words: " works work matters matter ", forms: []string{"makes|make sense", "make|makes REST better", "helps|help|improves|improve|benefits|benefit|saves|save|protects|protect|strengthens|strengthen REST", "does|do more good than harm", "pays|pay off", "will work|succeed|win REST", "beats|beat REST"}},
	"LIKE": {words: " like love support want prefer favour favor defend trust praise enjoy admire back welcome need choose embrace endorse likes loves supports wants " +
		"prefers favours favors defends trusts praises needs welcomes ", forms: []string{"believe|believes in", "are|is for", "are|is in favour|favor|support of", "agree|agrees with", "are|is pro", "vote|votes|voted|argue|argues for", "approve|approves of"}},
	"HATE": {words: " hate dislike oppose reject distrust criticize criticise despise resist loathe ban condemn boycott hates dislikes " +
		"opposes rejects criticizes criticises distrusts resists opposed ", forms: []string{
		"are|is|were|was against", "are|is|were|was opposed|hostile to", "disagree|disagrees with", "don't|doesn't|do_not|does_not|dont|doesnt|didn't like|want|support|trust|believe_in|agree_with|need", "disapprove|disapproves of", "object|objects|objected to", "complain|complains about",
		"vote|votes|voted|argue|argues|protest|protests|fight|are_fighting|protested against", "are|is critical|skeptical|sceptical of|about", "turn|turned against"}},
	"OPPOSE": {words: " oppose opposes reject rejects criticize criticizes criticise criticises debunk debunks refute refutes rebut rebuts disprove " +
		"disproves contradict contradicts dispute disputes condemn attack attacks challenge challenges question questions undermine undermines weaken " +
		"weakens deny denies ", forms: []string{"OPPOSING", "argue|argues|speak|speaks|is|are against", "disagree|disagrees with", "object|objects to", "cast|casts doubt on", "are|is OPPOSING"}},
	"OPPOSING": {words: " opposing rejecting criticizing criticising debunking refuting rebutting disproving contradicting disputing condemning attacking " +
		"challenging questioning undermining denying against ", forms: []string{"arguing|speaking against", "disagreeing with", "objecting|opposed|hostile to", "casting doubt on", "critical|skeptical|sceptical|dismissive of|about", "in opposition to"}},
	"DEFEND": {words: " support supports endorse endorses defend defends favour favours favor favors praise praises back backs promote promotes justify " +
		"justifies ", forms: []string{"DEFENDING", "argue|argues|speak|speaks for|in_favour_of|in_favor_of", "agree|agrees with", "advocate|advocates for?", "make|makes DET case for", "are|is DEFENDING"}},
	"DEFENDING": {words: " supporting endorsing defending favouring favoring praising backing promoting justifying pro ", forms: []string{
		"arguing|speaking for|in_favour_of|in_favor_of", "agreeing with", "in favour|favor|support|defence|defense|praise of", "supportive of", "advocating for?", "making DET case for"}},
	"DEBUNK":   {words: " debunk debunking refute refuting disprove disproving rebut rebutting criticise criticising criticize criticizing oppose opposing contradict contradicting condemning "},
	"SHOULD":   {words: " should must ", forms: []string{"ought|need|needs to"}},
	"SHOULDNT": {words: " shouldn't shouldnt mustn't ", forms: []string{"should|must not|never", "should|must stop|avoid", "don't|dont|do_not need|have to?", "ought not to", "need to? stop", "should|must no longer"}},
	"WE":       {words: " we you people i one they everyone everybody nobody society governments schools parents "},
	"NEGREVIEW": {words: " negative critical bad harsh scathing unfavourable unfavorable sceptical skeptical hostile dissenting opposing " +
		"disapproving angry "},
	"POSREVIEW": {words: " positive favourable favorable glowing supportive enthusiastic sympathetic approving "},
	"REVIEW": {words: " reviews review feedback press opinions opinion views view takes take comments experiences reactions articles article " +
		"editorials essays coverage pieces voices arguments argument perspective perspectives commentary texts posts stories " +
		"evidence things look "},

	// Who speaks.
	"VIEW": {words: " view views opinion opinions perspective perspectives take takes thoughts thought viewpoint viewpoints stance stances " +
		"attitude attitudes position positions experience experiences verdict feelings reaction reactions response responses " +
		"voices beliefs reflections insights concerns ideas side voice testimony ", forms: []string{"point|points of view"}},
	"VIEWON": {words: " on about regarding towards toward concerning to with of "},
	"POV":    {words: " perspective viewpoint standpoint angle side eyes view lens vantage perspectives ", forms: []string{"point of view", "points of view", "vantage point"}},
	"LEARNERS": {words: " beginners beginner novices newbies dummies kids children child laypeople laymen laypersons non-experts nonexperts " +
		"starters newcomers amateurs non-scientists non-programmers nontechnical ", forms: []string{
		"ADJ beginners|learners|novices|starters|newbies|laypeople|kids|children", "DET ADJ layperson|layman|beginner|child|novice|newbie|kid|toddler|student|teenager|lay_person|general_audience|five_year_old|ten_year_old|5_year_old|general_public",
		"people|those|someone|anyone who|without|new|with_no REST", "non experts|specialists|scientists|programmers", "primary|elementary|high|middle school kids|children|students", "lay people|readers|persons", "the uninitiated|layman|elderly|rest_of_us|general_public"}},
	"PRODUCT": {forms: []string{"best|cheap|top|free|fun|cheapest|sample|used X", "X ideas|gifts|gift|presents|present|toys|shoes|clothes|jobs|songs|jokes|movies|costumes|snacks|discounts|discount|tickets|crafts|games|lesson|lessons|class|classes|course|courses|camp|camps|club|time|menu|schedule|clothing|books|bike|bikes|bed|beds|museum|museums|doctor|dentist|hospital|party|parties|day|swimming|programme|program|tv|shows|films|haircut|glasses|vitamins|medicine|furniture|rooms|room|hotel|hotels|holiday|holidays|parks|playgrounds"}},
	"SIMPLE":  {words: " simply ", forms: []string{"in simple|plain|easy|layman's|laymans|everyday|basic|accessible terms|language|words|english", "made easy|simple", "in a nutshell"}},
	"PERSONS": {words: " parents children kids teenagers students pupils teachers nurses doctors patients farmers workers employees employers " +
		"tenants landlords women men pensioners families commuters drivers cyclists businesses consumers taxpayers voters " +
		"immigrants refugees renters homeowners freelancers fishermen shopkeepers tourists residents investors artists migrants " +
		"grandparents grandmothers mothers fathers scientists economists historians soldiers athletes lawyers engineers " +
		"programmers journalists experts architects musicians managers police midwives carers caregivers retirees "},
	"GUIDE": {words: " advice tips guide guides information info guidance help resources material lessons explanation explanations introduction introductions handbook " +
		"recommendations ideas facts news tutorial tutorials "},

	"COPE": {forms: []string{"react|reacts|respond|responds|adapt|adapts to", "deal|deals|cope|copes|live with", "remember|describe|judge|approach|understand|interpret|handle|manage|talk_about"}},
	"ISNT": {words: " isn't aren't wasn't isnt arent ", forms: []string{"is|are|was|were not"}},
	"HAS":  {words: " with having sharing teaching conveying has ", forms: []string{"that|which has|have|shares|share|teaches|teach|makes|make|carries|carry|conveys|convey|tells|tell|illustrates|illustrate|shows|show|expresses"}},
	"TALE": {words: " story stories tale tales fable fables parable parables myth myths legend legends case cases situation situations event events narrative narratives " +
		"anecdote anecdotes something folktale folktales fairytale fairytales scandal scandals incident incidents crisis crises episode episodes dilemma dilemmas scenario scenarios ",
		forms: []string{"fairy|folk tale|tales", "short story|stories"}},
	"LEANS": {words: " conservatives liberals republicans democrats socialists libertarians progressives centrists leftists marxists communists tories ", forms: []string{"the left|right|far-right|far-left", "the far|hard|radical left|right"}},

	// When and where.
	"YEAR":   {test: year},
	"DECADE": {test: decade, words: " twenties thirties fifties sixties seventies eighties nineties noughties "},
	"WHEN":   {words: " yesterday antiquity ", forms: []string{"YEAR on|onward|onwards?", "DET? EARLY? DECADE", "MONTH YEAR?", "DET NTH century", "DET SPAN", "COMING|recent years|decades|months|weeks|times|days|year|month|week|decade|century", "SPAN"}},
	"EARLY":  {words: " early mid late early- mid- late- "},
	"PERIOD": {words: " antiquity nowadays ", forms: []string{"DET? EARLY? DECADE", "DET EARLY? NTH century", "NTH century REST", "DET? COMING NUM? years|decades|months|year|decade|century|generation|generations", "recent years|decades|months|times", "DET? SPAN", "NUM years|decades time?", "the next NUM years"}},
	"COMING": {words: " last past previous next coming this recent "},
	"MONTH":  {words: " january february march april may june july august september october november december spring summer autumn winter "},
	"NTH":    {words: " 21st 20th 19th 18th 17th 16th 15th 14th 13th 12th 11th 10th twentieth nineteenth eighteenth seventeenth sixteenth fifteenth twenty-first last next this "},
	"SPAN": {words: " past future pandemic lockdown renaissance enlightenment reformation ", forms: []string{
		"middle|dark|early|old|olden ages|days|times", "cold war", "early days|years REST", "industrial revolution", "great depression", "ancient|medieval|victorian|modern|roman|colonial|soviet|prehistoric|biblical|tudor|edwardian times|rome|greece|egypt|days|era|age|period|england|britain|europe|history",
		"bronze|iron|stone|space|victorian|digital age|era", "second|first world war", "world war one|two|i|ii|1|2", "war years", "interwar|post-war|postwar period|years|era", "days of REST", "time of REST", "long|short run|term", "near|distant future|past", "war|wars|revolution|crisis|internet|reunification|elections|election|independence|reform|reforms|recession|crash|invasion"}},
	"AGED": {words: " recent latest new newest current contemporary modern old older early historical historic past medieval victorian " +
		"ancient present-day outdated vintage future today's yesterday's ", forms: []string{"up to date", "present day", "DECADE|YEAR", "NTH century", "long ago"}},
	"PUBLISHED": {words: " published written printed made released posted "},
	"FORECAST":  {words: " predictions prediction forecasts forecast outlook prognosis prognoses prospects projections projection expectations "},

	"LEAN": {words: " left-wing right-wing leftwing rightwing leftist rightist liberal conservative progressive centrist neutral unbiased " +
		"impartial nonpartisan non-partisan partisan republican democratic democrat socialist libertarian left-leaning " +
		"right-leaning far-right far-left marxist communist populist leftists rightists liberals conservatives progressives " +
		"centrists republicans democrats socialists libertarians marxists communists tory tories ", forms: []string{"left|right wing|leaning", "far|hard|centre|center|radical|alt left|right", "the political? left|right|centre|center", "centre-left|centre-right|center-left|center-right"}},
	"LEANDOC": {words: " analysis analyses media press outlet outlets newspaper newspapers politicians politician arguments argument blog " +
		"websites voices commentators take takes account sources source politics "},

	"LAND": {words: placeWords},
	"PLACE": {words: placeWords, forms: []string{
		"the LAND|NATION", "DET? ADJ LAND", "new york|zealand|delhi|orleans|england|jersey|mexico", "new york city", "south|north|east|west|central|eastern|western|southern|northern|latin LAND",
		"united|the_united states|kingdom|arab_emirates", "saudi arabia", "sri lanka", "hong kong", "costa rica", "el salvador", "puerto rico", "ivory coast", "sierra leone", "burkina faso", "cape verde", "north|south dakota|carolina",
		"middle|near|far|the_middle|the_far east", "san francisco|diego", "los angeles", "las vegas", "cape town", "rio de_janeiro", "sao paulo", "buenos aires", "mexico city", "the european_union|eu|us|uk|usa|netherlands|balkans|global_south|west|east",
		"rural|urban areas|regions", "other countries", "developing|poor|rich|african|asian|european countries", "small towns", "the countryside",
	}},
	"NATION": {words: nationWords + peopleWords, forms: []string{"new zealand", "south|north african|korean|american|koreans|africans", "sri lankan", "latin american|americans", "middle eastern"}},

	// Analogies.
	"STORY": {words: " story stories tale tales fable fables parable parables myth myths legend legends case cases situation situations event events " +
		"novel novels book books narrative narratives anecdote anecdotes example examples something anything things plot plots poem poems folktale folktales fairytale fairytales scandal scandals incident incidents crisis crises debate debates problem problems episode episodes " +
		"dilemma dilemmas scenario scenarios play plays text texts article articles idea ideas argument arguments ", forms: []string{"fairy|folk tale|tales", "short story|stories"}},
	"MORAL":   {words: " moral morals message messages lesson lessons theme themes meaning plot structure point idea pattern storyline dynamic twist ending logic problem conflict principle setup premise "},
	"SAME":    {words: " same similar comparable "},
	"LIKEX":   {words: " like resembling paralleling mirroring echoing ", forms: []string{"similar|analogous|comparable|akin|parallel|equivalent|related to|with", "that|which is|are like|similar_to|analogous_to|comparable_to", "that|which remind|reminds me|one|you? of", "that|which resemble|resembles|mirror|mirrors|parallel|parallels|echo|echoes", "reminiscent of", "in the style|spirit|vein of", "along the lines of"}},
	"ANALOGY": {words: " analogy analogies metaphor metaphors parallels simile similes "},

	// Evidence.
	"STATS": {words: " statistics stats figures data survey surveys poll polls polling studies study research evidence experiments trials meta-analysis meta-analyses " +
		"anecdotes testimonials testimonies findings percentages numbers ", forms: []string{
		"facts and|& figures", "case|research|scientific|empirical|clinical|academic|field study|studies|evidence|data|research|trials|papers|findings|results|paper|literature", "survey|opinion|poll data|results|polls|findings|surveys", "expert|experts|experts'|expert's|specialist|professional opinion|opinions|view|views|advice|commentary|analysis|testimony|perspective|perspectives|take|judgement|assessment", "personal|first-hand|firsthand|first_hand|eyewitness|first-person|first_person|true|real|real-life|real_life story|stories|experience|experiences|accounts|account|reports|anecdotes|testimony|testimonies",
		"eye witness accounts", "hard|official|key numbers|figures|data|evidence|facts|statistics", "numbers and figures"}},
	"STATON":  {words: " on about regarding concerning with "},
	"REAL":    {forms: []string{"real|real-life|real_life|real-world|real_world|concrete|practical|specific|historical|everyday|famous|actual world|life|examples|example|cases|case|instances|instance", "case study|studies", "real-life|real-world|real_life|real_world|practical|concrete|specific|historical|actual|everyday examples|example|cases|applications|instances"}},
	"SCIENCE": {words: " research science data evidence studies statistics numbers surveys polls study figures scientists researchers ", forms: []string{"the science|data|evidence|research|numbers|studies|statistics|figures|latest_research", "scientific studies|research|evidence"}},
	"FIELD": {words: " economic economical legal ethical moral environmental ecological political social financial medical scientific technical psychological " +
		"religious cultural philosophical historical health security safety privacy fiscal military practical educational sociological theological commercial engineering "},
	"ASPECT": {words: " aspect aspects side sides dimension dimensions angle angles impact impacts effect effects implications implication ramifications perspective perspectives consequences "},
	"FOCUS":  {forms: []string{"with a|special|particular focus on", "with focus|emphasis on", "with an emphasis on", "focusing|focussing|focused|focussed on", "with respect|regard to", "in terms of", "with special|particular attention to", "in relation to", "in the context of", "and its? effect|effects|impact on"}},

	// Roots that look like the grammar and are none.
	"IDIOM": {words: " humanity gravity ", forms: []string{"all odds", "the odds|wind|clock|grain|wall|machine|law|current|ice|rules|sun|light|flow|tide|storm|rest_of_the_world|world|elements"}},
	"CAUSED": {words: " fall decline collapse loss rise failure increase decrease growth pain delay delays crash war wars death deaths divorce extinction revolution " +
		"shortage drop bleeding fatigue fever swelling cough rejection dismissal cancellation seasons outbreak ache aches weakness tiredness nausea dizziness itching " +
		"insomnia absence migration resignation downfall defeat victory "},
}

// number reports whether a word is of digits.
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
